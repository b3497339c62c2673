import { type Entry, message } from '../messages/message.ts';

/** Why something cannot be done to a node, or to a search, of that title; in words that say what to do instead. */
export type Refusal = Entry<{ readonly title: string }>;

/** What an action is told as JSON is none. */
export const notJson = message('actions.not-json', 'What is given as JSON cannot be read as JSON.');

export const inPrunedBranch = message(
  'actions.in-pruned-branch',
  '"{title}" stands in a pruned branch. Restore that first.',
);
export const notPruned = message('actions.not-pruned', '"{title}" is not pruned.');
export const notFailed = message('actions.not-failed', '"{title}" did not fail.');
export const expandedAlready = message(
  'actions.expanded-already',
  '"{title}" is expanded already. Redo it, or expand a node below it.',
);
export const notDivided = message(
  'actions.not-divided',
  'The first level of "{title}" is not there yet. Add to it when it is.',
);
