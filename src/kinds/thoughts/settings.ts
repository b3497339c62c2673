import type { FindTask, Task } from '../../core/ports/task.ts';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import type { SearchFile } from '../../core/search/search-file.ts';
import { type PresetName, type ThoughtDefaults, ThoughtStrategy } from '../../core/search/thought-options.ts';
import { PRESETS } from './presets.ts';

/** How a search for a solution goes about it: what search.json says, else its task, else its preset, else these. */
export interface ThoughtSettings extends Required<ThoughtDefaults> {
  readonly preset: PresetName | undefined;
  readonly task: Task | undefined;
  readonly criteria: readonly string[];
  /** Samples that one judgement takes at once; a best-first search spreads them over its judgements. */
  readonly samplesAtOnce: number;
}

const DEFAULTS: Required<Omit<ThoughtDefaults, 'tries'>> = {
  strategy: 'breadth-first',
  maxDepth: 4,
  candidates: 5,
  beam: 3,
  threshold: 5,
  generation: 'sequential_proposal',
  evaluation: 'independent_scoring',
  samples: 1,
  judge: 'layer',
  adaptive: false,
};
/** What binds a search for a solution whose search.json names no depth: its task's, else its preset's, else the usual. */
export function usualDepth(options: SearchFile['options'], findTask: FindTask): number {
  const task = options.task === undefined ? undefined : findTask(options.task);
  const preset = options.preset ?? task?.preset;
  return task?.defaults.maxDepth ?? (preset && PRESETS[preset].maxDepth) ?? DEFAULTS.maxDepth;
}

const CRITERIA = ['correctness', 'progress', 'feasibility'];
/** A breadth-first search keeps enough beside it; the others go back to a node, best-first for less each time. */
const TRIES: Record<ThoughtStrategy, number> = { 'breadth-first': 1, 'depth-first': 3, 'best-first': 8 };

/**
 * The settings of a search.
 * @throws ThoughtTreeError `bad-input` where it names a task or a strategy that is not there
 */
export function settingsFor(file: Pick<SearchFile, 'options' | 'strategy'>, findTask: FindTask): ThoughtSettings {
  const { options } = file;
  const task = options.task === undefined ? undefined : findTask(options.task);
  if (options.task !== undefined && !task)
    throw new ThoughtTreeError(
      'bad-input',
      `There is no task "${options.task}" here. One of your own is given by --hooks or your settings, its command by --check.`,
    );
  const preset = options.preset ?? task?.preset;
  const { criteria = CRITERIA, ...fromPreset } = preset === undefined ? {} : PRESETS[preset];
  const given = withoutMissing({ ...options, strategy: strategyOf(file) });
  const usual = { ...DEFAULTS, ...fromPreset, ...task?.defaults };
  const merged = { ...usual, ...task?.defaultsWith?.[given.strategy ?? usual.strategy], ...given };
  const { strategy, maxDepth, candidates, beam, threshold, generation, evaluation, samples, judge, adaptive } = merged;
  const tries = merged.tries ?? TRIES[strategy];
  const common = { candidates, beam, threshold, generation, evaluation, samples, judge, adaptive, tries };
  const samplesAtOnce = strategy === 'best-first' ? 1 : samples;
  return { strategy, maxDepth, ...common, preset, task, criteria, samplesAtOnce };
}

/** `thoughts` stands for the strategy that suits best. */
function strategyOf({ strategy }: Pick<SearchFile, 'strategy'>): ThoughtStrategy | undefined {
  if (strategy === undefined || strategy === 'thoughts') return undefined;
  const known = ThoughtStrategy.safeParse(strategy);
  if (known.success) return known.data;
  const names = ThoughtStrategy.options.join(', ');
  throw new ThoughtTreeError('bad-input', `There is no strategy "${strategy.slice(0, 60)}", only ${names}.`);
}

function withoutMissing<T extends object>(options: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as never;
}
