import type { ExpectedCalls } from '../../core/money/expected-calls.ts';
import { type KindForecast, MOST_EXPANSIONS, type Part, type PartsRequest } from '../../core/money/forecast.ts';
import { isThoughtTreeError } from '../../core/search/errors.ts';
import type { SearchFile } from '../../core/search/search-file.ts';
import type { PresetName } from './options.ts';
import { thoughtPurposes } from './purposes.ts';
import { settingsFor, type ThoughtSettings } from './settings.ts';
import { STEPS_A_DRAFT } from './strategy/drafts.ts';
import { factsOf } from './strategy/strategies.ts';
import { MOST_JUDGED } from './strategy/thought-strategy.ts';
import { findTask } from './tasks/find-task.ts';

export const thoughtForecast: KindForecast = {
  parts,
  most,
  purposes: thoughtPurposes,
  ofNode: ['evaluate', 'generate'],
};

/** A whole search: calls for thoughts and for judgements, as its strategy usually makes them. */
interface Course {
  readonly generate: number;
  readonly evaluate: number;
  /** Comparisons of whole solutions, where one can be better than another. */
  readonly compare: number;
}

/** Returns as many calls as searches with this strategy usually make until they have a solution. */
function parts(request: PartsRequest, expected: ExpectedCalls): Part[] {
  const settings = settingsIn(request);
  if (settings.writesDrafts) return draftParts(request, settings, expected, false);
  const room = Math.min(request.expansions, MOST_EXPANSIONS);
  const usual = usualCourse(settings, room, request.maxDepth);
  const highest = longestCourse(settings, room, request.maxDepth);
  const count = (purpose: keyof Course, name: string = purpose): number => {
    const whole = Math.min(expected.perSearch(name, usual[purpose]), highest[purpose] + expected.made(name));
    return room > 0
      ? Math.max(Math.min(purpose === 'compare' ? 0 : 1, highest[purpose]), whole - expected.made(name))
      : 0;
  };
  const course = {
    generate: count('generate'),
    evaluate: count('evaluate'),
    compare: count('compare', 'compare-solutions'),
  };
  return asParts(request, settings, course, expected);
}

/** Everything that its size and depth allow: no path leads to a solution before. */
function most(request: PartsRequest, expected: ExpectedCalls): Part[] {
  const settings = settingsIn(request);
  if (settings.writesDrafts) return draftParts(request, settings, expected, true);
  const room = Math.min(request.expansions, MOST_EXPANSIONS);
  return asParts(request, settings, longestCourse(settings, room, request.maxDepth), expected);
}

/** Drafts after the first ones that searches usually make, however large: by then nothing got better for a while. */
const USUAL_FURTHER = 6;
/** Tokens of a comparison of two drafts, and of the last version of one. */
const COMPARED = { prompt: 8000, completion: 900, cached: 0 };
const LAST_VERSION = { prompt: 4500, completion: 3600, cached: 0 };

/** Returns the calls of a search of drafts: each draft is written and read; then two are compared, and the best is written once more. */
function draftParts(
  { expansions, hasOpening }: PartsRequest,
  { candidates, repairs }: ThoughtSettings,
  expected: ExpectedCalls,
  atMost: boolean,
): Part[] {
  const made = expected.made('write-draft');
  const begun = Math.max(0, made - candidates + 1);
  const further = Math.max(0, Math.floor(Math.min(expansions + begun, MOST_EXPANSIONS) / STEPS_A_DRAFT) - 1);
  const whole = candidates + (atMost ? further : Math.min(further, USUAL_FURTHER));
  const drafts = atMost ? whole : Math.min(candidates + further, expected.perSearch('write-draft', whole));
  const left = Math.max(0, drafts - made);
  // At most, each reader would act on its draft, and each second one would not.
  const reads = Math.max(0, (atMost ? 2 : 1) * drafts - expected.made('read-draft'));
  const found: Part[] = [
    { purpose: 'write-draft', depth: 1, count: left },
    { purpose: 'read-draft', depth: 1, count: reads },
    {
      purpose: 'compare-solutions',
      depth: 1,
      count: Math.max(0, 2 - expected.made('compare-solutions')),
      guess: COMPARED,
    },
  ];
  if (hasOpening && repairs > 0) found.push({ purpose: 'synthesize', depth: 0, count: 1, guess: LAST_VERSION });
  return found.filter(({ count }) => count > 0);
}

function asParts(
  { open, hasOpening }: PartsRequest,
  { task, repairs }: ThoughtSettings,
  { generate, evaluate, compare }: Course,
  expected: ExpectedCalls,
): Part[] {
  const isBegun = open !== undefined || expected.made('decompose') > 0;
  const found: Part[] = isBegun || task?.decomposition ? [] : [{ purpose: 'decompose', depth: 0, count: 1 }];
  found.push({ purpose: 'generate', depth: 1, count: generate }, { purpose: 'evaluate', depth: 1, count: evaluate });
  if (compare > 0) found.push({ purpose: 'compare-solutions', depth: 1, count: compare });
  if (!hasOpening || task?.compose) return found;
  const reviews = task?.solved ? 0 : repairs;
  found.push({ purpose: 'synthesize', depth: 0, count: 1 + reviews });
  if (reviews > 0) found.push({ purpose: 'review', depth: 0, count: reviews });
  return found;
}

function usualCourse(settings: ThoughtSettings, room: number, maxDepth: number): Course {
  const { strategy, beam } = settings;
  const levels = Math.max(0, maxDepth - 1);
  const wanted = factsOf(strategy).perLevel(beam) * levels;
  const expansions = Math.min(room, wanted);
  const more = around(settings);
  return {
    generate: (1 + expansions) * callsForThoughts(settings) + more.generate,
    evaluate: judgements(settings, expansions, maxDepth) + more.evaluate,
    compare: more.compare,
  };
}

function longestCourse(settings: ThoughtSettings, room: number, maxDepth: number): Course {
  const { candidates, tries, samplesAtOnce } = settings;
  let all = 0;
  for (let depth = 1, width = candidates * tries; depth < maxDepth && all < room; depth++, width *= candidates * tries)
    all += width;
  const expansions = 1 + Math.min(room, tries * (1 + all));
  const more = settings.generation === 'independent_sampling' ? 1 : 0; // for what was drawn twice
  // Without a check no thought is refused.
  const isChecked = settings.task?.verify ?? settings.task?.solved;
  const mended = isChecked ? settings.repairs * callsForThoughts(settings) : 0;
  // The grading of solutions is only known once the problem was taken apart, whatever its preset.
  const whole = around(settings, true);
  // A claim that is refuted may follow each judgement.
  const verdicts = whole.evaluate > 0 ? expansions : 0;
  return {
    generate: expansions * (callsForThoughts(settings) + more + mended) + whole.generate,
    evaluate: expansions * samplesAtOnce + verdicts + whole.evaluate,
    compare: 2 * whole.compare,
  };
}

/** Presets of problems whose solutions are better or worse rather than right or wrong. */
const GRADED: ReadonlySet<PresetName> = new Set<PresetName>(['planning', 'creative_writing', 'architecture_design']);

/**
 * Calls around whole solutions: a second judgement of one, where no task decides; where they are graded, another way
 * completed, two of them compared in both orders, and what they are combined to.
 */
function around({ task, preset }: ThoughtSettings, mayBeGraded = false): Course {
  if (task?.solved) return { generate: 0, evaluate: 0, compare: 0 };
  const isGraded = mayBeGraded || (preset !== undefined && GRADED.has(preset));
  return isGraded ? { generate: 2, evaluate: 4, compare: 2 } : { generate: 0, evaluate: 1, compare: 0 };
}

/** Calls for the thoughts below one node. */
function callsForThoughts({ generation, candidates }: ThoughtSettings): number {
  return generation === 'independent_sampling' ? candidates : 1;
}

function judgements(settings: ThoughtSettings, expansions: number, maxDepth: number): number {
  const { strategy, judge, samplesAtOnce, beam, candidates } = settings;
  if (!factsOf(strategy).judgesLayers || judge !== 'layer') return (1 + expansions) * samplesAtOnce;
  const layers = Math.min(maxDepth, 1 + expansions / beam);
  return layers * Math.ceil((beam * candidates) / MOST_JUDGED) * samplesAtOnce;
}

/** Returns the settings of a search; of a task that only this person has, nothing but the options is known here. */
function settingsIn({ options, strategy }: PartsRequest): ThoughtSettings {
  const given = options as SearchFile['options'];
  const file = { options: given, ...(strategy === undefined ? {} : { strategy }) };
  try {
    return settingsFor(file, findTask);
  } catch (error) {
    if (!isThoughtTreeError(error)) throw error;
    const { task: _, ...rest } = given;
    return settingsFor({ ...file, options: rest }, findTask);
  }
}
