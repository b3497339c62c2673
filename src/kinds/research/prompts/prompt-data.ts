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
  /** The expectation of the model that proposed the topic. */
  readonly why?: string | undefined;
  /** The conversation is forked from the one that divided the question. */
  readonly isForked?: boolean;
  /** The most subtopics that the document is to end with; undefined where it ends without a list. */
  readonly subtopics?: number | undefined;
}

/** Asks for the children of the last topic of `lineage`, or for the first level if it is empty. */
export interface ChildrenData extends Common {
  readonly purpose: 'children';
  readonly lineage: readonly Topic[];
  readonly maxChildren: number;
  /** The first level is to come with a survey and a provisional answer. */
  readonly surveys?: boolean;
  /** The model reads files by itself, with tools. */
  readonly reads?: boolean;
}

/** A leaf that a picker may choose. */
interface PickCandidate extends Candidate {
  /** The outline has it, with its number. */
  readonly isInOutline?: boolean;
}

/** Asks for a ranking of open leaves. */
export interface PickData {
  readonly purpose: 'pick';
  readonly question: string;
  readonly outline: string;
  /** The number of each is its place, from 1. */
  readonly candidates: readonly PickCandidate[];
  /** The most that are wanted. */
  readonly limit: number;
  /** About how many of them will be worked on. */
  readonly worked: number;
}

/** Asks for the opening of the report: the answer to the question, from what the documents found. */
export interface SynthesisData {
  readonly purpose: 'synthesize';
  readonly question: string;
  /** This is asked in the conversation that surveyed the workspace, so its answer stands above. */
  readonly isForked: boolean;
  /** The answer that the search began with, in Markdown; empty if there was none, or if it stands above. */
  readonly provisional: string;
  /** About how many words it has, places not counted. */
  readonly draftWords: number;
  /** The findings of that answer, and what it left open. */
  readonly surveyed: Pick<SynthesisDocument, 'findings' | 'open'>;
  readonly documents: readonly SynthesisDocument[];
  /** The number of further documents that had no room. */
  readonly further: number;
  /** Titles of topics that nobody worked on. */
  readonly openTopics: readonly string[];
  /** A person's notes for the search; empty if there are none. */
  readonly notes: string;
  /** The model may read files with tools while it answers. */
  readonly reads: boolean;
}

/** A document as the model that writes the report sees it. */
export interface SynthesisDocument {
  readonly title: string;
  readonly link: string;
  readonly summary: string;
  /** Each with the number by which the answer cites it. */
  readonly findings: readonly { readonly number: number; readonly text: string; readonly cites: readonly string[] }[];
  readonly open: readonly string[];
  /** Its prose, where it names no findings and there is room for it; empty otherwise. */
  readonly text: string;
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
