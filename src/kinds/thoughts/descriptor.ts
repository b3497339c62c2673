import type { ActionDescriptors } from '../../core/actions/action-descriptor.ts';
import { ACTIONS } from '../../core/actions/actions.ts';
import { notDivided } from '../../core/actions/messages.ts';
import {
  type KindDescriptor,
  type Look,
  lookOfStatus,
  type NodeView,
  type OptionDescriptor,
  type OptionsOf,
  PLAIN_DESCRIPTOR,
} from '../../core/kind/kind-descriptor.ts';
import { MODELS_OPTION, WORTH_OPTION } from '../../core/money/several-models.ts';
import { duplicateNeedsNoJudge, solvedNeedsNoJudge } from './messages.ts';
import { thoughtPurposes } from './purposes.ts';
import { STRATEGY_NAMES } from './strategy/strategies.ts';

/** An option that a search is begun with, and that may be changed while it is there. */
export const CANDIDATES = {
  name: 'candidates',
  type: 'integer',
  least: 1,
  most: 50,
  help: 'how many thoughts to ask for at one node',
} as const;
const THRESHOLD = {
  name: 'threshold',
  type: 'number',
  least: 0,
  most: 10,
  help: 'prune thoughts with a lower score, from 0 to 10',
} as const;

/** Actions that differ for thoughts: a thought's text is made by its parent, so redoing it means judging it again. */
const THOUGHT_ACTIONS: ActionDescriptors = {
  add: {
    ...ACTIONS.add,
    title: 'Add thought…',
    help: 'add a thought of your own, which comes next',
  },
  combine: {
    name: 'combine',
    isRare: true,
    on: 'node',
    title: 'Combine with…',
    help: 'make one thought of this one and up to three others',
    args: [
      {
        name: 'with',
        type: 'text',
        required: true,
        help: 'the others, by their ids or slug paths',
        most: 4000,
      },
    ],
    waitsForRun: true,
    startsRun: true,
    when: (_search, node) =>
      node !== undefined && !node.isCutOff && node.status !== 'pruned' && node.status !== 'failed',
  },
  reconsider: {
    name: 'reconsider',
    isRare: true,
    on: 'search',
    title: 'Reconsider…',
    help: 'judge what was pruned again, or ask for more thoughts',
    args: [THRESHOLD, CANDIDATES],
    waitsForRun: true,
    startsRun: true,
    when: ({ isDivided }) => isDivided || notDivided,
  },
  'another-solution': {
    name: 'another-solution',
    on: 'search',
    title: 'Find another solution',
    help: 'look for one more solution, besides those that were found',
    args: [],
    waitsForRun: true,
    startsRun: true,
    when: ({ isDivided, state }) => (isDivided ? state === 'finished' : notDivided),
  },
  redo: {
    ...ACTIONS.redo,
    isRare: true,
    leads: false,
    title: 'Judge again',
    help: 'judge a thought again, or ask for other next thoughts',
    when: (search, node) => {
      const when = ACTIONS.redo.when(search, node);
      if (typeof when !== 'boolean') return when;
      if (node?.leafReason === 'solved') return solvedNeedsNoJudge;
      return node?.leafReason === 'duplicate' ? duplicateNeedsNoJudge : when;
    },
  },
};

export const THOUGHT_OPTIONS = [
  {
    name: 'preset',
    type: 'choice',
    choices: ['math_reasoning', 'creative_writing', 'planning', 'architecture_design', 'debugging'],
    value: 'name',
    help: 'settings for a type of problem',
  },
  { name: 'task', type: 'name', value: 'name', help: 'a task that checks steps and writes the answer, as game24' },
  {
    name: 'strategy',
    field: 'strategy',
    type: 'choice',
    choices: STRATEGY_NAMES,
    default: 'drafts',
    value: 'name',
    help: 'which node comes next; drafts are whole answers, the others are of steps',
  },
  { ...CANDIDATES, default: 5, value: 'k' },
  {
    name: 'beam',
    type: 'integer',
    least: 1,
    most: 50,
    default: 3,
    value: 'b',
    help: 'how many thoughts of one layer to continue together',
  },
  { ...THRESHOLD, default: 5, value: 'score' },
  {
    name: 'generation',
    type: 'choice',
    choices: ['independent_sampling', 'sequential_proposal'],
    default: 'sequential_proposal',
    value: 'way',
    help: 'all in one call, or one per call',
  },
  {
    name: 'evaluation',
    type: 'choice',
    choices: ['independent_scoring', 'comparative_voting'],
    default: 'independent_scoring',
    value: 'way',
    help: 'each separately, or compared',
  },
  {
    name: 'samples',
    type: 'integer',
    least: 1,
    most: 20,
    default: 1,
    value: 'n',
    help: 'judgements per thought, which are averaged',
    perRun: true,
    bounded: true,
  },
  {
    name: 'judge',
    type: 'choice',
    choices: ['layer', 'parent'],
    default: 'layer',
    flag: 'judge-by',
    value: 'group',
    help: 'what one call judges (default: layer)',
  },
  {
    name: 'beamFollowsScores',
    type: 'boolean',
    default: false,
    formerly: 'adaptive',
    help: 'let the beam follow the scores',
  },
  // By default it follows from the strategy.
  { name: 'tries', type: 'integer', least: 1, most: 20, value: 'n', help: 'how often one node is asked' },
  {
    name: 'repairs',
    type: 'integer',
    least: 0,
    most: 5,
    default: 1,
    value: 'n',
    help: 'how often thoughts that a check refused, and an answer in which a reader found defects, are given back to be mended',
  },
  {
    name: 'stopAfter',
    type: 'integer',
    least: 1,
    most: 100_000,
    value: 'n',
    help: 'end once so many calls brought nothing better',
    perRun: true,
  },
  {
    name: 'pointWorth',
    type: 'number',
    least: 0,
    most: 1_000_000,
    value: 'dollars',
    help: 'what a point of score is worth: end once the next call is expected to bring less than it costs',
    perRun: true,
  },
  {
    name: 'onStall',
    type: 'choice',
    choices: ['end', 'ask'],
    default: 'end',
    value: 'what',
    help: 'what comes then: the end, or a pause that says what going on costs',
    perRun: true,
  },
  // By default it follows from the problem.
  {
    name: 'seed',
    type: 'integer',
    least: 0,
    most: 2_147_483_647,
    value: 'n',
    help: 'what strategies that draw begin with; another number draws otherwise',
  },
  {
    name: MODELS_OPTION,
    type: 'text',
    most: 3000,
    value: 'a,b,c',
    help: 'several models that share the thoughts, each maybe with the most dollars it may spend, as in b=0.50',
    forPeople: true,
    perRun: true,
  },
  // Their worth in earlier searches of whoever began this one.
  { name: WORTH_OPTION, type: 'text', most: 10_000, help: 'what they were worth before', hidden: true },
  // The name of an imported search where it comes from, and its root's text where that is not the problem.
  { name: 'taskId', type: 'text', most: 1000, help: 'its id elsewhere', hidden: true },
  { name: 'start', type: 'text', most: 100_000, help: 'its first state', hidden: true },
] as const satisfies readonly OptionDescriptor[];

/** The options of a search for a solution in search.json, in addition to those of all kinds. */
export type ThoughtOptions = OptionsOf<typeof THOUGHT_OPTIONS>;

/** The name of the exchange format of this kind's searches. */
export const THOUGHT_TREE = 'thought-tree';

/** "Solve a problem": a tree of thoughts, proposed, judged, and the best of them continued. */
export const thoughtsDescriptor: KindDescriptor = {
  ...PLAIN_DESCRIPTOR,
  name: 'thoughts',
  purposes: thoughtPurposes,
  words: {
    title: 'Solve a problem',
    detail: 'Thoughts are proposed and scored, and the best are continued, up to a solution.',
    icon: 'lightbulb',
    about: 'solve a problem',
    question: 'What is the problem?',
    example: '4 9 10 13',
    node: 'thought',
    nodes: 'thoughts',
    one: '1 thought',
    several: '{0} thoughts',
    progress: '{0} done, {1} open',
    untouched: '{0} open',
    label: 'Thoughts',
    addNode: 'Add a thought',
    addPrompt: 'What is the next step?',
    whichNode: 'Which thought?',
    notOneNode: 'This can be done with a thought, not with a whole search.',
    findNodes: 'Find thoughts',
    beginning: 'Looking for the first thoughts',
    planning: 'Decomposing the problem',
    planned: 'This is the decomposition of the problem.',
    finished: '"{0}" is finished: {1}.',
    solved: '"{0}" is finished: a solution in {1}.',
    reached: 'solved',
  },
  options: THOUGHT_OPTIONS,
  questions: [
    {
      title: 'What type of problem is it?',
      answers: [
        { label: 'Any problem', detail: 'Whole drafts of the answer: read, written again, and compared.', sets: {} },
        {
          label: 'Game of 24',
          detail: 'Four numbers, as in 4 9 10 13; each step is checked.',
          sets: { task: 'game24' },
        },
        {
          label: 'Mathematics',
          detail: 'Many paths at once; low scores are pruned early.',
          sets: { preset: 'math_reasoning' },
        },
        {
          label: 'Creative writing',
          detail: 'Drafts are compared with each other.',
          sets: { preset: 'creative_writing' },
        },
        {
          label: 'Planning',
          detail: 'Whole plans, read by somebody who would have to carry them out, and written again.',
          sets: { preset: 'planning' },
        },
        {
          label: 'Architecture and design',
          detail: 'Whole designs: fit, simplicity; read, and written again.',
          sets: { preset: 'architecture_design' },
        },
        {
          label: 'Debugging',
          detail: 'Whole explanations with a mend: held against every symptom, and written again.',
          sets: { preset: 'debugging' },
        },
      ],
    },
  ],
  guess: (question) => (isGame24(question) ? { task: 'game24' } : TO_SOLVE.test(question) ? {} : undefined),
  actions: THOUGHT_ACTIONS,
  look: lookOfThought,
  formats: [THOUGHT_TREE],
  traits: {
    ...PLAIN_DESCRIPTOR.traits,
    needsProse: true,
    takesHooks: true,
    quotesOnly: true,
    isComparable: true,
    depthFollows: true,
    isUnforeseeable: true,
  },
};

const TO_SOLVE =
  /^\s*(?:please )?(?:solve|crack)\b.{0,60}\b(?:puzzle|riddle|equation)\b|(?:解开|解决)这?个?谜|パズルを解/i;

/** The words that ask for 24 beside four numbers. */
const TO_MAKE =
  /\b(?:mak(?:e|es|ing)|get(?:ting)?|reach|obtain|equals?|puzzle|game|solve)\b|=|凑|算|得|点|做|作|なる|する|ゲーム/i;

/** The number of numbers in a problem. */
const NUMBERS = 4;
const RUN_OF_NUMBERS = /(?<![\d.])\d{1,3}(?:[\s,]+\d{1,3})*(?![\d.])/g;

/** Returns the four whole numbers in a text that names no others, except for 24 itself. */
export function fourNumbersIn(problem: string): number[] | undefined {
  const text = problem
    .slice(0, 1000)
    .normalize('NFKC')
    .replace(/[、;]/g, ',')
    .replace(/,?(?<!\s)\s*\band\b|和|と/g, ',');
  const runs = (text.match(RUN_OF_NUMBERS) ?? []).map((run) => run.split(/[\s,]+/).map(Number));
  const fours = runs.filter((run) => run.length === NUMBERS);
  const others = runs.filter((run) => run.length !== NUMBERS && !(run.length === 1 && run[0] === 24));
  return fours.length === 1 && others.length === 0 ? fours[0] : undefined;
}

/** Tells whether it is four numbers alone, or asks to make 24 from them. */
function isGame24(question: string): boolean {
  if (/^\s*\d{1,3}(?:[\s,]+\d{1,3}){3}\s*$/.test(question)) return true;
  return (
    question.length < 200 &&
    /(?<!\d)24(?!\d)/.test(question) &&
    TO_MAKE.test(question) &&
    fourNumbersIn(question) !== undefined
  );
}

function lookOfThought(node: NodeView): Look {
  if (node.sameAs !== undefined) return { glyph: 'merged', tone: 'dim' };
  if (node.selected === false && node.status === 'unexpanded') return { glyph: 'aside', tone: 'plain' };
  return lookOfStatus(node);
}
