import type { DecomposeTask, EvaluateThoughts, GenerateThoughts } from './thought-messages.ts';

/** One topic on the way from the first level down to a node. */
export interface Topic {
  readonly title: string;
  /** The titles of the whole list that the topic stands in, in order, its own included. */
  readonly siblings: readonly string[];
  /** Where it stands in that list, from 0. */
  readonly index: number;
}

interface Common {
  readonly question: string;
  /** The folder of the node, relative to the workspace folder, with `/`; may begin with `..`. */
  readonly folder: string;
}

/** Asks for the document of the last topic of `lineage` (never empty). */
export interface DocumentData extends Common {
  readonly purpose: 'document';
  readonly lineage: readonly Topic[];
}

/** Asks for the children of the last topic of `lineage`, or for the first level where it is empty. */
export interface ChildrenData extends Common {
  readonly purpose: 'children';
  readonly lineage: readonly Topic[];
  readonly maxChildren: number;
}

/** An open leaf that may be worked on next. */
export interface Candidate {
  /** Slug path. */
  readonly path: string;
  readonly title: string;
  /** What is expected of it, 0 to 10, where known. */
  readonly score?: number;
}

/** Asks for a ranking of open leaves. */
export interface PickData {
  readonly purpose: 'pick';
  readonly question: string;
  readonly outline: string;
  readonly candidates: readonly Candidate[];
  /** How many are wanted at most. */
  readonly limit: number;
}

/** Asks for the opening of the report: the answer to the question, from what the documents say. */
export interface SynthesisData {
  readonly purpose: 'synthesize';
  readonly question: string;
  /** The topics worked on, one a line: link, score, summary. */
  readonly outline: string;
  /** How the documents that matter most begin; `link` is relative to the search's folder. */
  readonly documents: readonly { readonly link: string; readonly text: string }[];
  /** What a person told the search; empty where nobody did. */
  readonly notes: string;
}

/** Asks for a problem to be taken apart. */
export interface DecomposeData {
  readonly purpose: 'decompose';
  readonly question: string;
  readonly message: DecomposeTask;
}

/** Asks for next thoughts at one node. */
export interface GenerateData {
  readonly purpose: 'generate';
  readonly question: string;
  readonly message: GenerateThoughts;
  /** What the task says of the form of a thought; empty where it says nothing. */
  readonly wording: string;
  /** What a person told the search and the branch; empty where nobody did. */
  readonly notes: string;
}

/** Asks for a judgement of thoughts. */
export interface EvaluateData {
  readonly purpose: 'evaluate';
  readonly question: string;
  readonly message: EvaluateThoughts;
  /** Which of the samples it is, from 0. */
  readonly sample: number;
  readonly wording: string;
  readonly notes: string;
}

/** What another kind of search says of a request. */
interface OtherData {
  readonly purpose?: undefined;
  readonly question: string;
}

export type PromptData =
  | DocumentData
  | ChildrenData
  | PickData
  | SynthesisData
  | DecomposeData
  | GenerateData
  | EvaluateData
  | OtherData;
