import type { Message } from '../../core/messages/message.ts';
import type { SteerAction } from '../../core/search/steer.ts';
import { addChild } from './add-child.ts';
import { expandNext } from './expand-next.ts';
import { growSearch } from './grow-search.ts';
import { pruneBranch } from './prune-branch.ts';
import { redoDocument } from './redo-document.ts';
import { restoreBranch } from './restore-branch.ts';
import { retryFailed } from './retry-failed.ts';
import type { Steer, Steering } from './steering.ts';
import { takeNote } from './take-note.ts';

/** What is carried out on the tree; pausing and finishing are the loop's own. */
type OnTree = Exclude<SteerAction, { action: 'pause' | 'finish' | 'report' }>;

const ACTIONS: { readonly [A in OnTree['action']]: Steer<A> } = {
  prune: pruneBranch,
  restore: restoreBranch,
  expand: expandNext,
  retry: retryFailed,
  redo: redoDocument,
  add: addChild,
  note: takeNote,
  grow: growSearch,
};

/**
 * Carries out an action on a search's tree, whether it runs or not; returns what to say of it.
 * @throws ThoughtTreeError `bad-input` or `edited`, saying what to do; nothing is changed then
 */
export function steer(steering: Steering, action: OnTree): Promise<Message> {
  return (ACTIONS[action.action] as (s: Steering, a: OnTree) => Promise<Message>)(steering, action);
}
