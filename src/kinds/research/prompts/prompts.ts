import type * as z from 'zod';
import { childrenPrompt } from './children-prompt.ts';
import { documentPrompt } from './document-prompt.ts';
import { pickPrompt } from './pick-prompt.ts';
import type { ChildrenData, DocumentData, PickData } from './prompt-data.ts';

/** The parts of the prompts that a search may bring itself. */
export type OwnPrompt = 'root' | 'document' | 'children' | 'pick' | 'front-matter';

/** Functions that turn typed data into the words of a prompt; all of them pure. */
export interface Prompts {
  readonly document: (data: DocumentData) => string;
  readonly children: (data: ChildrenData) => string;
  readonly pick: (data: PickData) => string;
  /** The rules for the front matter of the search's documents, in addition to title and summary. */
  readonly frontMatter?: z.ZodType | undefined;
  /** Those that the search brings in files of its own. */
  readonly own: ReadonlySet<OwnPrompt>;
}

export const OUR_PROMPTS: Prompts = {
  document: documentPrompt,
  children: childrenPrompt,
  pick: pickPrompt,
  own: new Set(),
};
