import { type Entry, message } from '../messages/message.ts';
import type { LeafReason, NodeStatus, PrunedBy } from './node-file.ts';

type Word = Entry<object>;

/** The name of a status, wherever it is shown. */
export const statusWords: Readonly<Record<NodeStatus, Word>> = {
  unexpanded: message('node.status.unexpanded', 'open'),
  'in-progress': message('node.status.in-progress', 'in progress'),
  expanded: message('node.status.expanded', 'expanded'),
  leaf: message('node.status.leaf', 'leaf'),
  pruned: message('node.status.pruned', 'pruned'),
  failed: message('node.status.failed', 'failed'),
};

/** Why a branch was pruned. */
export const prunedWords: Readonly<Record<PrunedBy, Word>> = {
  user: message('node.pruned.user', 'by hand'),
  threshold: message('node.pruned.threshold', 'its score is too low'),
  evaluator: message('node.pruned.evaluator', 'the evaluator advised it'),
  constraint: message('node.pruned.constraint', 'it breaks a constraint'),
  verifier: message('node.pruned.verifier', 'a check failed'),
  picker: message('node.pruned.picker', 'it would not change the answer'),
};

/** Why a node has no children. */
export const leafWords: Readonly<Record<LeafReason, Word>> = {
  model: message('node.leaf.model', 'nothing below it'),
  'depth-limit': message('node.leaf.depth-limit', 'deepest level'),
  'no-sources': message('node.leaf.no-sources', 'no sources'),
  duplicate: message('node.leaf.duplicate', 'merged: said elsewhere'),
  solved: message('node.leaf.solved', 'a solution'),
};
