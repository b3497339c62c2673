import type { CitationCounts, CitationMark } from '../core/citations/citation.ts';
import type { KindWords } from '../core/search/kind-face.ts';
import type { LeafReason, NodeStatus, PrunedBy } from '../core/tree/node-status.ts';

/** One node as the panel draws it. A field that says nothing is left out. */
export interface GraphNode {
  /** Slug path, empty for the root, which stands for the question. */
  readonly path: string;
  readonly title: string;
  readonly status: NodeStatus;
  /** Place among its siblings, from 0. */
  readonly index: number;
  readonly summary?: string;
  /** From 0 to 10. */
  readonly score?: number;
  /** From 0 to 1. */
  readonly confidence?: number;
  /** Whether it was judged by simpler criteria than asked for, or by less than was asked. */
  readonly isLowConfidence?: boolean;
  /** False where it was good enough but not kept, to be taken up later. */
  readonly selected?: boolean;
  /** The path of the node that it equals, where it was merged into one. */
  readonly sameAs?: string;
  readonly leafReason?: LeafReason;
  readonly prunedBy?: PrunedBy;
  /** Why it failed, in words. */
  readonly failure?: string;
  /** What a check made of the quotations in its document. */
  readonly citations?: CitationCounts;
}

/** A call that is under way. */
export interface GraphSlot {
  /** Slug path, empty for what is asked for the search as a whole. */
  readonly node: string;
  readonly purpose: string;
  /** Milliseconds since 1970. */
  readonly since: number;
}

/** Something that bounds a search. */
export interface GraphGuard {
  readonly name: 'calls' | 'tokens' | 'usd' | 'minutes';
  readonly used: number;
  readonly limit: number;
}

/** What a search is likely to have used when it ends; low ≤ likely ≤ high. */
export interface GraphForecast {
  readonly unit: 'usd' | 'tokens';
  readonly low: number;
  readonly likely: number;
  readonly high: number;
  /** Minutes that are likely to be left. */
  readonly minutes?: number;
}

/** Something that can be done with a search or a node now. */
export interface GraphAction {
  readonly name: string;
  /** On a button or in a menu, in the reader's language. */
  readonly title: string;
}
/** Texts of a kind that the panel shows, translated there; `several` has a place for how many. */
export interface GraphWords extends Pick<KindWords, 'one' | 'several' | 'label' | 'addNode' | 'findNodes'> {
  /** What is being done, by the purpose of a call. */
  readonly doing: Readonly<Record<string, string>>;
}

/** The search as a whole: what the bar above the drawing shows. */
export interface GraphSearch {
  readonly title: string;
  readonly question: string;
  readonly kind: string;
  /** What its kind calls its things, in English. */
  readonly words: GraphWords;
  readonly state: 'running' | 'waiting' | 'paused' | 'interrupted' | 'finished';
  /** Why it is paused or waits, or cannot be read, in words; empty where there is nothing to say. */
  readonly reason: string;
  readonly model: string;
  /** Nodes worked on, and how many of them the size allows; null for as many as there are. */
  readonly worked: number;
  readonly size: number | null;
  readonly guards: readonly GraphGuard[];
  readonly calls: number;
  readonly tokens: number;
  readonly cached: number;
  readonly usd: number;
  /** Whether every call's price was known. */
  readonly usdComplete: boolean;
  readonly minutes: number;
  /** Null where there was one and is none any more. */
  readonly forecast?: GraphForecast | null;
  /** The calls under way; none where nobody works on the search. */
  readonly slots: readonly GraphSlot[];
  /** The paths of open leaves in the order in which they are likely to be worked on; the first few. */
  readonly order: readonly string[];
  /** Slug paths from the first level down: the one the search itself says is best, else that of the best scores. */
  readonly bestPath: readonly string[];
  /** What can be done with it as a whole. */
  readonly actions: readonly GraphAction[];
}

/** One call that was made for a node. */
export interface GraphCall {
  /** From 1. */
  readonly number: number;
  readonly purpose: string;
  readonly model: string;
  readonly attempt: number;
  /** ISO 8601. */
  readonly time: string;
  readonly outcome: string;
  readonly message?: string;
  readonly ms?: number;
  readonly prompt?: number;
  readonly cached?: number;
  readonly completion?: number;
  readonly usd?: number;
  /** What it counts as where nobody knows what it used, in tokens; left out where it cost nothing. */
  readonly worst?: number;
}

/** A quotation of a document that is not where the document says. */
export interface GraphCitation {
  /** As the document names it: `src/queue.ts:12-15`. */
  readonly place: string;
  readonly mark: Exclude<CitationMark, 'verified'>;
  /** The lines where it is now, for one that moved. */
  readonly now?: string;
  /** Leads from the document to the lines; undefined where no address can be told. */
  readonly href?: string;
}

/** What the inspector shows of one node beside what the drawing knows. */
export interface GraphDetails {
  readonly path: string;
  /** Markdown without its front matter; undefined where there is none. */
  readonly document?: string;
  /** Whether only the beginning of the document is here. */
  readonly isCut?: boolean;
  /** The quotations of the document that are not where it says, the first ones. */
  readonly citations?: readonly GraphCitation[];
  /** Its links to other nodes, then those of others to it; without a path where the other node is gone. */
  readonly links?: readonly GraphLink[];
  /** Why it has its score, in the evaluator's words. */
  readonly reasoning?: string;
  /** The samples that its score is the mean of, from 0 to 10 each. */
  readonly votes?: readonly number[];
  /** Scores of single criteria, from 0 to 10 each. */
  readonly dimensions?: readonly { readonly name: string; readonly score: number }[];
  readonly model?: string;
  /** What a person told it. */
  readonly note?: string;
  readonly calls: readonly GraphCall[];
  readonly steered: readonly { readonly time: string; readonly by: string; readonly message: string }[];
}

/** A link between a node and another one. */
export interface GraphLink {
  readonly type: string;
  readonly isIncoming: boolean;
  readonly path?: string;
  /** The other node's title; where that is gone, its id. */
  readonly title: string;
}

/** The exact words of one call, or why they are not known. */
export interface GraphExchange {
  readonly path: string;
  readonly call: number;
  readonly unknown?: string;
  readonly system?: string;
  readonly turns?: readonly { readonly role: string; readonly text: string }[];
  readonly prompt?: string;
  readonly answer?: string;
}
