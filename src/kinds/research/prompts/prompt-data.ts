import type { Candidate, PromptData, Topic } from '../../../core/ports/prompt-data.ts';

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

/** Asks for the children of the last topic of `lineage`, or for the first level if it is empty. */
export interface ChildrenData extends Common {
  readonly purpose: 'children';
  readonly lineage: readonly Topic[];
  readonly maxChildren: number;
}

/** Asks for a ranking of open leaves. */
export interface PickData {
  readonly purpose: 'pick';
  readonly question: string;
  readonly outline: string;
  readonly candidates: readonly Candidate[];
  /** The most that are wanted. */
  readonly limit: number;
}

/** Asks for the opening of the report: the answer to the question, from what the documents say. */
export interface SynthesisData {
  readonly purpose: 'synthesize';
  readonly question: string;
  /** The topics worked on, one per line: link, score, summary. */
  readonly outline: string;
  /** The beginnings of the most important documents; `link` is relative to the search's folder. */
  readonly documents: readonly { readonly link: string; readonly text: string }[];
  /** A person's notes for the search; empty if there are none. */
  readonly notes: string;
}

/** The part of it that is sent: what a model that only quotes may answer it by. */
export function byRule(data: DocumentData | ChildrenData | PickData): PromptData {
  const { question } = data;
  if (data.purpose === 'document')
    return { question, rule: { by: 'quotations', folder: data.folder, lineage: data.lineage } };
  if (data.purpose === 'children')
    return { question, rule: { by: 'passages', folder: data.folder, lineage: data.lineage, most: data.maxChildren } };
  return { question, rule: { by: 'expectation', candidates: data.candidates, limit: data.limit } };
}
