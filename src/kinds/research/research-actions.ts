import type { ActionFaces } from '../../core/actions/action-face.ts';
import { ACTIONS } from '../../core/actions/actions.ts';

/** Actions on topics that have other texts than those of all kinds. */
export const RESEARCH_ACTIONS: ActionFaces = {
  add: {
    ...ACTIONS.add,
    title: 'Add topic…',
    help: 'add a topic of your own, which comes next',
  },
};
