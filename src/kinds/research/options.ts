import { optionsSchema } from '../../core/search/option-schema.ts';
import { RESEARCH_OPTIONS, type ResearchOptions } from './face.ts';

/** Checks what search.json says of a research search. */
export const researchOptionsSchema = optionsSchema(RESEARCH_OPTIONS);

/** How a research search goes about it: what was said, else what is usual. */
export function researchOptionsIn(options: object): { maxChildren: number; picker: Picker } {
  const { maxChildren = 50, picker = 'ranked' } = options as ResearchOptions;
  return { maxChildren, picker };
}

/** How the next node is chosen: ranked ahead of need, or one call for each leaf. */
export type Picker = NonNullable<ResearchOptions['picker']>;
