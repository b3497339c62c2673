import { ThoughtTreeError } from '../../../core/search/errors.ts';
import { USUAL_DEPTH } from '../../../core/search/limits.ts';
import type { SearchFile } from '../../../core/search/search-file.ts';
import type { FindHooks } from '../../../engine/kind/kind-hooks.ts';
import type { ThoughtOptions } from '../face.ts';
import { noStrategy, noTask } from '../messages.ts';
import { findTask as shippedTask } from '../tasks/find-task.ts';
import type { FindTask, Task } from '../tasks/task.ts';
import { DEFAULTS, type PresetName, type ThoughtDefaults, thoughtOptionsIn } from './options.ts';
import { STRATEGIES, STRATEGY_NAMES, type ThoughtStrategy } from './strategies.ts';

/** The settings of a search for a solution: those in search.json, else its task's, else its preset's, else these. */
export interface ThoughtSettings extends Required<ThoughtDefaults> {
  readonly preset: PresetName | undefined;
  readonly task: Task | undefined;
  /** The text that the first thoughts begin with, where that is not the problem. */
  readonly start: string | undefined;
  /** The aspects that usually count in problems of its type. */
  readonly aspects: readonly string[];
  /** Samples per judgement; a best-first search spreads them over its judgements. */
  readonly samplesAtOnce: number;
}

/** The depth of a search for a solution without a depth in search.json: its task's, else its preset's, else the usual. */
export function usualDepth(given: object, find: FindHooks = shippedTask): number {
  const options = given as ThoughtOptions;
  const task = options.task === undefined ? undefined : (find as FindTask)(options.task);
  const preset = options.preset ?? task?.preset;
  return task?.defaults.maxDepth ?? (preset && PRESETS[preset]?.maxDepth) ?? USUAL_DEPTH;
}

/**
 * The settings of a search.
 * @throws ThoughtTreeError `bad-input` if it names an unknown task or strategy
 */
export function settingsFor(file: Pick<SearchFile, 'options' | 'strategy'>, findTask: FindTask): ThoughtSettings {
  const options = thoughtOptionsIn(file);
  const task = options.task === undefined ? undefined : findTask(options.task);
  if (options.task !== undefined && !task) throw new ThoughtTreeError('bad-input', noTask({ task: options.task }));
  const preset = options.preset ?? task?.preset;
  const { aspects = [], ...fromPreset } = preset === undefined ? {} : PRESETS[preset];
  const given = withoutMissing({ ...options, maxDepth: file.options.maxDepth, strategy: strategyOf(file) });
  const usual = { ...DEFAULTS, maxDepth: USUAL_DEPTH, ...fromPreset, ...task?.defaults };
  const merged = { ...usual, ...task?.defaultsWith?.[given.strategy ?? usual.strategy], ...given };
  const tries = merged.tries ?? STRATEGIES[merged.strategy].tries;
  const samplesAtOnce = merged.strategy === 'best-first' ? 1 : merged.samples;
  return { ...merged, tries, preset, task, start: options.start, aspects, samplesAtOnce };
}

/** `thoughts` means the most suitable strategy. */
function strategyOf({ strategy }: Pick<SearchFile, 'strategy'>): ThoughtStrategy | undefined {
  if (strategy === undefined || strategy === 'thoughts') return undefined;
  const known = STRATEGY_NAMES.find((each) => each === strategy);
  if (known) return known;
  const said = { strategy: strategy.slice(0, 60), strategies: STRATEGY_NAMES.join(', ') };
  throw new ThoughtTreeError('bad-input', noStrategy(said));
}

function withoutMissing<T extends object>(options: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as never;
}

/** A preset: its settings, and what usually counts in such problems, which becomes concrete as their success criteria. */
interface Preset extends ThoughtDefaults {
  readonly aspects: readonly string[];
}

/**
 * The settings of the system that this kind comes from, by type of problem. Its `branching` is the beam of a breadth-first
 * search and the number of thoughts of a depth-first one; if it gives a range, the upper end is used here. It gives no
 * number of thoughts to ask for: 5, as in its example.
 */
const PRESETS: Readonly<Record<PresetName, Preset>> = {
  math_reasoning: {
    strategy: 'breadth-first',
    beam: 5,
    candidates: 5,
    maxDepth: 4,
    threshold: 5,
    evaluation: 'independent_scoring',
    aspects: ['correctness', 'completeness'],
  },
  creative_writing: {
    strategy: 'breadth-first',
    beam: 4,
    candidates: 5,
    maxDepth: 3,
    threshold: 6,
    generation: 'independent_sampling',
    evaluation: 'comparative_voting',
    aspects: ['coherence', 'creativity', 'fit'],
  },
  planning: {
    strategy: 'depth-first',
    beam: 3,
    candidates: 3,
    maxDepth: 5,
    threshold: 5.5,
    evaluation: 'independent_scoring',
    aspects: ['figures that add up', 'feasible with the means given', 'order and dependencies', 'fall-backs'],
  },
  architecture_design: {
    strategy: 'breadth-first',
    beam: 4,
    candidates: 5,
    maxDepth: 3,
    threshold: 6.5,
    evaluation: 'comparative_voting',
    aspects: ['fit', 'simplicity', 'feasibility', 'cost of later changes'],
  },
  debugging: {
    strategy: 'depth-first',
    beam: 3,
    candidates: 3,
    maxDepth: 5,
    threshold: 5,
    evaluation: 'independent_scoring',
    aspects: ['explains every symptom', 'evidence', 'cost of checking'],
  },
};
