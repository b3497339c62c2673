import { pathOf } from '../../../core/tree/tree.ts';
import type { Actions } from '../../../engine/actions/action.ts';
import { addingWith } from '../../../engine/actions/add.ts';
import { restore, restoreBranch } from '../../../engine/actions/restore.ts';
import { nextNumber, thoughtSlug } from '../thought-id.ts';
import type { ThoughtSearch } from '../thought-search.ts';
import { combineWith } from './combine-thoughts.ts';
import { redoThought } from './redo-thought.ts';
import { anotherSolutionIn, reconsiderIn } from './search-on.ts';

/** Actions that differ for thoughts from those on other nodes. */
export function thoughtActionsOf(search: ThoughtSearch): Actions {
  return {
    add: addingWith((parent) => thoughtSlug(pathOf(parent), nextNumber(parent))),
    combine: combineWith,
    reconsider: reconsiderIn(search),
    'another-solution': anotherSolutionIn(search),
    redo: redoThought,
    /** A restored thought is selected, so that no strategy passes it over again. */
    restore: { ...restore, run: (at) => restoreBranch(at, { selected: true }) },
  };
}
