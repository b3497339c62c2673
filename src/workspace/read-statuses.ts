import type { NodeStatus } from '../core/node-status.ts';
import type { Store } from '../core/store.ts';
import { pathOf, walk } from '../core/tree.ts';
import { openTree } from '../engine/open-tree.ts';

/** The statuses of a search's nodes by slug path, from its files alone. Changes nothing. */
export async function readStatuses(store: Store, title: string): Promise<[string, NodeStatus][]> {
  const { root } = await openTree(store, title, 'reader');
  return [...walk(root)].filter(({ parent }) => parent).map((node) => [pathOf(node), node.status]);
}
