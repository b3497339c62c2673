import type { Message } from '../../core/messages/message.ts';
import type { NodeOnDisk, ReadStore, Store } from '../../core/ports/store.ts';
import { isThoughtTreeError } from '../../core/search/errors.ts';
import type { ChildrenFile } from '../../core/search/search-file.ts';
import { parseDocument } from '../../core/text/document.ts';
import { oneLine } from '../../core/text/text.ts';
import { type NodeFile, nodeDataOf } from '../../core/tree/node-file.ts';
import type { NodeStatus } from '../../core/tree/node-status.ts';
import { joinedPath } from '../../core/tree/slug-path.ts';
import { type NodeFields, type NodeId, pathOf, type Tree, type TreeNode } from '../../core/tree/tree.ts';
import { toTreeFields } from '../../core/tree/tree-fields.ts';
import * as say from '../messages.ts';

/** What reconciling works on. */
export interface Reconciling {
  readonly tree: Tree;
  readonly store: ReadStore;
  /** Where what is found wrong is put right: only the holder of the lease may. */
  readonly repair: Store | undefined;
  /** Whether a process is at work on the search, so that what is in progress stays so. */
  readonly live: boolean;
  /** Whether a node is being worked on by this process, so that its files are half made on purpose. */
  readonly isUnderWay: (node: TreeNode) => boolean;
  /** How often this process has written a node's files; undefined while it does. */
  readonly writes: (node: TreeNode) => number | undefined;
}

/** Looks at a tree that this process does not write. */
export const WRITES_NOTHING: Pick<Reconciling, 'isUnderWay' | 'writes'> = { isUnderWay: () => false, writes: () => 0 };

/** What a look at the disk changed in memory. */
export interface Reconciled {
  /** Nodes added, changed or removed. */
  readonly changed: NodeId[];
  /** Children that were not known before, to be looked at next. */
  readonly added: TreeNode[];
  /** In words, for the journal; empty where the disk said nothing new. */
  readonly what: Message[];
}

/** Brings one node in memory to what its folder says; what is on disk wins. */
export async function reconcile(at: Reconciling, node: TreeNode): Promise<Reconciled> {
  return node.parent ? reconcileNode(at, node) : reconcileRoot(at, node);
}

async function reconcileRoot(at: Reconciling, root: TreeNode): Promise<Reconciled> {
  const change = newChange();
  const read = await lookAt(at, root, () => at.store.readRootChildren());
  if (read.isUnderWay || read.isStale) return change;
  const { children, folders } = read.found;
  const listed = children !== undefined;
  if (root.listed !== listed) at.tree.update(root, { listed });
  await reconcileChildren(at, root, children, folders, listed, change);
  return change;
}

async function reconcileNode(at: Reconciling, node: TreeNode): Promise<Reconciled> {
  const change = newChange();
  const path = pathOf(node);
  const { found, isUnderWay, isStale } = await lookAt(at, node, () => at.store.readNode(path));
  if (isStale) return change;
  if (!found) {
    if (isUnderWay) return change;
    for (const gone of at.tree.remove(node)) change.changed.push(gone.id);
    change.what.push(say.removed());
    return change;
  }
  if (isUnderWay && found.file.status !== 'pruned') return change;
  const finished = found.file.status === 'expanded' || found.file.status === 'leaf' || found.file.status === 'pruned';
  await reconcileChildren(at, node, found.children, found.folders, finished, change);
  await reconcileFields(at, node, path, found, change);
  return change;
}

/** Reads files of a node. What was read while they were written, or worked on, may be old by now. */
async function lookAt<T>(
  at: Reconciling,
  node: TreeNode,
  read: () => Promise<T>,
): Promise<{ found: T; isUnderWay: boolean; isStale: boolean }> {
  const wasUnderWay = at.isUnderWay(node);
  const before = at.writes(node);
  const found = await read();
  const isStale = before === undefined || at.writes(node) !== before;
  return { found, isUnderWay: wasUnderWay || at.isUnderWay(node), isStale };
}

function newChange(): { changed: NodeId[]; added: TreeNode[]; what: Message[] } {
  return { changed: [], added: [], what: [] };
}

async function reconcileFields(
  at: Reconciling,
  node: TreeNode,
  path: string,
  found: NodeOnDisk,
  change: Reconciled,
): Promise<void> {
  const { file } = found;
  const status = statusFrom(file.status, found, node.children.length, at.live);
  // A pruned branch keeps what it is restored with.
  const leafReason =
    status === 'leaf' ? (file.leafReason ?? 'model') : status === 'pruned' ? file.leafReason : undefined;
  const summary = file.summary ?? (found.hasDocument ? await summaryOf(at.store, path) : undefined);
  const data = nodeDataOf(file);
  const fields: FieldsOnDisk = {
    ...toTreeFields({ ...data, status, leafReason }),
    file: data,
    listed: (status === 'pruned' ? statusFromFiles(found, node.children.length) : status) in FINISHED,
    summary,
  };
  if (!differs(node, fields)) return;
  if (node.status !== status) change.what.push(say.statusChanged({ status }));
  else if (node.title !== fields.title) change.what.push(say.titleChanged());
  else change.what.push(say.fieldsChanged());
  at.tree.update(node, fields);
  change.changed.push(node.id);
  if (at.repair && (file.status !== status || file.leafReason !== leafReason)) {
    await at.repair.writeNode(path, { status, leafReason });
    at.tree.update(node, { file: { ...data, status, leafReason } });
  }
}

/** What node.json says of a node; how often it was tried stands in the journal. */
type FieldsOnDisk = Omit<NodeFields, 'tries' | 'trying'> & { readonly title: string };

const FINISHED = { expanded: true, leaf: true };

/** The status that a node's file says, as far as its other files bear it out. */
function statusFrom(said: NodeStatus, found: NodeOnDisk, children: number, live: boolean): NodeStatus {
  if (said === 'in-progress') return live ? said : 'unexpanded';
  return said === 'expanded' || said === 'leaf' ? statusFromFiles(found, children) : said;
}

/** The status that the files of a node that nobody works on bear out, whatever node.json says. */
export function statusFromFiles(found: NodeOnDisk, children: number): 'unexpanded' | 'expanded' | 'leaf' {
  if (!found.hasDocument || (found.children === undefined && children === 0)) return 'unexpanded';
  return children > 0 ? 'expanded' : 'leaf';
}

function differs(node: TreeNode, fields: FieldsOnDisk): boolean {
  return Object.entries(fields).some(([key, value]) => {
    const now = node[key as keyof NodeFields];
    return now !== value && JSON.stringify(now) !== JSON.stringify(value);
  });
}

async function summaryOf(store: ReadStore, path: string): Promise<string | undefined> {
  try {
    const { data } = parseDocument((await store.readDocument(path)) ?? '');
    const summary = typeof data['summary'] === 'string' ? oneLine(data['summary'], 300) : '';
    return summary || undefined;
  } catch (error) {
    if (isThoughtTreeError(error)) return undefined; // a damaged front matter loses its summary, not its node
    throw error;
  }
}

/**
 * Membership and order of a node's children. A listed child without a folder was never made, if its parent is not
 * finished; otherwise a person removed it. A folder that is not listed comes at the end.
 */
async function reconcileChildren(
  at: Reconciling,
  parent: TreeNode,
  list: ChildrenFile | undefined,
  folders: readonly string[],
  finished: boolean,
  change: Reconciled,
): Promise<void> {
  const wanted = membersFrom(list ?? [], new Set(folders), finished);
  await removeMissing(at, parent, wanted, change);
  for (const [slug, { title }] of wanted) {
    if (parent.children.some((child) => child.slug === slug)) continue;
    const child = at.tree.add(parent, slug, { title: oneLine(title, 1000) || slug });
    change.added.push(child);
    change.changed.push(child.id);
  }
  const order = [...wanted.keys()];
  if (parent.children.some((child, index) => child.slug !== order[index])) {
    at.tree.reorder(parent, order);
    change.what.push(say.orderChanged());
  }
  if (!at.repair) return;
  await makeMissing(at.repair, parent, wanted, new Set(folders));
  if (list && !sameMembers(list, order)) {
    const kept = new Map(list.map((entry) => [entry.slug, entry]));
    const entries = [...wanted].map(([slug, { title }]) => kept.get(slug) ?? { title, slug });
    await at.repair.writeChildren(pathOf(parent), entries);
  }
}

function membersFrom(
  list: ChildrenFile,
  folders: ReadonlySet<string>,
  finished: boolean,
): Map<string, { title: string }> {
  const wanted = new Map<string, { title: string }>();
  for (const { slug, title } of list) if (folders.has(slug) || !finished) wanted.set(slug, { title });
  for (const slug of folders) if (!wanted.has(slug)) wanted.set(slug, { title: slug });
  return wanted;
}

function sameMembers(list: ChildrenFile, order: readonly string[]): boolean {
  return list.length === order.length && list.every(({ slug }, index) => slug === order[index]);
}

async function removeMissing(
  at: Reconciling,
  parent: TreeNode,
  wanted: ReadonlyMap<string, unknown>,
  change: Reconciled,
): Promise<void> {
  for (const child of [...parent.children]) {
    if (wanted.has(child.slug)) continue;
    for (const gone of at.tree.remove(child)) change.changed.push(gone.id);
    change.what.push(say.childRemoved({ child: child.slug }));
  }
}

async function makeMissing(
  store: Store,
  parent: TreeNode,
  wanted: ReadonlyMap<string, { title: string }>,
  folders: ReadonlySet<string>,
): Promise<void> {
  const path = pathOf(parent);
  for (const [slug, { title }] of wanted) {
    if (folders.has(slug)) continue;
    const file: Pick<NodeFile, 'title' | 'slug' | 'status'> = { title, slug, status: 'unexpanded' };
    await store.writeNode(joinedPath(path, slug), file);
  }
}
