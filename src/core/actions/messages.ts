import { type Entry, message } from '../messages/message.ts';

/** Why something cannot be done to a node or a search with that title, in words that say what to do instead. */
export type Refusal = Entry<{ readonly title: string }>;

/** A button that continues a search which was never run. */
export const startSearch = message('actions.start-search', 'Start');

/** An action's argument should be JSON and is not. */
export const notJson = message('actions.not-json', 'The given JSON is invalid.');

export const inPrunedBranch = message(
  'actions.in-pruned-branch',
  '"{title}" is in a pruned branch. Restore the branch first.',
);
export const notPruned = message('actions.not-pruned', '"{title}" is not pruned.');
export const notFailed = message('actions.not-failed', '"{title}" did not fail.');
export const expandedAlready = message(
  'actions.expanded-already',
  '"{title}" has already been expanded. Redo it, or expand a node below it.',
);
export const notDivided = message(
  'actions.not-divided',
  'The first level of "{title}" does not exist yet. Add to it once it does.',
);

export const nothingLeft = message(
  'actions.nothing-left',
  'Nothing is left to work on in "{title}": resuming it could only rewrite its report, with at most one call. Let it go further, or expand or add something.',
);
