import { SerialQueue } from '../core/concurrency.ts';
import type { Store } from '../core/ports/store.ts';
import { isThoughtTreeError } from '../core/search/errors.ts';
import { FOUND, type SearchEvent } from '../core/search/events.ts';
import type { NodeFile } from '../core/tree/node-file.ts';
import { isWithin, joinedPath, movedPath } from '../core/tree/slug.ts';
import { isBelow, isPruned, lineageOf, pathOf, type Tree, type TreeNode, walk } from '../core/tree/tree.ts';
import type { NodeId } from '../core/tree/tree-node.ts';
import type { History } from './history.ts';
import { type OpenNodes, type RecentWrites, type Reconciled, reconcile, whatChanged } from './reconcile.ts';

/** A folder that disappears while it is read is read again. */
function unlessGone(error: unknown): Reconciled {
  if (!isThoughtTreeError(error, 'not-found')) throw error;
  return { changed: [], added: [], what: [], isStale: true };
}

/** The number of times that files which changed during a read are read again. */
const MOST_AGAIN = 10;

interface HandEditsParts extends Pick<OpenNodes, 'isUnderWay'> {
  readonly writes: Pick<RecentWrites, 'now' | 'touched' | 'write'>;
  readonly tree: Tree;
  readonly store: Store;
  readonly history: History;
  readonly newId: () => string;
  /** Tells the strategy that nodes changed. */
  readonly changed: (nodes: readonly NodeId[]) => void;
}

/**
 * Applies a person's changes in the folder of an open search: edits, new branches, removals, reordering; and, by the ids
 * of nodes, renames, moves and copies. A moved node keeps its identity; a copy is a separate node.
 */
export class HandEdits {
  readonly #parts: HandEditsParts;
  /** Removed nodes, by the ids in their files: half of a move looks like a removal. */
  readonly #removed = new Map<string, TreeNode>();
  /** Nodes with new children that have to wait for the end of work on them. */
  readonly #waiting = new Set<TreeNode>();
  readonly #looks = new SerialQueue();

  constructor(parts: HandEditsParts) {
    this.#parts = parts;
  }

  /** Rereads a node's folder, and reads new branches in it; one read after the other. */
  async look(node: TreeNode): Promise<void> {
    await this.#looks.run(() => this.#look(node));
  }

  /**
   * Checks a node before it is worked on: for those above it, only whether a person pruned or removed them; for its own
   * folder, anything that changed.
   */
  async lookBeforeWork(node: TreeNode): Promise<void> {
    await this.#looks.run(() => this.#lookBeforeWork(node));
  }

  /** Reads what had to wait for the end of work. */
  async lookWhereWaiting(): Promise<void> {
    for (const node of [...this.#waiting]) {
      this.#waiting.delete(node);
      await this.look(node);
    }
  }

  async #look(node: TreeNode): Promise<void> {
    const { tree, store, history, newId, changed, isUnderWay, writes } = this.#parts;
    const open: OpenNodes = {
      isUnderWay,
      writes,
      newcomer: (parent, slug) => this.#newcomer(parent, slug),
      tell: (event) => this.#tell(event),
      keep: (branch) => this.#keep(branch),
    };
    const at = { tree, store, live: false, repair: { store, newId }, open };
    const waiting = [node];
    let again = MOST_AGAIN;
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const path = pathOf(next);
      const found = await reconcile(at, next).catch(unlessGone);
      waiting.push(...found.added);
      if (found.isStale && tree.get(next.id) === next && again-- > 0) waiting.push(next);
      if (found.changed.length > 0) changed(found.changed);
      if (found.what.length > 0) history.note({ type: 'reconciled', node: path, ...whatChanged(found.what) });
    }
  }

  async #lookBeforeWork(node: TreeNode): Promise<void> {
    const { tree, store } = this.#parts;
    for (const ancestor of lineageOf(node).slice(0, -1)) {
      const file = await store.readNodeFile(pathOf(ancestor));
      if (file && (file.status === 'pruned') === (ancestor.status === 'pruned')) continue;
      await this.#look(ancestor);
      if (tree.get(node.id) !== node || isPruned(node)) return;
    }
    await this.#look(node);
  }

  /** Finds out what an unknown folder is: a moved node, a copy of one, or a new one. */
  async #newcomer(parent: TreeNode, slug: string): Promise<{ from: string } | 'new' | 'later'> {
    const { tree, store, isUnderWay, newId } = this.#parts;
    const path = joinedPath(pathOf(parent), slug);
    const file = await store.readNodeFile(path);
    const node = file && this.#twin(file);
    if (!file || !node || parent.children.some((child) => child.slug === slug)) return 'new';
    const from = pathOf(node);
    const isMoved = tree.get(node.id) !== node || !(await this.#isAt(from, file));
    if (!isMoved || isBelow(parent, node)) {
      await store.changeNode(path, { id: newId(), sessionId: undefined, agentSession: undefined });
      return 'new';
    }
    if ([...walk(node)].some(isUnderWay)) {
      this.#waiting.add(parent);
      return 'later';
    }
    await this.#move(node, parent, slug);
    return { from };
  }

  /** Returns the node that a file belongs to, or is a copy of. */
  #twin({ id }: NodeFile): TreeNode | undefined {
    return id === undefined ? undefined : (this.#parts.tree.links.byId(id) ?? this.#removed.get(id));
  }

  /** Tells whether a folder still contains the node of a file. */
  async #isAt(path: string, { id }: NodeFile): Promise<boolean> {
    const found = await this.#parts.store.readNode(path);
    if (!found) return false;
    // While its file cannot be read, another folder with its id is taken for a copy: that takes nothing away from it.
    return found.isDamaged || found.file.id === id;
  }

  /** Applies the move of a branch: first to files on disk that refer to its old path, then to tree and journal. */
  async #move(node: TreeNode, parent: TreeNode, slug: string): Promise<void> {
    const { tree, store, changed, writes } = this.#parts;
    const from = pathOf(node);
    const to = joinedPath(pathOf(parent), slug);
    const same = [...walk(tree.root)].filter(({ sameAs }) => sameAs !== undefined && isWithin(sameAs, from));
    await store.changeNode(to, { slug });
    if (node.parent !== parent && tree.get(node.id) === node) await this.#takeOffList(node);
    for (const each of same) {
      const sameAs = movedPath(each.sameAs ?? '', from, to);
      // Whoever has just read the file of one of these, such as the new parent, has to read it again.
      await writes.write(each, () => store.changeNode(movedPath(pathOf(each), from, to), { sameAs }));
    }
    if (parent.children.some((child) => child.slug === slug)) return; // it was added meanwhile
    tree.move(node, parent, slug);
    for (const each of walk(node)) if (each.fileId !== undefined) this.#removed.delete(each.fileId);
    const id = node.fileId;
    this.#tell({ type: 'node-moved', node: to, from, ...(id !== undefined && { id }), at: node.index });
    for (const each of same) {
      const sameAs = movedPath(each.sameAs ?? '', from, to);
      tree.update(each, { sameAs });
      this.#tell({ type: 'node-status', node: pathOf(each), status: each.status, sameAs });
    }
    changed([...walk(node), ...same].map(({ id: each }) => each));
  }

  /** A list that still names a moved child would cause it to be created again. */
  async #takeOffList({ parent, slug }: TreeNode): Promise<void> {
    const { store } = this.#parts;
    if (!parent) return;
    const path = pathOf(parent);
    const found = parent.parent ? await store.readNode(path) : await store.readRootChildren();
    const list = found?.children?.filter((child) => child.slug !== slug);
    if (list && list.length < (found?.children?.length ?? 0)) await store.writeChildren(path, list);
  }

  #keep(branch: readonly TreeNode[]): void {
    for (const node of branch) if (node.fileId !== undefined) this.#removed.set(node.fileId, node);
  }

  #tell(event: SearchEvent): void {
    this.#parts.history.note({ ...event, by: FOUND.byHand } as SearchEvent);
  }
}
