import type { NodeId } from '../../core/tree/tree.ts';
import type { SearchContext } from '../../engine/search-context.ts';
import { type Picker, researchOptionsIn } from './options.ts';
import { readPrompts } from './prompts/prompt-template.ts';
import type { Prompts } from './prompts/prompts.ts';

/** One open research search: what all searches have, and what this kind keeps besides. */
export interface ResearchSearch extends SearchContext {
  /** The search's own prompts, or ours. */
  readonly prompts: Prompts;
  /** Topics of one list at most. */
  readonly maxChildren: number;
  readonly picker: Picker;
  /**
   * Leaves that a person wants expanded, whatever the depth limit: they are asked for children again unless the model
   * has given more lists than this since.
   */
  readonly askAgain: Map<NodeId, number>;
}

/** @throws ThoughtTreeError `bad-input` where the search's own prompts cannot be used */
export async function openResearch(search: SearchContext): Promise<ResearchSearch> {
  const prompts = await readPrompts(search.store);
  return { ...search, ...researchOptionsIn(search.options), prompts, askAgain: new Map() };
}
