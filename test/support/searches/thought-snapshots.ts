import type { Store } from '../../../src/core/ports/store.ts';
import { SearchRecord } from '../../../src/core/search/record/search-record.ts';
import type { Tree } from '../../../src/core/tree/tree.ts';
import { lastLimits } from '../../../src/engine/limits.ts';
import { openTree } from '../../../src/engine-parts/opening/open-tree.ts';
import { readSnapshot } from '../../../src/kinds/thoughts/snapshot/read-snapshot.ts';
import { snapshotOf } from '../../../src/kinds/thoughts/snapshot/snapshot.ts';
import { planImport, writePlanned } from '../../../src/kinds/thoughts/snapshot/thought-tree-format.ts';
import { Tries, takeTries } from '../../../src/kinds/thoughts/thought-search.ts';
import { createMemoryStore } from '../memory-store.ts';

/** A search as its export tells it. */
export interface Exported {
  readonly text: string;
  readonly tree: Tree;
}

/** Exports a search as a command does that does not hold it. */
export async function exported(store: Store): Promise<Exported> {
  const file = await store.readSearch();
  const record = SearchRecord.of(await store.readJournal(), new Tries());
  const tree = await openTree(store, file.title, 'reader');
  takeTries(tree, record);
  const limits = lastLimits(record.limits, file, undefined, { free: true });
  return { text: JSON.stringify(await snapshotOf({ file, tree, limits, store }), undefined, 1), tree };
}

let ids = 0;

/** Imports a snapshot into memory. */
export async function imported(snapshot: unknown): Promise<Store> {
  const wishes = { title: undefined, titleFrom: (problem: string) => problem, now: 0, newId: () => `id-${++ids}` };
  const planned = planImport(readSnapshot(snapshot), wishes);
  const store = createMemoryStore(planned.file);
  await writePlanned(planned, wishes, store);
  return store;
}
