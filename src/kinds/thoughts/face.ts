import type { Look } from '../../core/kind/kind-drawing.ts';
import {
  type KindFace,
  lookOfStatus,
  type NodeView,
  type OptionFace,
  type OptionsOf,
} from '../../core/kind/kind-face.ts';
import { CANDIDATES, THOUGHT_ACTIONS, THRESHOLD } from './actions/action-faces.ts';
import { thoughtPurposes } from './purposes.ts';
import { STRATEGY_NAMES } from './settings/strategies.ts';

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
    default: 'breadth-first',
    value: 'name',
    help: 'which node comes next',
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
  { name: 'adaptive', type: 'boolean', default: false, help: 'let the beam follow the scores' },
  // By default it follows from the strategy.
  { name: 'tries', type: 'integer', least: 1, most: 20, value: 'n', help: 'how often one node is asked' },
  // The name of an imported search where it comes from, and its root's text where that is not the problem.
  { name: 'taskId', type: 'text', most: 1000, help: 'its id elsewhere', hidden: true },
  { name: 'start', type: 'text', most: 100_000, help: 'its first state', hidden: true },
] as const satisfies readonly OptionFace[];

/** The options of a search for a solution in search.json, in addition to those of all kinds. */
export type ThoughtOptions = OptionsOf<typeof THOUGHT_OPTIONS>;

/** The name of the exchange format of this kind's searches. */
export const THOUGHT_TREE = 'thought-tree';

/** "Solve a problem": a tree of thoughts, proposed, judged, and the best of them continued. */
export const thoughtsFace: KindFace = {
  name: 'thoughts',
  purposes: thoughtPurposes,
  quotesOnly: true,
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
    progress: '{0}, {1} not looked into',
    untouched: '{0} not looked into',
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
        { label: 'Any problem', detail: 'Breadth first, judged by correctness and progress.', sets: {} },
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
          detail: 'One plan to its end, then back to where another may be better.',
          sets: { preset: 'planning' },
        },
        {
          label: 'Architecture and design',
          detail: 'Designs are compared: fit, simplicity.',
          sets: { preset: 'architecture_design' },
        },
        {
          label: 'Debugging',
          detail: 'One suspect after the other, the most plausible first.',
          sets: { preset: 'debugging' },
        },
        {
          label: 'Game of 24',
          detail: 'Four numbers, as in 4 9 10 13; each step is checked.',
          sets: { task: 'game24' },
        },
      ],
    },
  ],
  actions: THOUGHT_ACTIONS,
  look: lookOfThought,
  needsProse: true,
  takesHooks: true,
  isComparable: true,
  formats: [THOUGHT_TREE],
  depthFollows: true,
  isUnforeseeable: true,
};

function lookOfThought(node: NodeView): Look {
  if (node.sameAs !== undefined) return { glyph: 'merged', tone: 'dim' };
  if (node.selected === false && node.status === 'unexpanded') return { glyph: 'aside', tone: 'plain' };
  return lookOfStatus(node);
}
