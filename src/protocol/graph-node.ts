import type { CitationCounts, CitationMark } from '../core/citations/citation.ts';
import type { DetailTable, KindTerms, LinkDescriptor, Look, NodeMark, NodeRole } from '../core/kind/kind-descriptor.ts';
import type { LeafReason, NodeStatus, PrunedBy } from '../core/tree/node-file.ts';
import type { GraphMoment } from './graph-timeline.ts';

/** One node as the panel draws it. Empty fields are left out. */
export interface GraphNode {
  /** Slug path, empty for the root, which represents the question. */
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
  /** True if it was judged by simpler criteria, or with fewer samples, than requested. */
  readonly isLowConfidence?: boolean;
  /** False if it was good enough but not kept, and can be taken up later. */
  readonly selected?: boolean;
  /** The path of the equal node into which it was merged. */
  readonly sameAs?: string;
  readonly leafReason?: LeafReason;
  readonly prunedBy?: PrunedBy;
  /** Why it failed, in words. */
  readonly failure?: string;
  /** The results of checking the quotations in its document. */
  readonly citations?: CitationCounts;
  /** The cost of the calls for it: US dollars, where their prices are known, and tokens. */
  readonly usd?: number;
  readonly tokens?: number;
  /** The marks by which its kind describes it in a word or two, in English. */
  readonly marks?: readonly NodeMark[];
  /** Its shape and colour, for kinds with marks; else they follow from its status. */
  readonly look?: Look;
  /** Its links of the types that are drawn, to nodes that exist, by their paths. */
  readonly links?: readonly { readonly type: string; readonly path: string }[];
  /** Its role among its siblings, for kinds that are drawn in layers. */
  readonly role?: NodeRole;
}

/** A call that is under way. */
export interface GraphSlot {
  /** Slug path, empty for requests about the search as a whole. */
  readonly node: string;
  readonly purpose: string;
  /** Milliseconds since 1970. */
  readonly since: number;
}

/** A call that a worker of a fleet has taken. */
export interface GraphFleetCall extends GraphSlot {
  readonly model: string;
  /** The title of the other search whose call it is, empty if that is not known; missing for a call of this search. */
  readonly other?: string;
}

/** A worker of the fleet, in its own words. */
export interface GraphWorker {
  readonly id: string;
  readonly name: string;
  readonly state: 'working' | 'draining' | 'capped';
  /** The first of its models, and how many more it has. */
  readonly models: readonly string[];
  readonly moreModels: number;
  readonly slots: number;
  readonly busy: number;
  /** The first of the calls that it has. */
  readonly calls: readonly GraphFleetCall[];
  /** Today. */
  readonly made: number;
  readonly tokens: number;
  readonly usd: number;
  /** When it last said that it lives, in milliseconds since 1970. */
  readonly seen: number;
}

/** The workers that a search's calls go to, and what waits for them. */
export interface GraphFleet {
  readonly workers: readonly GraphWorker[];
  /** Workers that are too many to be listed. */
  readonly moreWorkers: number;
  /** The models that calls wait for. */
  readonly waiting: readonly { readonly model: string; readonly calls: number }[];
  /** Set while the queue cannot be reached: the rest is what was last seen. */
  readonly isAway?: boolean;
}

/** Something that limits a search. */
export interface GraphLimit {
  readonly name: 'calls' | 'tokens' | 'usd' | 'minutes';
  readonly used: number;
  readonly limit: number;
}

/** The use that a search is likely to have at its end; low ≤ likely ≤ high. */
export interface GraphForecast {
  readonly unit: 'usd' | 'tokens';
  readonly low: number;
  readonly likely: number;
  readonly high: number;
  /** The minutes that are likely to be left. */
  readonly minutes?: number;
}

/** Something that can be done to a search or a node now. */
export interface GraphAction {
  readonly name: string;
  /** On a button or in a menu, in the reader's language. */
  readonly title: string;
}
/** Texts of a kind that the panel shows, translated there; `several` has a placeholder for the number. */
export interface GraphTerms extends Pick<KindTerms, 'one' | 'several' | 'label' | 'addNode' | 'findNodes'> {
  /** Words for what is being done, by the purpose of a call. */
  readonly doing: Readonly<Record<string, string>>;
}

/** The search as a whole: what the bar above the drawing shows. */
export interface GraphSearch {
  readonly title: string;
  readonly question: string;
  readonly kind: string;
  /** Its kind's terms, in English. */
  readonly words: GraphTerms;
  /** The links that are drawn, by type, with their words in English; missing for a search that is drawn as a tree. */
  readonly drawnLinks?: Readonly<Record<string, LinkDescriptor>>;
  readonly state: 'running' | 'waiting' | 'paused' | 'interrupted' | 'finished';
  /** True if a living process has it, also one that asks a model for something that a person does to it at rest. */
  readonly isHeld: boolean;
  /** Its progress, in words, where somebody outside leads it. */
  readonly led?: string;
  /** Why it is paused, waits or cannot be read, in words; otherwise empty. */
  readonly reason: string;
  readonly model: string;
  /** Its progress, in words of its kind: "60 topics done, 142 open". */
  readonly progress?: string;
  /** Nodes worked on, and how many of them the size allows; null for no limit. */
  readonly worked: number;
  readonly size: number | null;
  readonly guards: readonly GraphLimit[];
  readonly calls: number;
  readonly tokens: number;
  /** The part of `tokens` that was sent, and the part of that which came from a cache. */
  readonly prompt: number;
  readonly cached: number;
  readonly usd: number;
  /** True if every call's price was known. */
  readonly usdComplete: boolean;
  /** The part of `tokens` and `usd` that is only booked, for calls that were cut off; missing if there is none. */
  readonly booked?: { readonly calls: number; readonly tokens: number; readonly usd: number };
  readonly minutes: number;
  /** Null if there was one and no longer is. */
  readonly forecast?: GraphForecast | null;
  /** The calls under way; empty if nobody works on the search. */
  readonly slots: readonly GraphSlot[];
  /** The fleet that makes its calls; null or missing if none does, as far as this window knows. */
  readonly fleet?: GraphFleet | null;
  /** The paths of the first few open leaves in the order in which they will probably be worked on. */
  readonly order: readonly string[];
  /** True if it is solved; missing for a search that is not for a solution, or is not finished. */
  readonly isSolved?: boolean;
  /** The answer of a finished search for a solution: as it was written down, else the last thought. */
  readonly answer?: string;
  /** Slug paths from the first level down: of the path that the search says is best, else of the best scores. */
  readonly bestPath: readonly string[];
  /** Nodes that are known from their files, and how many there are, while the rest is read or sent; null after that. */
  readonly reading?: { readonly done: number; readonly all: number } | null;
  /** The moment at which it is shown, with everything else as it was then; null or missing if that is now. */
  readonly past?: GraphMoment | null;
  /** The actions on it as a whole, now. */
  readonly actions: readonly GraphAction[];
}

/** One call made for a node. */
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
  /** The tokens it counts as if its usage is unknown; left out if it cost nothing. */
  readonly worst?: number;
}

/** A call among all of a search. */
export interface GraphTimedCall extends GraphCall {
  /** Its place among all, from 0: in the order in which they began. */
  readonly id: number;
  /** The slug path of the node that it is made for. */
  readonly node: string;
  /** Milliseconds since 1970; missing while it is under way, and where nothing tells when it was cut off. */
  readonly end?: number;
}

/** A quotation of a document, and whether it is where the document says. */
export interface GraphCitation {
  /** As the document names it: `src/queue.ts:12-15`. */
  readonly place: string;
  readonly mark: CitationMark;
  /** The lines where it is now, if it moved. */
  readonly now?: string;
  /** A link from the document to the lines; undefined if there is no relative path. */
  readonly href?: string;
}

/** The details of one node that the inspector shows in addition to the drawing. */
export interface GraphDetails {
  readonly path: string;
  /** Markdown without its front matter; undefined if there is none. */
  readonly document?: string;
  /** True if this is only the beginning of the document. */
  readonly isCut?: boolean;
  /** The first quotations of the document: those that are not where it says, then the others. */
  readonly citations?: readonly GraphCitation[];
  /** The tables in which its kind describes it at length. */
  readonly tables?: readonly DetailTable[];
  /** Its links to other nodes, then those of others to it; without a path where the other node is gone. */
  readonly links?: readonly GraphLink[];
  /** Why it has its score, in the evaluator's words. */
  readonly reasoning?: string;
  /** The samples of which its score is the mean, from 0 to 10 each. */
  readonly votes?: readonly number[];
  /** Scores of single criteria, from 0 to 10 each. */
  readonly dimensions?: readonly { readonly name: string; readonly score: number }[];
  readonly model?: string;
  /** The model that judged it last. */
  readonly judge?: string;
  /** It and its siblings that have a score, the best first; missing where there is nothing to compare. */
  readonly beside?: readonly GraphSibling[];
  /** Its origin, in words, for kinds that keep receipts. */
  readonly receipt?: string;
  /** A person's note for it. */
  readonly note?: string;
  readonly calls: readonly GraphCall[];
  readonly steered: readonly { readonly time: string; readonly by: string; readonly message: string }[];
}

/** A node beside its siblings. */
export interface GraphSibling {
  readonly path: string;
  readonly title: string;
  readonly score: number;
  /** Why it has its score. */
  readonly reasoning?: string;
  /** The model that judged it last. */
  readonly judge?: string;
}

/** A link between a node and another one. */
export interface GraphLink {
  readonly type: string;
  readonly isIncoming: boolean;
  readonly path?: string;
  /** The other node's title; where that is gone, its id. */
  readonly title: string;
}

/** The transcript of one call, or why it is not known. */
export interface GraphTranscript {
  readonly path: string;
  readonly call: number;
  readonly unknown?: string;
  readonly system?: string;
  readonly turns?: readonly { readonly role: string; readonly text: string }[];
  readonly prompt?: string;
  readonly answer?: string;
}
