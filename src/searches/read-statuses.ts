import type { ReadStore } from '../core/ports/store.ts';
import type { NodeStatus } from '../core/tree/node-status.ts';
import { pathOf, walk } from '../core/tree/tree.ts';
import { openTree } from '../engine/nodes/open-tree.ts';

/** The statuses of a search's nodes by slug path, from its files alone. Changes nothing. */
export async function readStatuses(store: ReadStore, title: string): Promise<[string, NodeStatus][]> {
  const { root } = await openTree(store, title, 'reader');
  return [...walk(root)].filter(({ parent }) => parent).map((node) => [pathOf(node), node.status]);
}
