import type { NodeId } from '../../core/tree/tree.ts';
import type { SearchContext } from '../../engine/search-context.ts';
import { KnownTitles } from './known-titles.ts';
import { type OptionsInForce, researchOptionsIn } from './options.ts';
import { readPrompts } from './prompts/prompt-template.ts';
import type { OwnPrompt, Prompts } from './prompts/prompts.ts';

/** One open research search: the parts of all searches, and this kind's own state. */
export interface ResearchSearch extends SearchContext, OptionsInForce {
  /** Finds topics that would be researched twice; missing in the source's form, which knows none. */
  readonly titles: KnownTitles | undefined;
  /** The search's own prompts, or ours. */
  readonly prompts: Prompts;
  /** Rankings and answers follow rules, so the tree can be the same whatever the timing. */
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
  const options = researchOptionsIn(search.options);
  // A model that only quotes answers each question by a rule of its own; a person's prompts know nothing of our form.
  const writes = search.model.prose !== false;
  const surveys = options.surveys && writes && !prompts.own.has('root');
  search.closing.reportsOnPause = surveys;
  const together =
    options.together &&
    writes &&
    !['document', 'children', 'front-matter'].some((name) => prompts.own.has(name as OwnPrompt));
  return {
    ...search,
    ...options,
    surveys,
    together,
    titles: surveys || together ? new KnownTitles(search.tree) : undefined,
    inRounds,
    prompts,
    askAgain: new Map(),
  };
}
