import * as z from 'zod';
import {
  optionsSchema,
  renamedOptions,
  type SearchFile,
  SearchOptions,
  valueSchema,
} from '../../core/search/search-file.ts';
import { optionsOf } from '../../engine/kind.ts';
import { THOUGHT_OPTIONS, type ThoughtOptions } from './descriptor.ts';
import type { StrategyName } from './strategy/strategies.ts';

/** The options of a search for a solution in search.json, checked. */
export const thoughtOptionsSchema = optionsSchema(THOUGHT_OPTIONS);

/** Settings that belong together for one type of problem; see `settings.ts`. */
export type PresetName = NonNullable<ThoughtOptions['preset']>;

type Listed = (typeof THOUGHT_OPTIONS)[number];

const preset = THOUGHT_OPTIONS.find(({ name }) => name === 'preset') as Extract<Listed, { name: 'preset' }>;

const strategy = THOUGHT_OPTIONS.find(({ name }) => name === 'strategy') as Extract<Listed, { name: 'strategy' }>;

export const presetSchema = valueSchema(preset) as z.ZodType<PresetName>;
export const taskNameSchema = valueSchema({ name: 'task', type: 'name', help: '' }) as z.ZodType<string>;

/** The options of a search alone, which no task sets. */
const OF_THE_SEARCH: ReadonlySet<string> = new Set<Own>(['preset', 'task', 'taskId', 'start', 'seed']);
type Own = 'preset' | 'task' | 'taskId' | 'start' | 'seed' | 'models' | 'modelsBefore';

/** The defaults that a person's own task may set. */
export const thoughtDefaultsSchema = z.strictObject({
  ...optionsSchema(THOUGHT_OPTIONS.filter(({ name }) => !OF_THE_SEARCH.has(name))).shape,
  strategy: valueSchema(strategy).optional(),
  maxDepth: SearchOptions.shape.maxDepth,
});

type Given = { readonly [K in Exclude<keyof ThoughtOptions, Own>]?: NonNullable<ThoughtOptions[K]> };

/** The defaults of a task or a preset. */
export interface ThoughtDefaults extends Given {
  readonly strategy?: StrategyName;
  readonly maxDepth?: number;
}

/** The defaults if neither a person nor a task nor a preset sets anything. A search that names no strategy is one from before drafts. */
export const DEFAULTS = Object.fromEntries([
  ...THOUGHT_OPTIONS.flatMap((option) => ('default' in option ? [[option.name, option.default]] : [])),
  ['strategy', 'breadth-first'],
]) as unknown as Required<Omit<ThoughtDefaults, 'tries' | 'maxDepth'>>;

const NAMES = THOUGHT_OPTIONS.map(({ name }) => name);

/**
 * Only this kind's options in search.json.
 * @throws ThoughtTreeError `damaged` saying which one is invalid
 */
export function thoughtOptionsIn(file: Pick<SearchFile, 'options'>): ThoughtOptions {
  const options = renamedOptions(THOUGHT_OPTIONS, optionsOf({ options: thoughtOptionsSchema }, file));
  return Object.fromEntries(NAMES.flatMap((name) => (options[name] === undefined ? [] : [[name, options[name]]])));
}

/** All options of such a search in search.json, in the order in which they are written. */
export const allThoughtOptions = SearchOptions.extend(thoughtOptionsSchema.shape);
