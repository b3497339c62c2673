import {
  type KindDescriptor,
  lookOfStatus,
  type OptionDescriptor,
  type OptionsOf,
  PLAIN_DESCRIPTOR,
} from '../../../src/core/kind/kind-descriptor.ts';
import { ERRAND_DESCRIPTORS } from './errands-action-descriptors.ts';

const ERRAND_OPTIONS = [
  {
    name: 'most',
    type: 'integer',
    least: 1,
    most: 20,
    default: 5,
    value: 'n',
    help: 'errands that one answer may propose (default: 5)',
    question: 'How many errands may be proposed at once?',
  },
] as const satisfies readonly OptionDescriptor[];

export type ErrandOptions = OptionsOf<typeof ERRAND_OPTIONS>;

/** "Run errands": somebody outside proposes what is to be done, and does it. No model is asked for anything. */
export const errandsDescriptor: KindDescriptor = {
  ...PLAIN_DESCRIPTOR,
  name: 'errands',
  purposes: {},
  words: {
    title: 'Run errands',
    detail: 'Errands, proposed and done by somebody outside.',
    icon: 'checklist',
    about: 'have errands run from outside',
    question: 'What is to be done?',
    example: 'Move house',
    node: 'errand',
    nodes: 'errands',
    one: '1 errand',
    several: '{0} errands',
    progress: '{0} done, {1} open',
    untouched: '{0} open',
    label: 'Errands',
    addNode: 'Add an errand',
    addPrompt: 'What is to be done?',
    whichNode: 'Which errand?',
    notOneNode: 'This can be done with an errand, not with a whole search.',
    findNodes: 'Find errands',
    beginning: 'Asking for errands',
    finished: '"{0}" is finished: {1}.',
  },
  options: ERRAND_OPTIONS,
  actions: ERRAND_DESCRIPTORS,
  look: (node) => (node.status === 'unexpanded' ? { glyph: 'aside', tone: 'plain' } : lookOfStatus(node)),
};
