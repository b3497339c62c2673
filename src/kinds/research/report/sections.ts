import type { Message } from '../../../core/messages/message.ts';
import type { NodeStatus } from '../../../core/tree/node-status.ts';
import type { TreeNode } from '../../../core/tree/tree.ts';
import type { Material } from './material.ts';
import * as say from './messages.ts';

/** Shown for a topic without a document. */
const WITHOUT_DOCUMENT: Readonly<Record<NodeStatus, Message>> = {
  unexpanded: say.notWorkedOn(),
  'in-progress': say.notToItsEnd(),
  expanded: say.documentMissing(),
  leaf: say.documentMissing(),
  failed: say.seeFailed(),
  pruned: say.seePruned(),
};

/** Returns the words for a topic whose document cannot be linked. */
export function withoutDocument({ status }: TreeNode): Message {
  return WITHOUT_DOCUMENT[status];
}

/** The documents below a node that fit into a list: the nearest first. */
export function subtopics(material: Material, topic: TreeNode, most: number): Set<TreeNode> {
  const shown = new Set<TreeNode>();
  let level: readonly TreeNode[] = topic.children;
  while (level.length > 0 && shown.size < most) {
    const kept = level.filter(({ status }) => status !== 'pruned');
    for (const node of kept) if (shown.size < most && material.isWritten(node)) shown.add(node);
    level = kept.flatMap(({ children }) => children);
  }
  return shown;
}

/** Some of the nodes below another one as a list, in order, each indented under the nearest shown one. */
export function nestedList(
  top: TreeNode,
  shown: ReadonlySet<TreeNode>,
  describe: (node: TreeNode) => string,
): string[] {
  const list: string[] = [];
  const needed = new Set<TreeNode>();
  for (const node of shown) for (let at = node.parent; at && at !== top; at = at.parent) needed.add(at);
  const stack = [...top.children].reverse().map((node) => ({ node, indent: 0 }));
  for (let at = stack.pop(); at; at = stack.pop()) {
    const { node, indent } = at;
    if (shown.has(node)) list.push(`${'  '.repeat(indent)}- ${describe(node)}`);
    if (!needed.has(node)) continue;
    const inner = indent + (shown.has(node) ? 1 : 0);
    for (let i = node.children.length - 1; i >= 0; i--)
      stack.push({ node: node.children[i] as TreeNode, indent: inner });
  }
  return list;
}
