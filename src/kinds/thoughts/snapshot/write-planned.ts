import pLimit from 'p-limit';
import type { Store } from '../../../core/ports/store.ts';
import type { IncomingWishes } from '../../../engine/kind/kind-format.ts';
import type { PlannedNode, PlannedSearch } from './plan-import.ts';

/** Nodes that are written at the same time. */
const WRITES_AT_ONCE = 32;

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
