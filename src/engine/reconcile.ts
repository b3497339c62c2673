import type { Message, Said } from '../core/messages/message.ts';
import type { NodeOnDisk, ReadStore, Store } from '../core/ports/store.ts';
import { isThoughtTreeError } from '../core/search/errors.ts';
import type { SearchEvent } from '../core/search/events.ts';
import type { ChildrenFile } from '../core/search/search-file.ts';
import { parseDocument } from '../core/text/document.ts';
import { oneLine } from '../core/text/text.ts';
import { type NodeData, type NodeStatus, nodeDataOf } from '../core/tree/node-file.ts';
import { joinedPath } from '../core/tree/slug.ts';
import { pathOf, type Tree, type TreeNode } from '../core/tree/tree.ts';
import { type NodeId, type NodeState, patchBetween } from '../core/tree/tree-node.ts';
import { toldChild } from '../core/tree/tree-record.ts';
import * as say from './messages.ts';
import { branchMoved, changes, childRemoved, orderChanged } from './messages.ts';

/** Updates one node in memory from its folder; the files on disk win. */
export async function reconcile(at: Reconciling, node: TreeNode): Promise<Reconciled> {
  return node.parent ? reconcileNode(at, node, node.parent) : reconcileRoot(at, node);
}

async function reconcileRoot(at: Reconciling, root: TreeNode): Promise<Reconciled> {
  const change = newChange();
  const read = await lookAt(at, root, () => at.store.readRootChildren());
  change.isStale = read.isStale;
  if (read.isUnderWay || read.isStale) return change;
  const { children, folders } = read.found;
  const listed = children !== undefined;
  if (root.listed !== listed) at.tree.update(root, { listed });
  await reconcileChildren(at, root, children, folders, listed, change);
  return change;
}

async function reconcileNode(at: Reconciling, node: TreeNode, parent: TreeNode): Promise<Reconciled> {
  const change = newChange();
  const path = pathOf(node);
  const { found: read, isUnderWay, isStale } = await lookAt(at, node, () => at.store.readNode(path));
  const found = read?.isDamaged ? withoutFile(read, node) : read;
  change.isStale = isStale;
  if (isStale) return change;
  if (!found) return isUnderWay ? change : await reconcileMissing(at, node, parent);
  if (isUnderWay && found.file.status !== 'pruned') return change;
  if (at.open && isAnother(node, found)) {
    remove(at, node, change);
    return merged(change, await reconcile(at, parent));
  }
  const finished = found.file.status === 'expanded' || found.file.status === 'leaf' || found.file.status === 'pruned';
  await reconcileChildren(at, node, found.children, found.folders, finished, change);
  if (!change.isStale) await reconcileFields(at, node, path, found, change);
  return change;
}

/** Returns a node whose folder is gone: it may have been renamed, which the folder above shows. */
async function reconcileMissing(at: Reconciling, node: TreeNode, parent: TreeNode): Promise<Reconciled> {
  const path = pathOf(node);
  const change = at.open ? await reconcile(at, parent) : newChange();
  if (at.tree.get(node.id) !== node || pathOf(node) !== path || (at.open && (await at.store.readNodeFile(path))))
    return change;
  remove(at, node, change);
  return change;
}

/** Describes a node with an unreadable file: by its last content, else its title in the list and its files. */
function withoutFile(found: NodeOnDisk, node: TreeNode): NodeOnDisk {
  const status = statusFromFiles(found, found.children?.length ?? 0);
  return { ...found, file: node.file ?? { ...found.file, status } };
}

/** Tells whether the folder at a node's path now contains another one. */
function isAnother(node: TreeNode, { file }: NodeOnDisk): boolean {
  return file.id !== undefined && node.fileId !== undefined && file.id !== node.fileId;
}

/** Reads files of a node. If they were written, or worked on, meanwhile, the result may be outdated. */
async function lookAt<T>(
  at: Reconciling,
  node: TreeNode,
  read: () => Promise<T>,
): Promise<{ found: T; isUnderWay: boolean; isStale: boolean }> {
  const { open } = at;
  if (!open) return { found: await read(), isUnderWay: false, isStale: false };
  const wasUnderWay = open.isUnderWay(node);
  const isFresh = freshness(at, node);
  const found = await read();
  return { found, isUnderWay: wasUnderWay || open.isUnderWay(node), isStale: !isFresh() };
}

function merged(a: Reconciled, b: Reconciled): Reconciled {
  return {
    changed: [...a.changed, ...b.changed],
    added: [...a.added, ...b.added],
    what: [...a.what, ...b.what],
    isStale: a.isStale || b.isStale,
  };
}

async function reconcileFields(
  at: Reconciling,
  node: TreeNode,
  path: string,
  found: NodeOnDisk,
  change: Reconciled,
): Promise<void> {
  const { file, isDamaged, hasDocument } = found;
  if (isDamaged) at.damaged?.add(node);
  if (hasDocument) at.documents?.add(node);
  const isFresh = freshness(at, node);
  const document = at.open ? (hasDocument ? await at.store.readDocumentHash(path) : undefined) : node.document;
  const summary = file.summary ?? (hasDocument ? await summaryOf(at.store, path) : undefined);
  change.isStale ||= !isFresh();
  if (change.isStale) return;
  const status = statusFrom(file.status, found, node.children.length, at.live);
  // The id of a damaged one is in the journal.
  const data = settled(nodeDataOf(file), status, node, isDamaged ? undefined : at.repair);
  const fields: OnDisk = {
    file: data,
    listed: (status === 'pruned' ? statusFromFiles(found, node.children.length) : status) in FINISHED,
    summary,
    document,
  };
  const isRepaired = at.repair && (isDamaged ? { set: data, gone: [] } : patchBetween(nodeDataOf(file), data));
  if (isRepaired) {
    const { set, gone } = isRepaired;
    await at.repair.store.changeNode(path, { ...set, ...Object.fromEntries(gone.map((name) => [name, undefined])) });
  }
  const patch = node.file && patchBetween(node.file, data);
  if (node.file && !patch && !differs(node, fields)) return;
  if (!at.open || patch || node.document !== document) change.what.push(wordsFor(node, fields));
  if (at.open && (patch || node.document !== document)) tellFields(at.open, node, data, patch, document);
  at.tree.update(node, fields);
  change.changed.push(node.id);
}

/** The state of a node on the disk. */
type OnDisk = { readonly file: NodeData } & Omit<NodeState, 'derived'>;

/**
 * Returns the correct content of a file for its node's real status; a writer gives it an id if it is written anyway.
 */
function settled(file: NodeData, status: NodeStatus, node: TreeNode, repair: Repair | undefined): NodeData {
  const { leafReason, ...rest } = file;
  // A pruned branch keeps what it is restored with.
  const reason = status === 'leaf' ? (leafReason ?? 'model') : status === 'pruned' ? leafReason : undefined;
  const id = file.id ?? node.fileId;
  const next: NodeData = { ...rest, status, ...(reason && { leafReason: reason }), ...(id !== undefined && { id }) };
  return id === undefined && repair && patchBetween(file, next) ? { ...next, id: repair.newId() } : next;
}

function wordsFor(node: TreeNode, { file: { title, status }, document }: OnDisk): Message {
  if (node.status !== status) return say.statusChanged({ status });
  if (node.title !== title) return say.titleChanged();
  return node.document === document ? say.fieldsChanged() : say.documentChanged();
}

function tellFields(
  open: OpenNodes,
  node: TreeNode,
  { status }: NodeData,
  patch: ReturnType<typeof patchBetween>,
  document: string | undefined,
): void {
  const { document: before, status: was } = node;
  const gone = [...(patch?.gone ?? []), ...(before !== undefined && document === undefined ? ['document'] : [])];
  open.tell({
    type: 'node-status',
    node: pathOf(node),
    ...patch?.set,
    status,
    ...(status !== was && { was }),
    ...(gone.length > 0 && { gone }),
    ...(document !== before && document !== undefined && { document }),
  });
}

const FINISHED = { expanded: true, leaf: true };

/** Returns the status in a node's file, as far as its other files confirm it. */
function statusFrom(said: NodeStatus, found: NodeOnDisk, children: number, live: boolean): NodeStatus {
  if (said === 'in-progress') return live ? said : 'unexpanded';
  // A topic that repeats another has no document of its own, and none is to be paid for.
  if (said === 'leaf' && found.file.leafReason === 'duplicate' && !found.hasDocument && children === 0) return said;
  return said === 'expanded' || said === 'leaf' ? statusFromFiles(found, children) : said;
}

/** Returns the status that follows from the files of a node that nobody works on, whatever node.json says. */
export function statusFromFiles(found: NodeOnDisk, children: number): 'unexpanded' | 'expanded' | 'leaf' {
  if (!found.hasDocument || (found.children === undefined && children === 0)) return 'unexpanded';
  return children > 0 ? 'expanded' : 'leaf';
}

/** Tells whether anything differs besides the file. */
function differs(node: TreeNode, { listed, summary, document }: OnDisk): boolean {
  return node.listed !== listed || node.summary !== summary || node.document !== document;
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
async function reconcileChildren(
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

export interface Reconciling {
  readonly tree: Tree;
  readonly store: ReadStore;
  /** True if a process is working on the search, so that nodes in progress stay so. */
  readonly live: boolean;
  /** Repairs what is wrong: only the holder of the lease may. */
  readonly repair?: Repair | undefined;
  /** The knowledge of the process that has the search open. */
  readonly open?: OpenNodes | undefined;
  /** Collects the nodes with a document. */
  readonly documents?: Set<TreeNode> | undefined;
  /** Collects the nodes with an unreadable file. */
  readonly damaged?: Set<TreeNode> | undefined;
  /** Called now and then while a whole tree is read. @param nodes how many were read so far */
  readonly onRead?: ((nodes: number) => void) | undefined;
}

export interface Repair {
  readonly store: Store;
  /** Makes the id of a node. */
  readonly newId: () => string;
}

/** The knowledge that a process which works on a search has of its nodes, and the news that it wants. */
export interface OpenNodes {
  /** Tells whether it works on a node now, so that its files are incomplete on purpose. */
  readonly isUnderWay: (node: TreeNode) => boolean;
  /** Which nodes' files it writes, or wrote. */
  readonly writes: Pick<RecentWrites, 'now' | 'touched'>;
  /**
   * Tells whether an unknown folder is a node that was elsewhere, which is then moved there, or has to wait.
   * @returns for a moved node, its previous path
   */
  readonly newcomer: (parent: TreeNode, slug: string) => Promise<{ from: string } | 'new' | 'later'>;
  /** Receives what is found, as it is applied to the tree. */
  readonly tell: (event: SearchEvent) => void;
  /** Keeps a removed branch, in case it comes back. */
  readonly keep: (branch: readonly TreeNode[]) => void;
}

/** The changes in memory that came from reading the disk. */
export interface Reconciled {
  /** Nodes added, changed or removed. */
  readonly changed: NodeId[];
  /** Children that were unknown before, to be read next. */
  readonly added: TreeNode[];
  /** In words, for the journal; empty if the disk had nothing new. */
  readonly what: Message[];
  /** True if files changed while they were read, so that the result is meaningless. */
  isStale: boolean;
}

/** Nothing changed so far. */
function newChange(): Reconciled {
  return { changed: [], added: [], what: [], isStale: false };
}

/** Returns a check whether a node is still in its place, and nothing has been written to it since. */
function freshness({ tree, open }: Reconciling, node: TreeNode): () => boolean {
  const path = pathOf(node);
  const since = open?.writes.now ?? 0;
  const isIdle = !open?.writes.touched(node, since);
  return () => {
    if (!open) return true;
    const isThere = tree.get(node.id) === node && pathOf(node) === path;
    return isThere && isIdle && !open.writes.touched(node, since);
  };
}

/** Removes a branch from the tree that no longer exists. */
function remove(at: Reconciling, node: TreeNode, change: Reconciled): void {
  const path = pathOf(node);
  const branch = at.tree.remove(node);
  if (branch.length === 0) return; // another read was faster
  for (const { id } of branch) change.changed.push(id);
  change.what.push(childRemoved({ child: path }));
  at.open?.tell({ type: 'node-removed', node: path });
  at.open?.keep(branch);
}

/** The number of writes remembered: more than happen while one folder is read, however many slots there are. */
const MOST = 4096;

/** Which nodes' files were written by this process lately, so that no read mistakes that for a person's change. */
export class RecentWrites {
  readonly #underWay = new Map<TreeNode, number>();
  /** When a node's files were last written, the latest last. */
  readonly #last = new Map<TreeNode, number>();
  #count = 0;
  /** The last write that is not remembered. */
  #forgotten = 0;

  /** This moment, counted in writes. */
  get now(): number {
    return this.#count;
  }

  /** Writes files of a node. */
  async write<T>(node: TreeNode, work: () => Promise<T>): Promise<T> {
    this.#underWay.set(node, (this.#underWay.get(node) ?? 0) + 1);
    return await work().finally(() => this.#end(node));
  }

  /** Tells whether files of a node are being written, or may have been written after a moment. */
  touched(node: TreeNode, since: number): boolean {
    return this.#underWay.has(node) || (this.#last.get(node) ?? this.#forgotten) > since;
  }

  #end(node: TreeNode): void {
    const others = (this.#underWay.get(node) ?? 1) - 1;
    if (others > 0) this.#underWay.set(node, others);
    else this.#underWay.delete(node);
    this.#last.delete(node);
    this.#last.set(node, ++this.#count);
    if (this.#last.size <= MOST) return;
    const [oldest] = this.#last;
    if (!oldest) return;
    this.#last.delete(oldest[0]);
    this.#forgotten = oldest[1];
  }
}

/** Returns the changes that a read of the disk found, as in `reconciled` events. */
export function whatChanged(list: readonly Message[]): { what: string; say: Said } {
  const { key, args, text } = changes({ changes: list });
  return { what: text, say: { key, args } };
}
