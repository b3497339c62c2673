import type { ActionFaces } from '../../../core/actions/action-face.ts';
import { ACTIONS } from '../../../core/actions/actions.ts';
import { notDivided } from '../../../core/actions/messages.ts';
import { duplicateNeedsNoJudge, solvedNeedsNoJudge } from '../messages.ts';

/** An option that a search is begun with, and that may be changed while it is there. */
export const CANDIDATES = {
  name: 'candidates',
  type: 'integer',
  least: 1,
  most: 50,
  help: 'how many thoughts to ask for at one node',
} as const;
export const THRESHOLD = {
  name: 'threshold',
  type: 'number',
  least: 0,
  most: 10,
  help: 'prune thoughts with a lower score, from 0 to 10',
} as const;

/** Actions that differ for thoughts: a thought's text is made by its parent, so redoing it means judging it again. */
export const THOUGHT_ACTIONS: ActionFaces = {
  add: {
    ...ACTIONS.add,
    title: 'Add thought…',
    help: 'add a thought of your own, which comes next',
  },
  combine: {
    name: 'combine',
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
