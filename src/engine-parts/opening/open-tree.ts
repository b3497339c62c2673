import { Breather } from '../../core/concurrency.ts';
import type { Random } from '../../core/ports/ports.ts';
import type { ReadStore, Store } from '../../core/ports/store.ts';
import type { SearchEvent } from '../../core/search/events.ts';
import type { NodeData } from '../../core/tree/node-file.ts';
import { isWithin, movedPath } from '../../core/tree/slug.ts';
import { nodeAt, pathOf, Tree, type TreeNode, walk } from '../../core/tree/tree.ts';
import { patchBetween, patched } from '../../core/tree/tree-node.ts';
import { type TreeRecord, toldChild } from '../../core/tree/tree-record.ts';
import type { Reconciling, Repair } from '../../engine/reconcile.ts';
import { reconcile } from '../../engine/reconcile.ts';

/** Folders read at the same time while a tree is opened. */
const READS_AT_ONCE = 64;

/** Who reads the tree: a follower reads next to a live holder and keeps nodes in progress as they are. */
export type Reader = 'follower' | 'reader';

/**
 * Reads a whole tree from its files. Damaged files are listed in the store's problems; the rest still loads.
 * @param onRead told now and then how many nodes were read so far
 */
export async function openTree(
  store: ReadStore,
  title: string,
  reader: Reader,
  onRead?: Reconciling['onRead'],
): Promise<Tree> {
  return await readTree({ tree: new Tree(title), store, live: reader === 'follower', onRead });
}

/**
 * Reads the whole tree for the holder of the search, who repairs what a kill left incomplete.
 * @param gathered collects the nodes with a document, and those with an unreadable file
 */
export async function holdTree(
  repair: Repair,
  title: string,
  gathered: Pick<Reconciling, 'documents' | 'damaged'> = {},
): Promise<Tree> {
  return await readTree({ tree: new Tree(title), store: repair.store, repair, live: false, ...gathered });
}

async function readTree(at: Reconciling): Promise<Tree> {
  return await at.store.readTree(() => readLevels(at));
}

async function readLevels(at: Reconciling): Promise<Tree> {
  const { tree, onRead } = at;
  const breather = new Breather();
  let read = 0;
  let level: TreeNode[] = [tree.root];
  while (level.length > 0) {
    const below: TreeNode[] = [];
    // Not all at once: a promise for each of many nodes takes more memory than the nodes.
    for (let first = 0; first < level.length; first += READS_AT_ONCE) {
      const found = await Promise.all(level.slice(first, first + READS_AT_ONCE).map((node) => reconcile(at, node)));
      for (const { added } of found) below.push(...added);
      read += found.length;
      onRead?.(read);
      await breather.breathe();
    }
    level = below;
  }
  return tree;
}

/**
 * Reads the tree of a search that this process holds, and finds changes that its journal does not contain.
 * @param record the tree according to the journal; updated
 * @param time when the journal was last written, in milliseconds since 1970
 */
export async function openNodes(
  { store, random }: { readonly store: Store; readonly random: Random },
  title: string,
  record: TreeRecord,
  time: number,
): Promise<{ tree: Tree; found: SearchEvent[] }> {
  const newId = (): string => random.id();
  const gathered = { documents: new Set<TreeNode>(), damaged: new Set<TreeNode>() };
  const tree = await holdTree({ store, newId }, title, gathered);
  return { tree, found: await findOnOpening({ tree, ...gathered, record, time, store, newId }) };
}

/** A search that has just been opened, and its journal. */
interface Opening {
  /** According to its files. */
  readonly tree: Tree;
  /** The nodes that have a document. */
  readonly documents: ReadonlySet<TreeNode>;
  /** The nodes with an unreadable file. */
  readonly damaged: ReadonlySet<TreeNode>;
  /** According to the journal; updated by the reported events. */
  readonly record: TreeRecord;
  /** When the journal was last written, in milliseconds since 1970. */
  readonly time: number;
  readonly store: Store;
  readonly newId: () => string;
}

/** Documents that are read at the same time. */
const LOOKS_AT_ONCE = 64;
/** The maximum difference between the clocks of a journal and of a file, in milliseconds. */
const CLOCKS_APART = 2000;

/**
 * Finds out what was changed in the folder while nobody had the search open, or left unrecorded by a kill: moved nodes
 * (whatever refers to their paths follows), added and removed ones, and other changes. A copy of a node becomes a
 * separate node.
 */
async function findOnOpening(opening: Opening): Promise<SearchEvent[]> {
  const { tree, record } = opening;
  await recoverDamaged(opening);
  await keepIds(opening);
  await separateCopies(opening);
  const found: SearchEvent[] = [];
  const tell = (event: SearchEvent): void => {
    record.apply(event);
    found.push(event);
  };
  tellRemoved(tree, record, tell);
  for (const parent of walk(tree.root)) await tellChildren(opening, parent, tell);
  tellRemoved(tree, record, tell); // nodes that came back with a removed branch
  await keepIds(opening);
  for (const [node, told] of pairsOf(tree, record)) {
    tellOrder(node, told, tell);
    tellFields(node, told, tell);
  }
  await tellDocuments(opening, tell);
  return found;
}

type Tell = (event: SearchEvent) => void;

/** An unreadable file gets what the journal says about its node, as far as the other files confirm it. */
async function recoverDamaged({ tree, record, damaged, store }: Opening): Promise<void> {
  if (damaged.size === 0) return;
  for (const [node, told] of pairsOf(tree, record)) {
    if (!damaged.has(node) || !node.file || !told.file) continue;
    const file = recovered(node.file, told.file);
    // If the journal never named the node, its title is the name of its folder.
    if (file.title === node.slug) file.title = node.file.title;
    await store.changeNode(pathOf(node), file);
    tree.update(node, { file, ...(file.summary !== undefined && { summary: file.summary }) });
  }
}

function recovered({ status, leafReason }: NodeData, told: NodeData): NodeData {
  const isBorneOut = told.status === status || told.status === 'pruned' || told.status === 'failed';
  if (isBorneOut) return { ...told };
  const set = { status, ...(leafReason && { leafReason }) };
  return patched(told, { set, gone: leafReason ? [] : ['leafReason'] });
}

/** A file that lost its id still belongs to the node at its path. */
async function keepIds({ tree, record, store }: Opening): Promise<void> {
  for (const [node, told] of pairsOf(tree, record)) {
    const id = told.fileId;
    if (id === undefined || node.fileId !== undefined || !node.file || tree.links.byId(id)) continue;
    await store.changeNode(pathOf(node), { id });
    tree.update(node, { id });
  }
}

/** Of nodes with the same id or conversation, the one that the journal has at its path keeps them, else the first. */
async function separateCopies({ tree, record, store, newId }: Opening): Promise<void> {
  for (const key of ['id', 'sessionId'] as const) {
    const kept = new Map<string, TreeNode>();
    for (const node of walk(tree.root)) {
      const name = key === 'id' ? node.fileId : node.sessionId;
      const first = name === undefined ? undefined : kept.get(name);
      if (name === undefined) continue;
      const isOriginal = !first || nodeAt(record.tree, pathOf(node))?.file?.[key] === name;
      if (isOriginal) kept.set(name, node);
      const copy = isOriginal ? first : node;
      if (!copy?.file) continue;
      const id = key === 'id' ? newId() : copy.file.id;
      await store.changeNode(pathOf(copy), { id, sessionId: undefined, agentSession: undefined });
      const file = patched(copy.file, { set: id === undefined ? {} : { id }, gone: ['sessionId', 'agentSession'] });
      tree.update(copy, { file });
    }
  }
}

/** The nodes that are in both trees, as in the files and as in the journal; the roots first. */
function* pairsOf(tree: Tree, record: TreeRecord): Generator<[node: TreeNode, told: TreeNode]> {
  const waiting: [TreeNode, TreeNode][] = [[tree.root, record.tree.root]];
  for (let pair = waiting.pop(); pair; pair = waiting.pop()) {
    yield pair;
    if (pair[0].children.length === 0) continue; // most are leaves
    const told = new Map(pair[1].children.map((child) => [child.slug, child]));
    for (const child of pair[0].children) {
      const same = told.get(child.slug);
      if (same && isSame(tree, child, same)) waiting.push([child, same]);
    }
  }
}

/** Tells whether the node at a path is the journal's: not if ids differ, or if that one is elsewhere. */
function isSame(tree: Tree, { fileId: id }: TreeNode, { fileId: told }: TreeNode): boolean {
  if (told === undefined) return true;
  return id === undefined ? tree.links.byId(told) === undefined : id === told;
}

function tellRemoved(tree: Tree, record: TreeRecord, tell: Tell): void {
  const gone: string[] = [];
  for (const [node, told] of pairsOf(tree, record)) {
    if (told.children.length === 0) continue;
    const there = new Map(node.children.map((child) => [child.slug, child]));
    for (const child of told.children) {
      const same = there.get(child.slug);
      const id = child.fileId;
      const isElsewhere = id !== undefined && tree.links.byId(id) !== undefined;
      if (!isElsewhere && !(same && isSame(tree, same, child))) gone.push(pathOf(child));
    }
  }
  for (const node of gone) tell({ type: 'node-removed', node });
}

/** Nodes that appeared below a node: moved from elsewhere, or new. */
async function tellChildren(opening: Opening, parent: TreeNode, tell: Tell): Promise<void> {
  const { tree, record } = opening;
  if (parent.parent && parent.children.length === 0) return;
  const path = pathOf(parent);
  const told = nodeAt(record.tree, path);
  const known = new Map(told?.children.map((child) => [child.slug, child]));
  const fresh: TreeNode[] = [];
  for (const child of parent.children) {
    const there = known.get(child.slug);
    if (there && isSame(tree, child, there)) continue;
    if (there) tell({ type: 'node-removed', node: pathOf(child) });
    const id = child.fileId;
    const before = id === undefined ? undefined : record.find(id);
    if (!before) fresh.push(child);
    else await tellMoved(opening, child, pathOf(before), tell);
  }
  const isListed = !parent.parent && parent.listed && !told?.listed;
  if (fresh.length > 0 || isListed) tell({ type: 'node-added', node: path, children: fresh.map(toldChild) });
}

async function tellMoved({ tree, store }: Opening, node: TreeNode, from: string, tell: Tell): Promise<void> {
  const to = pathOf(node);
  const { id } = node.file as NodeData;
  tell({ type: 'node-moved', node: to, from, ...(id !== undefined && { id }), at: node.index });
  await store.changeNode(to, { slug: node.slug });
  for (const each of walk(tree.root)) {
    if (!each.file?.sameAs || from === to || !isWithin(each.file.sameAs, from)) continue;
    const sameAs = movedPath(each.file.sameAs, from, to);
    await store.changeNode(pathOf(each), { sameAs });
    tree.update(each, { sameAs });
  }
}

function tellOrder(node: TreeNode, told: TreeNode, tell: Tell): void {
  if (node.children.every(({ slug }, index) => slug === told.children[index]?.slug)) return;
  tell({ type: 'node-order', node: pathOf(node), order: node.children.map(({ slug }) => slug) });
}

function tellFields(node: TreeNode, told: TreeNode, tell: Tell): void {
  if (!node.file || !told.file) return;
  const patch = patchBetween(told.file, node.file);
  if (!patch) return;
  const { set, gone } = patch;
  const { status } = node.file;
  const was = told.file.status === status ? {} : { was: told.file.status };
  tell({
    type: 'node-status',
    node: pathOf(node),
    ...set,
    status,
    ...was,
    ...(gone.length > 0 && { gone: [...gone] }),
  });
}

/** Documents are read if they were modified after the journal, or if it does not mention them. */
async function tellDocuments({ tree, documents, record, time, store }: Opening, tell: Tell): Promise<void> {
  const pairs = [...pairsOf(tree, record)];
  const look = async ([node, told]: (typeof pairs)[number]): Promise<void> => {
    const path = pathOf(node);
    const before = told.document;
    const modified = documents.has(node) ? await store.readDocumentTime(path) : undefined;
    const isTouched = modified !== undefined && (before === undefined || modified > time - CLOCKS_APART);
    const document = isTouched ? await store.readDocumentHash(path) : modified === undefined ? undefined : before;
    if (document !== undefined) tree.update(node, { document });
    if (document === before) return;
    const what = document === undefined ? { gone: ['document'] } : { document };
    tell({ type: 'node-status', node: path, status: node.status, ...what });
  };
  // Not all at once: a promise for each of many nodes takes more memory than the nodes.
  for (let first = 0; first < pairs.length; first += LOOKS_AT_ONCE)
    await Promise.all(pairs.slice(first, first + LOOKS_AT_ONCE).map(look));
}
