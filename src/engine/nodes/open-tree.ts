import { Breather } from '../../core/concurrency/breather.ts';
import type { ReadStore } from '../../core/ports/store.ts';
import { Tree, type TreeNode } from '../../core/tree/tree.ts';
import { reconcile } from './reconcile.ts';
import type { Reconciling, Repair } from './reconciling.ts';

/** Folders read at the same time while a tree is opened. */
const READS_AT_ONCE = 64;

/** Who reads the tree: a follower reads next to a live holder and keeps nodes in progress as they are. */
export type Reader = 'follower' | 'reader';

/**
 * Reads a whole tree from its files. Damaged files are listed in the store's problems; the rest still loads.
 * @param onRead told now and then how many nodes were read so far
 */
export async function openTree(
  store: ReadStore,
  title: string,
  reader: Reader,
  onRead?: Reconciling['onRead'],
): Promise<Tree> {
  return await readTree({ tree: new Tree(title), store, live: reader === 'follower', onRead });
}

/**
 * Reads the whole tree for the holder of the search, who repairs what a kill left incomplete.
 * @param gathered collects the nodes with a document, and those with an unreadable file
 */
export async function holdTree(
  repair: Repair,
  title: string,
  gathered: Pick<Reconciling, 'documents' | 'damaged'> = {},
): Promise<Tree> {
  return await readTree({ tree: new Tree(title), store: repair.store, repair, live: false, ...gathered });
}

async function readTree(at: Reconciling): Promise<Tree> {
  return await at.store.readTree(() => readLevels(at));
}

async function readLevels(at: Reconciling): Promise<Tree> {
  const { tree, onRead } = at;
  const breather = new Breather();
  let read = 0;
  let level: TreeNode[] = [tree.root];
  while (level.length > 0) {
    const below: TreeNode[] = [];
    // Not all at once: a promise for each of many nodes takes more memory than the nodes.
    for (let first = 0; first < level.length; first += READS_AT_ONCE) {
      const found = await Promise.all(level.slice(first, first + READS_AT_ONCE).map((node) => reconcile(at, node)));
      for (const { added } of found) below.push(...added);
      read += found.length;
      onRead?.(read);
      await breather.breathe();
    }
    level = below;
  }
  return tree;
}
