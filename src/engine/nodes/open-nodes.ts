import type { SearchEvent } from '../../core/search/events.ts';
import type { Tree, TreeNode } from '../../core/tree/tree.ts';
import type { TreeRecord } from '../../core/tree/tree-record.ts';
import type { SearchParts } from '../search-parts.ts';
import { findOnOpening } from './found-on-opening.ts';
import { holdTree } from './open-tree.ts';

/**
 * Reads the tree of a search that this process holds, and finds changes that its journal does not contain.
 * @param record the tree according to the journal; updated
 * @param time when the journal was last written, in milliseconds since 1970
 */
export async function openNodes(
  { store, random }: Pick<SearchParts, 'store' | 'random'>,
  title: string,
  record: TreeRecord,
  time: number,
): Promise<{ tree: Tree; found: SearchEvent[] }> {
  const newId = (): string => random.id();
  const gathered = { documents: new Set<TreeNode>(), damaged: new Set<TreeNode>() };
  const tree = await holdTree({ store, newId }, title, gathered);
  return { tree, found: await findOnOpening({ tree, ...gathered, record, time, store, newId }) };
}
