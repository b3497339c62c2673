import { pathOf } from '../../../core/tree/tree.ts';
import type { Actions } from '../../../engine/actions/action.ts';
import { addingWith } from '../../../engine/actions/add.ts';
import { restore, restoreBranch } from '../../../engine/actions/restore.ts';
import { nextNumber, thoughtSlug } from '../thought-id.ts';
import { redoThought } from './redo-thought.ts';

/** What is done to thoughts otherwise than to other nodes. */
export const thoughtActions: Actions = {
  add: addingWith((parent) => thoughtSlug(pathOf(parent), nextNumber(parent))),
  redo: redoThought,
  /** One that a person wants back is chosen, so that no strategy passes over it again. */
  restore: { ...restore, run: (at) => restoreBranch(at, { selected: true }) },
};
