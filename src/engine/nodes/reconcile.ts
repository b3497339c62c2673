import type { Message } from '../../core/messages/message.ts';
import type { NodeOnDisk, ReadStore } from '../../core/ports/store.ts';
import { isThoughtTreeError } from '../../core/search/errors.ts';
import { parseDocument } from '../../core/text/document.ts';
import { oneLine } from '../../core/text/text.ts';
import { type NodeData, nodeDataOf } from '../../core/tree/node-file.ts';
import { patchBetween } from '../../core/tree/node-patch.ts';
import type { NodeStatus } from '../../core/tree/node-status.ts';
import { pathOf, type TreeNode } from '../../core/tree/tree.ts';
import type { NodeState } from '../../core/tree/tree-node.ts';
import * as say from '../messages.ts';
import { reconcileChildren } from './reconcile-children.ts';
import {
  freshness,
  newChange,
  type OpenNodes,
  type Reconciled,
  type Reconciling,
  type Repair,
  remove,
} from './reconciling.ts';

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

/** A node whose folder is gone: it may have been renamed, which the folder above shows. */
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

/** The correct content of a file for its node's real status; a writer gives it an id if it is written anyway. */
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

/** The status in a node's file, as far as its other files confirm it. */
function statusFrom(said: NodeStatus, found: NodeOnDisk, children: number, live: boolean): NodeStatus {
  if (said === 'in-progress') return live ? said : 'unexpanded';
  // A topic that repeats another has no document of its own, and none is to be paid for.
  if (said === 'leaf' && found.file.leafReason === 'duplicate' && !found.hasDocument && children === 0) return said;
  return said === 'expanded' || said === 'leaf' ? statusFromFiles(found, children) : said;
}

/** The status that follows from the files of a node that nobody works on, whatever node.json says. */
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
