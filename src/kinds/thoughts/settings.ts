import * as z from 'zod';
import type { FindHooks } from '../../core/kind/kind-hooks.ts';
import { type Member, MOST_MEMBERS, ModelWorth, membersIn } from '../../core/money/several-models.ts';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import { USUAL_DEPTH } from '../../core/search/limits.ts';
import { renamedOptions, type SearchFile, withoutMissing } from '../../core/search/search-file.ts';
import { digest, oneLine } from '../../core/text/text.ts';
import type { Asked } from '../../engine/kind.ts';
import { THOUGHT_OPTIONS, type ThoughtOptions } from './descriptor.ts';
import { draftsWithTask, noStrategy, noTask, notModels } from './messages.ts';
import { DEFAULTS, type PresetName, type ThoughtDefaults, thoughtOptionsIn } from './options.ts';
import { factsOf, STRATEGY_NAMES, type StrategyName } from './strategy/strategies.ts';
import { findTask as shippedTask } from './tasks/find-task.ts';
import type { FindTask, Task } from './tasks/task.ts';

/** The settings of a search for a solution: those in search.json, else its task's, else its preset's, else these. */
export interface ThoughtSettings extends Required<Omit<ThoughtDefaults, 'stopAfter' | 'pointWorth'>> {
  /** The seed of strategies that draw; 0 in a search from before there were any. */
  readonly seed: number;
  /** Calls without a better score after which it ends; undefined if it does not. */
  readonly stopAfter: number | undefined;
  /** Dollars that a point of score is worth; undefined if nobody said. */
  readonly pointWorth: number | undefined;
  /** Several models that make its thoughts; empty where one does. */
  readonly models: readonly Member[];
  /** Their worth in earlier searches of whoever began it. */
  readonly modelsBefore: readonly ModelWorth[];
  readonly preset: PresetName | undefined;
  readonly task: Task | undefined;
  /** The text that the first thoughts begin with, where that is not the problem. */
  readonly start: string | undefined;
  /** The aspects that usually count in problems of its type. */
  readonly aspects: readonly string[];
  /** Its thoughts are whole drafts of the answer. */
  readonly writesDrafts: boolean;
  /** Samples per judgement: one where the strategy spreads them over its judgements. */
  readonly samplesAtOnce: number;
}

/**
 * Returns the depth of a search for a solution without a depth in search.json: its task's, else its preset's, else the
 * usual.
 */
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
  const ofType = { ...DEFAULTS, maxDepth: USUAL_DEPTH, ...fromPreset };
  const writesDrafts = factsOf(given.strategy ?? task?.defaults.strategy ?? ofType.strategy).writesDrafts === true;
  if (writesDrafts && task) throw new ThoughtTreeError('bad-input', draftsWithTask());
  const usual = { ...ofType, ...(writesDrafts && OF_DRAFTS), ...task?.defaults };
  const merged = { ...usual, ...task?.defaultsWith?.[given.strategy ?? usual.strategy], ...given };
  const facts = factsOf(merged.strategy);
  const samplesAtOnce = facts.spreadsSamples ? 1 : merged.samples;
  const { stopAfter, pointWorth } = merged;
  const { models, modelsBefore } = severalModels(options);
  // A dearer model has its turn where a cheaper one made nothing that stands, whatever the strategy.
  const tries = merged.tries ?? Math.max(facts.tries, models.length);
  const own = { seed: options.seed ?? 0, start: options.start, stopAfter, pointWorth, models, modelsBefore };
  return { ...merged, ...own, tries, preset, task, aspects, samplesAtOnce, writesDrafts };
}

/** @throws ThoughtTreeError `bad-input` if models are named in a form that nobody can read */
function severalModels({ models, modelsBefore }: ThoughtOptions): Pick<ThoughtSettings, 'models' | 'modelsBefore'> {
  const members = models === undefined ? [] : membersIn(models);
  if (!members) throw new ThoughtTreeError('bad-input', notModels({ models: oneLine(models ?? '', 200) }));
  const before = modelsBefore === undefined ? undefined : ModelWorths.safeParse(parsed(modelsBefore)).data;
  return { models: members, modelsBefore: before ?? [] };
}

const ModelWorths = z.array(ModelWorth).max(MOST_MEMBERS);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** `thoughts` means the most suitable strategy. */
function strategyOf({ strategy }: Pick<SearchFile, 'strategy'>): StrategyName | undefined {
  if (strategy === undefined || strategy === 'thoughts') return undefined;
  const known = STRATEGY_NAMES.find((each) => each === strategy);
  if (known) return known;
  const said = { strategy: strategy.slice(0, 60), strategies: STRATEGY_NAMES.join(', ') };
  throw new ThoughtTreeError('bad-input', noStrategy(said));
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

/** The settings of a search of drafts, whatever the problem: no score takes a draft out, and the best is the answer. */
const OF_DRAFTS: ThoughtDefaults = {
  candidates: 3,
  maxDepth: 12,
  threshold: 0,
  generation: 'independent_sampling',
  evaluation: 'independent_scoring',
  stopAfter: 8,
};

/** Options that only mean something for steps: whoever sets one gets these. */
const OF_STEPS = ['task', 'beam', 'generation', 'evaluation', 'judge', 'beamFollowsScores'] as const;

/** Tells whether a new search is one of drafts, where nobody names a strategy: a solution of such problems is judged as a whole. */
function isOfDrafts(options: ThoughtOptions): boolean {
  const isWhole = options.preset === undefined || WHOLE.has(options.preset);
  return isWhole && OF_STEPS.every((name) => options[name] === undefined);
}

const WHOLE: ReadonlySet<PresetName> = new Set<PresetName>(['planning', 'architecture_design', 'debugging']);

/**
 * The contents of search.json of a new search for a solution. Depth and strategy are written explicitly, by default those
 * of the task and the preset.
 * @throws ThoughtTreeError `bad-input` if there is no such task, or it rejects the problem
 */
export function beginThoughts({
  prompt,
  options,
  strategy,
  findHooks,
}: Asked): Pick<SearchFile, 'strategy' | 'options'> {
  const asked = strategy ?? (isOfDrafts(thoughtOptionsIn({ options })) ? 'drafts' : undefined);
  const settings = settingsFor({ options, strategy: asked }, (findHooks as FindTask | undefined) ?? shippedTask);
  settings.task?.start?.(prompt); // throws, saying what a problem of the task looks like
  const { strategy: chosen } = settings;
  const isDrawn = factsOf(chosen).draws || settings.models.length > 0;
  const seed = isDrawn && options['seed'] === undefined ? { seed: seedFor(prompt) } : {};
  const named = renamedOptions(THOUGHT_OPTIONS, options);
  return { strategy: chosen, options: { ...named, maxDepth: options.maxDepth ?? settings.maxDepth, ...seed } };
}

/** Returns the seed of a problem, where nobody names one: the same problem is drawn for in the same way. */
function seedFor(prompt: string): number {
  return Number.parseInt(digest(prompt).slice(0, 7), 16);
}
