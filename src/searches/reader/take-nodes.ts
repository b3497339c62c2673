import type { NodesSeen } from '../../core/search/record/nodes-seen.ts';
import { joinedPath } from '../../core/tree/slug-path.ts';
import { pathOf, walk } from '../../core/tree/tree.ts';
import type { SearchReadStore } from '../../store/search-read-store.ts';

/** Takes the nodes of a search from its files. A clone has no journal: only its files say what its nodes are. */
export async function takeAll(nodes: NodesSeen, store: SearchReadStore, title: string): Promise<void> {
  if ((await store.readRootChildren()).folders.length === 0) return;
  const { reading } = await import('./reading.ts');
  const { root } = await reading.openTree(store, title, 'reader');
  for (const node of walk(root)) if (node.parent) nodes.set(pathOf(node), node.status, node.leafReason === 'solved');
}

/**
 * Takes nodes that were changed by hand, with unknown ones below them: of nested folders made in quick succession, only
 * the topmost is reported.
 * @returns the slug paths that were read
 */
export async function takeNodes(nodes: NodesSeen, store: SearchReadStore, paths: readonly string[]): Promise<string[]> {
  const seen = new Set<string>();
  const waiting = [...paths];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (seen.has(path)) continue;
    seen.add(path);
    for (const slug of await takeNode(nodes, store, path)) {
      const child = joinedPath(path, slug);
      if (!nodes.has(child)) waiting.push(child);
    }
  }
  return [...seen];
}

/** @returns the slugs of the folders below it */
async function takeNode(nodes: NodesSeen, store: SearchReadStore, path: string): Promise<readonly string[]> {
  if (path === '') return (await store.readRootChildren()).folders;
  const found = await store.readNode(path).catch(() => undefined);
  if (found) nodes.set(path, found.file.status, found.file.leafReason === 'solved');
  else nodes.deleteBranch(path);
  return found?.folders ?? [];
}
