import type { ChildrenFile } from '../../core/search/search-file.ts';
import { oneLine } from '../../core/text/text.ts';
import { nodeDataOf } from '../../core/tree/node-file.ts';
import { joinedPath } from '../../core/tree/slug-path.ts';
import { toldChild } from '../../core/tree/told-child.ts';
import { pathOf, type TreeNode } from '../../core/tree/tree.ts';
import { branchMoved, orderChanged } from '../messages.ts';
import { freshness, type OpenNodes, type Reconciled, type Reconciling, type Repair, remove } from './reconciling.ts';

/** The most folders that are made from one list. */
const MOST_MADE = 1000;

/** The children of a node on disk. */
interface Members {
  readonly list: ChildrenFile | undefined;
  readonly folders: ReadonlySet<string>;
}

/**
 * Membership and order of a node's children. A listed child without a folder was never created if its parent is not
 * finished; otherwise a person removed it. An unlisted folder comes at the end.
 */
export async function reconcileChildren(
  at: Reconciling,
  parent: TreeNode,
  listOnDisk: ChildrenFile | undefined,
  foldersOnDisk: readonly string[],
  finished: boolean,
  change: Reconciled,
): Promise<void> {
  const isFresh = freshness(at, parent);
  const members = { list: listOnDisk, folders: new Set(foldersOnDisk) };
  const { list, folders } = at.open ? await withMoves(at.open, parent, members, change) : members;
  change.isStale ||= !isFresh();
  if (change.isStale) return;
  // Nobody but who holds the search makes folders: for others, what is listed and does not exist is no node.
  const missing = finished || !(at.repair || at.open) ? 0 : MOST_MADE;
  const wanted = membersFrom(list ?? [], folders, missing);
  removeMissing(at, parent, wanted, change);
  const fresh: TreeNode[] = [];
  const known = new Set(parent.children.map((child) => child.slug));
  for (const [slug, { title }] of wanted) {
    if (known.has(slug)) continue;
    const child = at.tree.addUnread(parent, slug, oneLine(title, 1000) || slug);
    fresh.push(child);
    change.changed.push(child.id);
  }
  change.added.push(...fresh);
  const order = [...wanted.keys()];
  const isReordered = parent.children.some((child, index) => child.slug !== order[index]);
  if (isReordered) at.tree.reorder(parent, order);
  if (isReordered) change.what.push(orderChanged());
  if (at.repair) await repairChildren(at.repair, parent, members, wanted);
  if (at.open) await tellChildren(at, at.open, parent, fresh, isReordered);
}

/** Adds nodes that were elsewhere, and skips folders that have to wait. */
async function withMoves(open: OpenNodes, parent: TreeNode, found: Members, change: Reconciled): Promise<Members> {
  const folders = new Set(found.folders);
  const renamed = new Map<string, string>();
  const known = new Set(parent.children.map(({ slug }) => slug));
  for (const slug of found.folders) {
    if (known.has(slug)) continue;
    const came = await open.newcomer(parent, slug);
    if (came === 'later') folders.delete(slug);
    if (typeof came === 'string') continue;
    renamed.set(came.from, slug);
    change.what.push(branchMoved({ from: came.from, to: joinedPath(pathOf(parent), slug) }));
    change.added.push(...parent.children.filter((child) => child.slug === slug));
  }
  const list = found.list?.map((entry) => {
    const now = renamed.get(joinedPath(pathOf(parent), entry.slug));
    return now === undefined || found.folders.has(entry.slug) ? entry : { ...entry, slug: now };
  });
  return { list, folders };
}

function membersFrom(
  list: ChildrenFile,
  folders: ReadonlySet<string>,
  missing: number,
): Map<string, { title: string }> {
  const wanted = new Map<string, { title: string }>();
  let left = missing;
  for (const { slug, title } of list) if (folders.has(slug) || left-- > 0) wanted.set(slug, { title });
  for (const slug of folders) if (!wanted.has(slug)) wanted.set(slug, { title: slug });
  return wanted;
}

function removeMissing(
  at: Reconciling,
  parent: TreeNode,
  wanted: ReadonlyMap<string, unknown>,
  change: Reconciled,
): void {
  for (const child of [...parent.children])
    if (!wanted.has(child.slug) && !at.open?.isUnderWay(child)) remove(at, child, change);
}

/**
 * Creates listed folders that are missing, and a list of what exists, with the titles that their files say. The root's list
 * alone is not made anew: it says that the root is finished.
 */
async function repairChildren(
  { store, newId }: Repair,
  parent: TreeNode,
  { list, folders }: Members,
  wanted: ReadonlyMap<string, { title: string }>,
): Promise<void> {
  const path = pathOf(parent);
  const ids = new Map(parent.children.map(({ slug, file }) => [slug, file?.id]));
  for (const [slug, { title }] of wanted) {
    if (folders.has(slug)) continue;
    const id = ids.get(slug) ?? newId();
    await store.writeNode(joinedPath(path, slug), { id, title, slug, status: 'unexpanded' });
  }
  if (list ? sameMembers(list, [...wanted.keys()]) : !parent.parent || wanted.size === 0) return;
  const kept = new Map(list?.map((entry) => [entry.slug, entry]));
  const entries: ChildrenFile = [];
  for (const [slug, { title }] of wanted)
    entries.push(kept.get(slug) ?? { title: (await store.readNodeFile(joinedPath(path, slug)))?.title ?? title, slug });
  await store.writeChildren(path, entries);
}

function sameMembers(list: ChildrenFile, order: readonly string[]): boolean {
  return list.length === order.length && list.every(({ slug }, index) => slug === order[index]);
}

/** Reports children that a person added, with the full content of their files, and reordering. */
async function tellChildren(
  { tree, store }: Reconciling,
  open: OpenNodes,
  parent: TreeNode,
  fresh: readonly TreeNode[],
  isReordered: boolean,
): Promise<void> {
  for (const node of fresh) {
    const file = await store.readNodeFile(pathOf(node));
    tree.update(node, { file: file ? nodeDataOf(file) : { title: node.title, status: node.status } });
  }
  if (fresh.length > 0) open.tell({ type: 'node-added', node: pathOf(parent), children: fresh.map(toldChild) });
  const order = parent.children.map(({ slug }) => slug);
  if (isReordered) open.tell({ type: 'node-order', node: pathOf(parent), order });
}
