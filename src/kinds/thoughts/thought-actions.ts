import type { ActionFaces } from '../../core/actions/action-face.ts';
import { ACTIONS } from '../../core/actions/actions.ts';
import { message } from '../../core/messages/message.ts';

const needsNoJudge = message(
  'thoughts.needs-no-judge',
  '"{title}" needs no judge: it is a solution, or the same as another thought.',
);

/** What is done to a thought otherwise: its text is its parent's doing, so to do it over is to judge it anew. */
export const THOUGHT_ACTIONS: ActionFaces = {
  add: { ...ACTIONS.add, title: 'Add thought…', help: 'add a thought of your own' },
  redo: {
    ...ACTIONS.redo,
    title: 'Judge anew',
    help: 'judge a thought anew, or ask for other next thoughts',
    when: (search, node) => {
      const isSettled = node?.leafReason === 'solved' || node?.leafReason === 'duplicate';
      const when = ACTIONS.redo.when(search, node);
      return isSettled && typeof when === 'boolean' ? needsNoJudge : when;
    },
  },
};
