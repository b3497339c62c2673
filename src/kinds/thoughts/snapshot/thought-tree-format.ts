import pLimit from 'p-limit';
import type { Store } from '../../../core/ports/store.ts';
import type { Format, IncomingWishes } from '../../../engine/kind/kind-format.ts';
import { THOUGHT_TREE } from '../face.ts';
import { takeTries } from '../record/tries.ts';
import { type PlannedNode, type PlannedSearch, planImport } from './plan-import.ts';
import { isSnapshot, readSnapshot } from './read-snapshot.ts';
import { snapshotOf, type ThoughtTree } from './snapshot.ts';

/** Nodes that are written at the same time. */
const WRITES_AT_ONCE = 32;

/** The ThoughtTree of the system that this kind comes from. */
export const thoughtTreeFormat: Format = {
  name: THOUGHT_TREE,
  write(search) {
    takeTries(search.tree, search.record);
    return snapshotOf(search);
  },
  fileName(written) {
    const { task_id: task } = written as ThoughtTree;
    return `tree-snapshot-${/^\w[\w.-]{0,99}$/.test(task) ? task : 'task'}.json`;
  },
  reads: {
    is: isSnapshot,
    read(value, wishes) {
      const planned = planImport(readSnapshot(value), wishes);
      const writeTo = writePlanned.bind(undefined, planned, wishes);
      return { file: planned.file, nodes: planned.nodes.length, writeTo };
    },
  },
};

/** The values that differ between imports. */
type Writing = Pick<IncomingWishes, 'now' | 'newId'>;

/**
 * Writes the files of a search that only has a search.json.
 * @param signal ends it between two nodes, with its reason
 */
export async function writePlanned(
  planned: PlannedSearch,
  { now, newId }: Writing,
  store: Store,
  signal?: AbortSignal,
): Promise<void> {
  if (planned.decomposition) await store.writeDecomposition(planned.decomposition);
  if (planned.notes !== undefined) await store.writeNotes(planned.notes);
  const limit = pLimit(WRITES_AT_ONCE);
  const ids = new Map(planned.nodes.map(({ path }) => [path, newId()]));
  const levels = Map.groupBy(planned.nodes, ({ path }) => path.split('/').length);
  for (const level of levels.values())
    await limit.map(level, async (node) => {
      signal?.throwIfAborted();
      await writeNode(store, ids, node);
    });
  if (planned.first) await store.writeChildren('', [...planned.first]);
  await writeTries(store, planned, new Date(now).toISOString());
}

async function writeNode(store: Store, ids: ReadonlyMap<string, string>, node: PlannedNode): Promise<void> {
  const { path, file, document, children } = node;
  const links = node.links.map(({ type, to }) => ({ type, to: ids.get(to) ?? to }));
  await store.writeNode(path, { id: ids.get(path), ...file, ...(links.length > 0 && { links }) });
  await store.writeDocument(path, document);
  if (children) await store.writeChildren(path, [...children]);
}

/** Writes how often nodes were asked, which is only in the journal. */
async function writeTries(store: Store, { tries, nodes, first }: PlannedSearch, time: string): Promise<void> {
  let seq = 0;
  for (const { path: node, tries: round, children } of [{ path: '', tries, children: first }, ...nodes])
    if (round !== undefined)
      await store.append({ seq: ++seq, time, type: 'generated', node, round, found: children?.length ?? 0 });
}
