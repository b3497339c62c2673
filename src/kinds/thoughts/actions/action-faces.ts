import type { ActionFaces } from '../../../core/actions/action-face.ts';
import { ACTIONS } from '../../../core/actions/actions.ts';
import { duplicateNeedsNoJudge, solvedNeedsNoJudge } from '../messages.ts';

/** Actions that differ for thoughts: a thought's text is made by its parent, so redoing it means judging it again. */
export const THOUGHT_ACTIONS: ActionFaces = {
  add: { ...ACTIONS.add, title: 'Add thought…', help: 'add a thought of your own' },
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
