import type { ActionDescriptors } from '../../core/actions/action-descriptor.ts';
import { ACTIONS } from '../../core/actions/actions.ts';
import {
  type KindDescriptor,
  lookOfStatus,
  type OptionDescriptor,
  type OptionsOf,
  PLAIN_DESCRIPTOR,
} from '../../core/kind/kind-descriptor.ts';
import { researchPurposes } from './purposes.ts';

export const RESEARCH_OPTIONS = [
  {
    name: 'maxChildren',
    type: 'integer',
    least: 1,
    most: 200,
    help: 'maximum number of topics per list',
    hidden: true,
  },
  {
    name: 'picker',
    type: 'choice',
    choices: ['ranked', 'one-at-a-time'],
    default: 'ranked',
    value: 'form',
    help: 'how the next topic is chosen (default: ranked)',
    perRun: true,
  },
  {
    name: 'rootSession',
    type: 'choice',
    choices: ['survey', 'none'],
    value: 'form',
    help: 'what the first level starts from: the conversation that divided the question, which read the workspace, or nothing (default: survey)',
  },
  {
    name: 'subtopics',
    type: 'choice',
    choices: ['together', 'separately'],
    value: 'form',
    help: 'whether a document ends with its subtopics, or they are asked for in a second request (default: together)',
  },
  {
    name: 'leastScore',
    type: 'number',
    least: 0,
    most: 10,
    help: 'topics below the first level that are expected to add less than this stay open (0 to 10, default: 4)',
    perRun: true,
  },
] as const satisfies readonly OptionDescriptor[];

/** The options of a research search in search.json, in addition to those of all kinds. */
export type ResearchOptions = OptionsOf<typeof RESEARCH_OPTIONS>;

/** Actions on topics that have other texts than those of all kinds. */
const RESEARCH_ACTIONS: ActionDescriptors = {
  add: {
    ...ACTIONS.add,
    title: 'Add topic…',
    help: 'add a topic of your own, which comes next',
  },
};

/** "Research a question": a tree of documents, its first level walked, the rest guided by a picker. */
export const researchDescriptor: KindDescriptor = {
  ...PLAIN_DESCRIPTOR,
  name: 'research',
  purposes: researchPurposes,
  words: {
    title: 'Research a question',
    detail: 'Topics and subtopics, each with a document; a report answers the question.',
    icon: 'book',
    about: 'research a question',
    question: 'What do you want to know?',
    example: 'How are requests authenticated?',
    node: 'topic',
    nodes: 'topics',
    one: '1 topic',
    several: '{0} topics',
    progress: '{0} done, {1} open',
    untouched: '{0} open',
    label: 'Topics',
    addNode: 'Add a topic',
    addPrompt: 'What should it cover?',
    whichNode: 'Which topic?',
    notOneNode: 'This can be done with a topic, not with a whole search.',
    findNodes: 'Find topics',
    beginning: 'Dividing the question into topics',
    finished: '"{0}" is finished: {1}.',
  },
  options: RESEARCH_OPTIONS,
  actions: RESEARCH_ACTIONS,
  look: lookOfStatus,
};
