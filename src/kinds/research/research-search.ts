import type { NodeId } from '../../core/tree/tree.ts';
import type { SearchContext } from '../../engine/search-context.ts';
import { type Picker, researchOptionsIn } from './options.ts';
import { readPrompts } from './prompts/prompt-template.ts';
import type { Prompts } from './prompts/prompts.ts';

/** One open research search: the parts of all searches, and this kind's own state. */
export interface ResearchSearch extends SearchContext {
  /** The search's own prompts, or ours. */
  readonly prompts: Prompts;
  /** The maximum number of topics per list. */
  readonly maxChildren: number;
  readonly picker: Picker;
  /** Whether rankings and answers follow rules, so that the tree can be the same whatever the timing. */
  readonly inRounds: boolean;
  /**
   * Leaves that a person wants expanded, whatever the depth limit: they are asked for children again unless the model has
   * since given more lists than this.
   */
  readonly askAgain: Map<NodeId, number>;
}

/** @throws ThoughtTreeError `bad-input` if the search's own prompts are unusable */
export async function openResearch(search: SearchContext): Promise<ResearchSearch> {
  const prompts = await readPrompts(search.store);
  const inRounds = [search.model, search.modelFor('pick')].every(({ prose }) => prose === false);
  return { ...search, ...researchOptionsIn(search.options), inRounds, prompts, askAgain: new Map() };
}
