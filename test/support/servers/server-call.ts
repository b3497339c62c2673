/** A message as it came over the wire. */
export interface WireMessage {
  readonly role: string;
  readonly content: string;
}

/** One request, as answerers, faults and latencies see it. */
export interface ServerCall {
  /** The number of the request, from 1, in order of arrival. Depends on timing: derive nothing repeatable from it. */
  readonly n: number;
  /** The header `x-thought-tree-call`; empty where it was not sent. */
  readonly purpose: string;
  /** The header `x-thought-tree-node`, decoded; empty for the root. */
  readonly node: string;
  /** How many requests came for this purpose and node, this one included. */
  readonly attempt: number;
  readonly model: string;
  readonly messages: readonly WireMessage[];
  /** The text of the last message. */
  readonly prompt: string;
  readonly maxTokens: number | undefined;
}
