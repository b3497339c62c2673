import type { Store } from '../../src/core/store.ts';
import type { Tree } from '../../src/core/tree.ts';
import { lastLimits } from '../../src/engine/limits-of.ts';
import { openTree } from '../../src/engine/open-tree.ts';
import { planImport } from '../../src/engine/thoughts/plan-import.ts';
import { readSnapshot } from '../../src/engine/thoughts/read-snapshot.ts';
import { snapshotOf } from '../../src/engine/thoughts/snapshot.ts';
import { writePlanned } from '../../src/engine/thoughts/write-planned.ts';
import { createMemoryStore } from '../../src/store/memory-store.ts';

/** A search as its export tells it. */
export interface Exported {
  readonly text: string;
  readonly tree: Tree;
}

/** Exports a search as a command does that does not hold it. */
export async function exported(store: Store): Promise<Exported> {
  const file = await store.readSearch();
  const journal = await store.readJournal();
  const tree = await openTree(store, file.title, 'reader');
  const limits = lastLimits(journal, file, undefined, { free: true });
  return { text: JSON.stringify(await snapshotOf({ file, tree, journal, limits, store }), undefined, 1), tree };
}

/** Imports a snapshot into memory. */
export async function imported(snapshot: unknown): Promise<Store> {
  const planned = planImport(readSnapshot(snapshot), { titleFrom: (problem) => problem, now: 0 });
  const store = createMemoryStore(planned.file);
  await writePlanned(store, planned, 0);
  return store;
}
