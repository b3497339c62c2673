import type { NodeFacts } from '../../core/actions/action-face.ts';
import { isPruned, pathOf, type TreeNode } from '../../core/tree/tree.ts';
import type { SearchContext } from '../search-context.ts';

/** A node of an open search, for deciding what can be done to it. */
export async function nodeFacts({ store }: Pick<SearchContext, 'store'>, node: TreeNode): Promise<NodeFacts> {
  const { status, leafReason, parent } = node;
  const found = await store.readNode(pathOf(node));
  return {
    status,
    leafReason,
    isCutOff: parent !== undefined && isPruned(parent),
    hasDocument: found?.hasDocument === true,
    own: node.file?.own,
  };
}
