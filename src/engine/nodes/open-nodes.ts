import type { JournalEvent, SearchEvent } from '../../core/search/events.ts';
import type { Tree, TreeNode } from '../../core/tree/tree.ts';
import { TreeRecord } from '../../core/tree/tree-record.ts';
import type { SearchParts } from '../search-parts.ts';
import { findOnOpening } from './found-on-opening.ts';
import { holdTree } from './open-tree.ts';

/** Reads the tree of a search that this process holds, and finds changes that its journal does not contain. */
export async function openNodes(
  { store, random }: Pick<SearchParts, 'store' | 'random'>,
  title: string,
  journal: readonly JournalEvent[],
): Promise<{ tree: Tree; found: SearchEvent[] }> {
  const newId = (): string => random.id();
  const gathered = { documents: new Set<TreeNode>(), damaged: new Set<TreeNode>() };
  const tree = await holdTree({ store, newId }, title, gathered);
  const record = new TreeRecord(title);
  for (const event of journal) record.apply(event);
  const time = Date.parse(journal.at(-1)?.time ?? '') || 0;
  return { tree, found: await findOnOpening({ tree, ...gathered, record, time, store, newId }) };
}
