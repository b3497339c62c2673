/** What a request is for, such as `document`: a word of its kind. HTTP providers send it as the header `x-thought-tree-call`. */
export type Purpose = string;

/** What the requests of one purpose are like. Each kind says it of each of its purposes, in one table. */
export interface PurposeTraits {
  /** Whether a judge is asked, where the search has one. */
  readonly judged?: true;
  /**
   * Where its answers are kept: in the node's conversation, which is sent, behind those of the nodes above; in a
   * conversation of its own, none of which is sent; or each by itself.
   */
  readonly conversation: 'node' | 'own' | 'none';
  /** Whether its answer is the node's document. */
  readonly isDocument?: true;
  /** Whether no other request begins like it or continues from its answer, so that neither cache nor session keeps it. */
  readonly last?: true;
  /** Whether it is asked by work in a slot, next to that, or once all slots are empty. */
  readonly when: 'slot' | 'beside' | 'end';
  /** What one answer comes to where none was ever seen, in tokens; of those in a node's conversation, at depth 1. */
  readonly guess: { readonly prompt: number; readonly completion: number };
  /** What is being done, in English: a key of its translation. */
  readonly doing: string;
  /** The same in at most 17 characters. */
  readonly brief: string;
}

/** The purposes of a kind. */
export type Purposes = Readonly<Record<Purpose, PurposeTraits>>;

/** @throws RangeError where the kind has no such purpose: nothing is assumed of one */
export function traitsOf(purposes: Purposes, purpose: Purpose): PurposeTraits {
  const traits = Object.hasOwn(purposes, purpose) ? purposes[purpose] : undefined;
  if (!traits) throw new RangeError(`no purpose ${purpose}, only ${Object.keys(purposes).join(', ')}`);
  return traits;
}

/** The purpose whose answers are the nodes' documents; undefined where a kind has none. */
export function documentPurpose(purposes: Purposes): Purpose | undefined {
  return Object.keys(purposes).find((purpose) => purposes[purpose]?.isDocument);
}
