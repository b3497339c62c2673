import pLimit from 'p-limit';
import type { Store } from '../../core/ports/store.ts';
import { Tree, type TreeNode } from '../../core/tree/tree.ts';
import { reconcile } from './reconcile.ts';

/** Folders read at the same time while a tree is opened. */
const READS_AT_ONCE = 64;

/** Who asks for the tree: its holder, who puts right what a kill left half done, or a reader beside it. */
export type Reader = 'holder' | 'follower' | 'reader';

/**
 * Reads a whole tree from its files. A follower reads beside a live holder and takes what is in progress as it is.
 * Damaged files are named in the store's problems, the rest still loads.
 */
export async function openTree(store: Store, title: string, reader: Reader): Promise<Tree> {
  const tree = new Tree(title);
  const limit = pLimit(READS_AT_ONCE);
  const at = { tree, store, repair: reader === 'holder', live: reader === 'follower', isBusy: (): boolean => false };
  let level: TreeNode[] = [tree.root];
  while (level.length > 0) {
    const found = await limit.map(level, (node) => reconcile(at, node));
    level = found.flatMap(({ added }) => added);
  }
  return tree;
}
