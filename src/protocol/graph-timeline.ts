/** The kinds of events of interest, in the order in which they are shown. */
export const MARK_KINDS = ['result', 'score', 'pruned', 'money', 'act', 'failure', 'run'] as const;
export type MarkKind = (typeof MARK_KINDS)[number];

/** An event, and its place on the axis of a timeline. */
export interface GraphInstant {
  /** The number of the event. */
  readonly seq: number;
  /** Milliseconds of the search since its first event: a pause of more than a minute counts as one. */
  readonly at: number;
  /** Milliseconds since 1970. */
  readonly time: number;
}

/** An event of interest. */
export interface GraphMark extends GraphInstant {
  readonly kind: MarkKind;
}

/** The past of a search, as its panel shows it. */
export interface GraphTimeline {
  /** The first event and the last one so far; the same one, with the number 0, if there is none yet. */
  readonly first: GraphInstant;
  readonly last: GraphInstant;
  /** In order. Of a kind with too many, every second, fourth, … */
  readonly marks: readonly GraphMark[];
  /** The number of all events of a kind. */
  readonly counts: Readonly<Partial<Record<MarkKind, number>>>;
  /** The long pauses before events: where they end, and how long they were, in milliseconds. */
  readonly pauses: readonly { readonly at: number; readonly ms: number }[];
  /** Why no search can be made of it as it was, in words. */
  readonly noFork?: string;
}

/** The moment at which a search is shown. */
export interface GraphMoment extends GraphInstant {
  /** The thing that happened then, or last before, in words; empty before there was any. */
  readonly said: string;
}
