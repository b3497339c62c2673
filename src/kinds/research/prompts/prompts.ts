import { childrenPrompt } from './children-prompt.ts';
import { documentPrompt } from './document-prompt.ts';
import { pickPrompt } from './pick-prompt.ts';
import type { ChildrenData, DocumentData, PickData } from './prompt-data.ts';

/** Functions that turn typed data into the words of a prompt; all of them pure. */
export interface Prompts {
  readonly document: (data: DocumentData) => string;
  readonly children: (data: ChildrenData) => string;
  readonly pick: (data: PickData) => string;
}

export const OUR_PROMPTS: Prompts = { document: documentPrompt, children: childrenPrompt, pick: pickPrompt };
