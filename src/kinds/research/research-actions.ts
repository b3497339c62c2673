import type { ActionFaces } from '../../core/actions/action-face.ts';
import { ACTIONS } from '../../core/actions/actions.ts';

/** What is done to a topic in its own words. */
export const RESEARCH_ACTIONS: ActionFaces = {
  add: { ...ACTIONS.add, title: 'Add topic…', help: 'add a topic of your own' },
};
