import { optionsSchema } from '../../core/kind/option-schema.ts';
import { RESEARCH_OPTIONS, type ResearchOptions } from './face.ts';

/** Checks the options of a research search in search.json. */
export const researchOptionsSchema = optionsSchema(RESEARCH_OPTIONS);

/** The options in force: the given ones, else the defaults. */
export function researchOptionsIn(options: object): { maxChildren: number; picker: Picker } {
  const { maxChildren = 50, picker = 'ranked' } = options as ResearchOptions;
  return { maxChildren, picker };
}

/** How the next node is chosen: ranked ahead of need, or one call for each leaf. */
export type Picker = NonNullable<ResearchOptions['picker']>;
