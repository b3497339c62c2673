/** The purpose of a request, such as `document`; defined by its kind. It is sent as `x-thought-tree-call` over HTTP. */
export type Purpose = string;

/** The properties of requests of one purpose. Each kind defines them for all of its purposes, in one table. */
export interface PurposeTraits {
  /** The judge answers it, if the search has one. */
  readonly judged?: true;
  /**
   * Where its answers are kept: in the node's conversation, which is sent after those of the nodes above; in a separate
   * conversation, which is never sent; or each one separately.
   */
  readonly conversation: 'node' | 'own' | 'none';
  /** Its answer is the node's document. */
  readonly isDocument?: true;
  /** No other request begins like it or continues from its answer, so neither cache nor session keeps it. */
  readonly last?: true;
  /** Little reasoning is enough for it. */
  readonly effort?: 'low';
  /** It is asked by work in a slot, alongside that, or once all slots are empty. */
  readonly when: 'slot' | 'alongside' | 'end';
  /** The assumed size of an answer if none has been seen, in tokens; in a node's conversation, at depth 1. */
  readonly guess: { readonly prompt: number; readonly completion: number };
  /** The activity, in English: a key of its translation. */
  readonly doing: string;
  /** The activity in at most 17 characters. */
  readonly brief: string;
}

/** The purposes of a kind. */
export type Purposes = Readonly<Record<Purpose, PurposeTraits>>;

/** @throws RangeError if the kind has no such purpose: there are no defaults */
export function traitsOf(purposes: Purposes, purpose: Purpose): PurposeTraits {
  const traits = Object.hasOwn(purposes, purpose) ? purposes[purpose] : undefined;
  if (!traits) throw new RangeError(`no purpose ${purpose}, only ${Object.keys(purposes).join(', ')}`);
  return traits;
}

/** The purposes whose answers are nodes' documents; none where a kind has no such. */
export function documentPurposes(purposes: Purposes): Purpose[] {
  return Object.keys(purposes).filter((purpose) => purposes[purpose]?.isDocument);
}
