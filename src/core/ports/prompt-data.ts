/** One topic on the way from the first level down to a node. */
export interface Topic {
  readonly title: string;
  /** The titles of the whole list that contains the topic, in order, its own included. */
  readonly siblings: readonly string[];
  /** Its place in that list, from 0. */
  readonly index: number;
}

/** An open leaf that may be worked on next. */
export interface Candidate {
  /** Slug path. */
  readonly path: string;
  readonly title: string;
  /** The score that is expected of it, 0 to 10, where known. */
  readonly score?: number;
}

/** Quotes what the workspace says of the last topic of `lineage` (never empty), as a document. */
export interface QuoteRule {
  readonly by: 'quotations';
  /** The folder of the node, relative to the workspace folder, with `/`; may begin with `..`. */
  readonly folder: string;
  readonly lineage: readonly Topic[];
  /** Also says in a field of the front matter how much it found, and names its sources in a section of references. */
  readonly grade?: Grade;
}

/** A word for how many places were found: the first one whose least number is reached. */
export interface Grade {
  readonly field: string;
  readonly values: readonly { readonly value: string; readonly least: number }[];
}

/**
 * Lists what the workspace has below the last topic of `lineage`, or of the question where that is empty: then the answer
 * also says how it was looked up, see `Lookup`.
 */
export interface SubtopicsRule {
  readonly by: 'passages';
  /** Of the node, as for quotations: links of the lookup start there; by default the workspace's own. */
  readonly folder?: string;
  readonly lineage: readonly Topic[];
  readonly most: number;
}

/** Ranks open leaves by what is expected of them and what they share with the question. */
export interface RankRule {
  readonly by: 'expectation';
  readonly candidates: readonly Candidate[];
  /** The most that are wanted. */
  readonly limit: number;
}

/** The rule by which a model that writes no words of its own answers, with the workspace's text, as the kind says. */
type Rule = QuoteRule | SubtopicsRule | RankRule;

/** A request as typed data, for models that read no prose; a kind may add data of its own. */
export interface PromptData {
  readonly question: string;
  /** Undefined where it takes a model that writes. */
  readonly rule?: Rule;
}
