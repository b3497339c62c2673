import pLimit from 'p-limit';
import type { NodeOnDisk, Store } from '../../core/ports/store.ts';
import { isAnswer } from '../../core/search/conversation.ts';
import { isThoughtTreeError } from '../../core/search/errors.ts';
import type { JournalEvent } from '../../core/search/events.ts';
import type { ChildrenFile } from '../../core/search/search-file.ts';
import { type NodeData, nodeDataOf } from '../../core/tree/node-file.ts';
import { joinedPath, parentPath } from '../../core/tree/slug.ts';
import { nodeAt, pathOf, type TreeNode } from '../../core/tree/tree.ts';
import { patchBetween } from '../../core/tree/tree-node.ts';
import { TreeRecord } from '../../core/tree/tree-record.ts';
import { ROOT_SESSION } from '../transcripts/conversations.ts';

/** A search whose last process did not close it. */
export interface Recovery {
  readonly store: Store;
  readonly states: JournalStates;
  /** A node's document, made from what is kept of the answers; undefined if nothing is. */
  readonly documentAgain: (node: TreeNode) => Promise<string | undefined>;
}

/** More children of one node are not made again. */
const MOST_CHILDREN = 1000;

/** The fields of a node that the engine alone decides, and decides again in the same way. */
const OURS = [
  'status',
  'leafReason',
  'failure',
  'evaluation',
  'unscored',
  'selected',
  'sameAs',
  'prunedBy',
  'own',
] as const;

/**
 * Makes again what a loss of power took from a search, before it is opened: lists, documents and folders that are missing,
 * empty or older than the journal says. The journal was flushed at each call, and the conversations with each answer;
 * of anything newer nothing was paid for, so that it goes back to what the journal says, and is made again by the search
 * itself. What a person changed by hand stays (also a status or a score set after the computer was started again), except
 * that nothing counts as removed by hand.
 *
 * After a mere kill nothing is lost, and nothing is done here, unless a file is found that only a loss of power leaves.
 */
export async function recover(recovery: Recovery): Promise<void> {
  const { store, states } = recovery;
  const scan = new Scan(store);
  await scan.all();
  if (store.lastEnd === 'killed' && scan.torn.size === 0) return;
  let level: readonly TreeNode[] = [states.record.tree.root];
  while (level.length > 0) {
    for (const node of level) await recoverNode(recovery, scan, node);
    level = level.flatMap(({ children }) => children.slice(0, MOST_CHILDREN));
  }
  await dropUnknown(recovery, scan);
}

/** A journal may come from anywhere: what it names outside of the search's folder is left alone. */
async function recoverNode(recovery: Recovery, scan: Scan, node: TreeNode): Promise<void> {
  try {
    if (node.parent) await recoverFile(recovery, scan, node);
    await recoverList(recovery, scan, node);
    if (node.parent) await recoverDocument(recovery, scan, node);
  } catch (error) {
    if (!isThoughtTreeError(error, 'outside')) throw error;
  }
}

/** node.json: missing, older, or with what is to be decided again. */
async function recoverFile({ store, states }: Recovery, scan: Scan, node: TreeNode): Promise<void> {
  const { file: told } = node;
  const path = pathOf(node);
  if (!told) return;
  if (!scan.nodes.has(path)) await scan.branches([path]); // its folder was not a node as long as the one above was none
  const found = scan.nodes.get(path);
  if (!found) {
    if (!isLost(scan, node)) return;
    await store.writeNode(path, { ...told, slug: node.slug });
    await scan.branches([path]);
    return;
  }
  if (found.isDamaged || told.id === undefined) return;
  const file = nodeDataOf(found.file);
  const patch = patchBetween(file, told);
  if (!patch) return;
  if (await store.changedSinceStart(path)) return; // a person's: found on opening, like any edit
  const isOlder = states.wasOnce(node, file);
  const fields = { ...patch.set, ...Object.fromEntries(patch.gone.map((name) => [name, undefined])) };
  const changed = isOlder ? fields : ours(fields, file);
  if (Object.keys(changed).length > 0) await store.changeNode(path, changed);
}

function ours(fields: Readonly<Record<string, unknown>>, file: NodeData): Record<string, unknown> {
  const isByHand = file.status === 'pruned' && (file.prunedBy ?? 'user') === 'user';
  const names = OURS.filter((name) => name in fields && !(isByHand && (name === 'status' || name === 'prunedBy')));
  return Object.fromEntries(names.map((name) => [name, fields[name]]));
}

/** children.json: that of a finished node has all its children. */
async function recoverList({ store }: Recovery, scan: Scan, node: TreeNode): Promise<void> {
  const path = pathOf(node);
  const found = node.parent ? scan.nodes.get(path) : undefined;
  if (node.parent && !found) return;
  const list = node.parent ? found?.children : scan.list;
  if (!node.listed) {
    // The root's list says that it is finished, though its children may not be whole.
    if (!node.parent && list && (await isAnswered(store, ROOT_SESSION))) await store.drop('', ['children.json']);
    return;
  }
  const known = new Set(list?.map(({ slug }) => slug));
  const children = node.children.filter((child) => scan.nodes.has(pathOf(child)) || isLost(scan, child));
  if (list && children.every(({ slug }) => known.has(slug))) return;
  const told = children.map(({ title, slug }) => ({ title, slug }));
  await store.writeChildren(path, withOthers(told, list ?? []));
}

function withOthers(told: ChildrenFile, list: ChildrenFile): ChildrenFile {
  const known = new Set(told.map(({ slug }) => slug));
  return [...told, ...list.filter(({ slug }) => !known.has(slug))];
}

/** Tells whether a node that is not at its place is nowhere; of one without an id, only its torn files say so. */
function isLost(scan: Scan, node: TreeNode): boolean {
  const id = node.file?.id;
  return id === undefined ? scan.torn.has(pathOf(node)) : !scan.ids.has(id);
}

/** document.md; of one that cannot be made again, what is left is set aside. */
async function recoverDocument(recovery: Recovery, scan: Scan, node: TreeNode): Promise<void> {
  const { store, states, documentAgain } = recovery;
  const path = pathOf(node);
  const hash = scan.nodes.has(path) ? await store.readDocumentHash(path) : undefined;
  if (!scan.nodes.has(path) || hash === node.document) return;
  const standing = hash === undefined ? '' : ((await store.readDocument(path)) ?? '');
  const isOlder = hash !== undefined && states.hadDocument(node, hash);
  const again = await documentAgain(node);
  if (standing !== '' && !isOlder && !breaksOff(standing, again)) return; // a person's
  if (again !== undefined) {
    // It may be a person's after all, who took something away.
    if (standing !== '' && standing !== again) await store.setDocumentAside(path);
    await store.writeDocument(path, again);
  } else if (hash !== undefined) await store.setDocumentAside(path);
}

/** Tells whether a document is part of what it should be, or, if that is unknown, lacks the end that all have. */
function breaksOff(standing: string, again: string | undefined): boolean {
  if (standing.includes('\0')) return true;
  // It may break off within a character.
  return again === undefined ? !standing.endsWith('\n') : again.startsWith(standing.replace(/\ufffd{1,3}$/, ''));
}

/**
 * Nodes that the journal does not know are newer than it. Those that the search made, and in which nothing was done yet,
 * are made again from the conversation above them, which may be more than what is left of them.
 */
async function dropUnknown({ store, states }: Recovery, scan: Scan): Promise<void> {
  const { tree } = states.record;
  const told = new Set<string>();
  const sessions = new Map<string, string | undefined>([['', ROOT_SESSION]]);
  for (const waiting = [tree.root]; waiting.length > 0; ) {
    const node = waiting.pop() as TreeNode;
    told.add(pathOf(node));
    sessions.set(pathOf(node), node.parent ? node.sessionId : ROOT_SESSION);
    waiting.push(...node.children);
  }
  for (const path of new Set([...scan.nodes.keys(), ...scan.torn, ...listedIn(scan)])) {
    if (told.has(path) || !isUntouched(scan.nodes.get(path), states)) continue;
    const session = sessions.get(parentPath(path));
    if (session === undefined || !(await isAnswered(store, session))) continue;
    await store.setDocumentAside(path); // a person may have edited it
    await store.drop(path, ['node.json', 'children.json']);
  }
}

function* listedIn({ list, nodes }: Scan): Generator<string> {
  for (const { slug } of list ?? []) yield slug;
  for (const [path, { children }] of nodes) for (const { slug } of children ?? []) yield joinedPath(path, slug);
}

function isUntouched(found: NodeOnDisk | undefined, { record }: JournalStates): boolean {
  if (!found) return true;
  const { file, folders, children = [] } = found;
  const isNew = file.id !== undefined && !record.find(file.id) && file.sessionId === undefined;
  return isNew && folders.length === 0 && children.length === 0;
}

async function isAnswered(store: Store, session: string): Promise<boolean> {
  return (await store.readConversation(session))?.turns.some(isAnswer) ?? false;
}

/** Folders read at the same time. */
const READS_AT_ONCE = 64;

/** Reads the disk, without files that a loss of power left empty or cut off: these are removed as they are found. */
class Scan {
  /** By slug path. */
  readonly nodes = new Map<string, NodeOnDisk>();
  readonly ids = new Set<string>();
  /** The root's list; undefined if there is none. */
  list: ChildrenFile | undefined;
  /** Nodes that had files that were empty or cut off. */
  readonly torn = new Set<string>();
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Reads the whole search. */
  async all(): Promise<void> {
    if (await this.#store.dropTorn('')) this.torn.add('');
    const { children, folders } = await this.#store.readRootChildren();
    this.list = children;
    await this.branches(folders);
  }

  /** Reads nodes and all that is below them. */
  async branches(paths: readonly string[]): Promise<void> {
    const limit = pLimit(READS_AT_ONCE);
    let level = paths;
    while (level.length > 0) level = (await limit.map([...level], (path) => this.#look(path))).flat();
  }

  /** @returns the nodes below it */
  async #look(path: string): Promise<string[]> {
    if (await this.#store.dropTorn(path)) this.torn.add(path);
    const found = await this.#store.readNode(path);
    if (!found) return [];
    this.nodes.set(path, found);
    if (found.file.id !== undefined) this.ids.add(found.file.id);
    return found.folders.map((slug) => joinedPath(path, slug));
  }
}

/** The tree according to the journal, and what its nodes were before. */
export class JournalStates {
  readonly record: TreeRecord;
  readonly #files = new Map<TreeNode, NodeData[]>();
  readonly #documents = new Map<TreeNode, Set<string>>();

  constructor(title: string, journal: readonly JournalEvent[]) {
    this.record = new TreeRecord(title);
    const at = (path: string): TreeNode | undefined => nodeAt(this.record.tree, path);
    for (const event of journal) {
      // Its line may be lost that told of the node itself: the record would make up a title.
      if ((event.type === 'node-status' || event.type === 'node-added') && !at(event.node)) continue;
      this.record.apply(event);
      if (event.type === 'node-status') this.#keep(at(event.node));
      else if (event.type === 'node-added')
        for (const { slug } of event.children) this.#keep(at(joinedPath(event.node, slug)));
    }
  }

  /** Tells whether a file of a node is one that it had before. */
  wasOnce(node: TreeNode, file: NodeData): boolean {
    return this.#files.get(node)?.some((before) => !patchBetween(before, file)) ?? false;
  }

  /** Tells whether a document of a node is one that it had before, by its hash. */
  hadDocument(node: TreeNode, hash: string): boolean {
    return this.#documents.get(node)?.has(hash) ?? false;
  }

  #keep(node: TreeNode | undefined): void {
    if (!node) return;
    const files = this.#files.get(node) ?? [];
    if (node.file && files.at(-1) !== node.file) this.#files.set(node, [...files, node.file]);
    const documents = this.#documents.get(node) ?? new Set();
    if (node.document !== undefined) this.#documents.set(node, documents.add(node.document));
  }
}
