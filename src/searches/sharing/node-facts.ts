import type { Message } from '../../core/messages/message.ts';
import type { NodeStatus } from '../../core/tree/node-status.ts';
import type { TreeNode } from '../../core/tree/tree.ts';
import { scoreText } from '../../engine/report/node-text.ts';
import * as say from './messages.ts';

const SAID: Readonly<Partial<Record<NodeStatus, Message>>> = {
  unexpanded: say.open(),
  'in-progress': say.inProgress(),
  pruned: say.pruned(),
  failed: say.failed(),
};

/** What is said of a node in a word or two: its score, and what it is where it is not done. */
export function nodeFacts(node: TreeNode, isBest: boolean): Message[] {
  const score = scoreText(node);
  const said = SAID[node.status];
  return [
    ...(score === undefined ? [] : [say.score({ score })]),
    ...(said ? [said] : []),
    ...(isBest ? [say.best()] : []),
  ];
}
