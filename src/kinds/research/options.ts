import { optionsSchema } from '../../core/kind/option-schema.ts';
import { RESEARCH_OPTIONS, type ResearchOptions } from './face.ts';

/** Checks the options of a research search in search.json. */
export const researchOptionsSchema = optionsSchema(RESEARCH_OPTIONS);

/** The form that a new search writes down where nothing is said; a search that says nothing is of the source's form. */
export const NEW_FORM = {
  rootSession: 'survey',
  subtopics: 'together',
  leastScore: 4,
} as const satisfies ResearchOptions;

/** The way in which the next node is chosen: ranked ahead of need, or by one call for each leaf. */
export type Picker = NonNullable<ResearchOptions['picker']>;

/** The options in force. */
export interface OptionsInForce {
  readonly maxChildren: number;
  readonly picker: Picker;
  /** The first level is forked from a conversation that surveyed the workspace and answered provisionally. */
  readonly surveys: boolean;
  /** A document ends with its subtopics. */
  readonly together: boolean;
  /** The least that a topic below the first level must be expected to add, 0 to 10, to be worked on unasked. */
  readonly leastScore: number;
}

/** Returns the options in force: the given ones, else the defaults. */
export function researchOptionsIn(options: object): OptionsInForce {
  const { maxChildren = 50, picker = 'ranked', rootSession, subtopics, leastScore = 0 } = options as ResearchOptions;
  return { maxChildren, picker, surveys: rootSession === 'survey', together: subtopics === 'together', leastScore };
}
