import { type KindDescriptor, lookOfStatus, PLAIN_DESCRIPTOR } from '../../src/core/kind/kind-descriptor.ts';
import { optionsSchema } from '../../src/core/search/search-file.ts';
import type { Kinds } from '../../src/engine/kind.ts';
import { KINDS } from '../../src/kinds/kinds.ts';
import { research } from '../../src/kinds/research/research.ts';

/** The descriptor of a kind that does not ship. */
export const sumsDescriptor: KindDescriptor = {
  ...PLAIN_DESCRIPTOR,
  purposes: {},
  name: 'sums',
  words: {
    title: 'Add things up',
    detail: 'Terms and their terms.',
    icon: 'add',
    about: 'add things up',
    question: 'Which sum?',
    example: '1 + 2',
    node: 'term',
    nodes: 'terms',
    one: '1 term',
    several: '{0} terms',
    progress: '{0} done, {1} open',
    untouched: '{0} open',
    label: 'Terms',
    addNode: 'Add a term',
    addPrompt: 'Which term?',
    whichNode: 'Which of the terms?',
    notOneNode: 'This can be done with a term, not with a whole search.',
    findNodes: 'Find terms',
    beginning: 'Looking for terms',
    finished: '"{0}" is finished: {1}.',
  },
  options: [
    {
      name: 'carryOver',
      type: 'integer',
      least: 0,
      most: 9,
      default: 1,
      value: 'n',
      help: 'what is carried over',
      question: 'How much is carried over?',
    },
    { name: 'signed', type: 'boolean', help: 'terms may be negative' },
    { name: 'base', type: 'choice', choices: ['two', 'ten'], help: 'the base', question: 'Which base?' },
  ],
  look: lookOfStatus,
};

/** The kinds that ship, and one that works as research does under its own descriptor. */
export const WITH_SUMS: Kinds = [
  ...KINDS,
  {
    descriptor: sumsDescriptor,
    load: async () => ({
      ...research,
      descriptor: sumsDescriptor,
      options: optionsSchema(sumsDescriptor.options),
      begin: ({ options }) => ({ options }),
    }),
  },
];
