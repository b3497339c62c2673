import * as z from 'zod';
import type { MoveResult } from '../core/kind/strategy.ts';
import { wrongField } from '../core/messages/wrong-field.ts';
import type { Random } from '../core/ports/ports.ts';
import type { Store } from '../core/ports/store.ts';
import { ThoughtTreeError } from '../core/search/errors.ts';
import { type NodeData, type NodeFile, ToldFields } from '../core/tree/node-file.ts';
import { joinedPath } from '../core/tree/slug.ts';
import { pathOf, type Tree, type TreeNode } from '../core/tree/tree.ts';
import { type NodeId, type NodePatch, patched, type SplitPatch, splitPatch } from '../core/tree/tree-node.ts';
import { toldChild } from '../core/tree/tree-record.ts';
import { HandEdits } from './hand-edits.ts';
import type { History } from './history.ts';
import { droppedAsPruned, droppedAsRemoved, fieldsRefused, workStopped } from './messages.ts';
import { RecentWrites, whatChanged } from './reconcile.ts';

interface NodesParts {
  readonly tree: Tree;
  readonly store: Store;
  readonly history: History;
  readonly gate: CommitGate;
  readonly random: Random;
  /** Checks what the kind keeps in `own`. */
  readonly own?: z.ZodType | undefined;
  /** Tells the strategy that nodes changed; it ignores those of a move under way until the move ends. */
  readonly changed: (nodes: readonly NodeId[]) => void;
}

/**
 * The way to change nodes of an open search: on disk, then in the tree, then in the journal, then in the strategy.
 * Changes that a person makes by hand in the folder are applied here too.
 */
export class Nodes {
  readonly #parts: NodesParts;
  /** Nodes that this process works on, so that their files are incomplete on purpose. */
  readonly #underWay = new Set<NodeId>();
  readonly #writes = new RecentWrites();
  readonly #handEdits: HandEdits;
  readonly #written: WrittenNodes;

  constructor(parts: NodesParts) {
    this.#parts = parts;
    this.#written = new WrittenNodes(parts);
    this.#handEdits = new HandEdits({
      ...parts,
      newId: () => parts.random.id(),
      isUnderWay: (node) => this.isUnderWay(node),
      writes: this.#writes,
    });
  }

  /**
   * Sets fields of a node; null or undefined removes one. A node that becomes a leaf gets its empty list, and loses it when it
   * is opened again.
   * @throws ThoughtTreeError `bad-answer` for a field that could not be read again, or the store's error; then nothing has
   *   changed in memory
   */
  async change(node: TreeNode, patch: NodePatch, options: ChangeOptions = {}): Promise<void> {
    const split = this.#withId(node, splitPatch(patch));
    checkFields(split.set, this.#parts.own);
    const path = pathOf(node);
    const { store } = this.#parts;
    await this.#writes.write(node, async () => {
      const document = await this.#writeDocument(path, options.document);
      if (split.set.status === 'leaf' && !node.listed) await store.writeChildren(path, []);
      if (!isEmpty(split)) await store.changeNode(path, onDisk(split));
      // One that is opened again has no list, as its status says: the tree can be told from the journal then.
      const isOpenedAgain = node.listed && node.children.length === 0 && !isListed(node, split.set.status);
      if (isOpenedAgain) await store.drop(path, ['children.json']);
      this.#written.changed(node, { ...split, document }, options);
    });
    this.#parts.changed([node.id]);
  }

  /** Takes a node without children out of the search, with its files. */
  async remove(node: TreeNode, { by, listed = false }: ChangeOptions): Promise<void> {
    const { tree, store, history, changed } = this.#parts;
    const { parent } = node;
    if (!parent) return;
    const path = pathOf(node);
    const above = pathOf(parent);
    const others = parent.children.filter((child) => child !== node).map(({ title, slug }) => ({ title, slug }));
    await this.#writes.write(parent, async () => {
      // First the list: whoever finds the folder alone takes it for a node of a person.
      if (others.length > 0 || listed) await store.writeChildren(above, others);
      else await store.drop(above, ['children.json']);
      await store.removeNode(path);
      tree.remove(node);
      history.note({ type: 'node-removed', node: path, ...(by !== undefined && { by }) });
      if (parent.parent === undefined && parent.listed !== listed) tree.update(parent, { listed });
    });
    changed([parent.id]);
  }

  /** Makes a node available for work again; it keeps what it has. */
  async reopen(node: TreeNode, options: ChangeOptions = {}): Promise<void> {
    const open = { status: 'unexpanded' as const, failure: null, leafReason: null, sameAs: null };
    await this.change(node, open, options);
  }

  /**
   * Creates the children of a node, or completes them.
   * @param children the complete list as it should be; existing ones that are not in it come first
   * @param order whether children.json is written before or after the folders. Whatever is written last marks completion:
   *   for the root the list, as it has no node.json
   * @returns the children of the list, in its order
   * @throws ThoughtTreeError `bad-answer` for a field that could not be read again, or the store's error; then nothing has
   *   changed in memory
   */
  async add(
    parent: TreeNode,
    children: readonly Child[],
    order: 'list-first' | 'list-last',
    options: ChangeOptions = {},
  ): Promise<TreeNode[]> {
    for (const { fields, title } of children) checkFields({ ...splitPatch(fields ?? {}).set, title }, this.#parts.own);
    const path = pathOf(parent);
    const known = new Set(children.map(({ slug }) => slug));
    const others = parent.children.filter(({ slug }) => !known.has(slug));
    const list = [...others, ...children].map(({ title, slug }) => ({ title, slug }));
    const nodes = await this.#writes.write(parent, async () => {
      if (order === 'list-first') await this.#parts.store.writeChildren(path, list);
      const written = await Promise.all(children.map((child) => this.#writeChild(parent, child)));
      if (order === 'list-last') await this.#parts.store.writeChildren(path, list);
      return this.#written.added(parent, children, written, options);
    });
    this.#parts.changed([parent.id]);
    return nodes;
  }

  /**
   * Applies an answer to a node, unless a person has pruned or removed it meanwhile: then the answer is dropped, and that
   * is journaled.
   * @param work gets the node's current file
   * @throws ThoughtTreeError `aborted` if the signal is aborted while a person acts; and the errors of the work
   */
  async commit<T>(
    node: TreeNode,
    signal: AbortSignal | undefined,
    work: (file: NodeData) => Promise<T>,
  ): Promise<T | 'gone'> {
    return await this.#parts.gate.commit(async () => {
      const file = await this.wanted(node);
      if (file) return await work(file);
      await this.#handEdits.look(node);
      return 'gone';
    }, signal);
  }

  /** Returns a node's file, unless a person pruned or removed it, which is then journaled. */
  async wanted(node: TreeNode): Promise<NodeData | undefined> {
    const { tree, store, history } = this.#parts;
    if (!node.parent) return { title: node.title, status: node.status };
    const file = tree.get(node.id) === node ? await store.readNodeFile(pathOf(node)) : undefined;
    if (file && file.status !== 'pruned') return file;
    const what = [file ? droppedAsPruned() : droppedAsRemoved()];
    history.note({ type: 'reconciled', node: pathOf(node), ...whatChanged(what) });
    return undefined;
  }

  /**
   * Works on a node. Its files are incomplete meanwhile, so nothing is read from them; if the work was dropped, they are
   * read afterwards.
   */
  async work(node: TreeNode, signal: AbortSignal, work: () => Promise<MoveResult>): Promise<MoveResult> {
    this.#underWay.add(node.id);
    const result = await work().finally(() => this.#underWay.delete(node.id));
    if (result.outcome === 'dropped') await this.look(node, signal);
    await this.#parts.gate.commit(() => this.#handEdits.lookWhereWaiting(), signal);
    return result;
  }

  isUnderWay(node: TreeNode): boolean {
    return this.#underWay.has(node.id);
  }

  /** Rereads a node's folder and applies a person's changes there, including new branches. */
  async look(node: TreeNode, signal?: AbortSignal): Promise<void> {
    await this.#parts.gate.commit(() => this.#handEdits.look(node), signal);
  }

  /**
   * Checks a node before it is worked on: for those above it, only whether a person pruned or removed them; for its own
   * folder, anything that changed.
   */
  async lookBeforeWork(node: TreeNode, signal: AbortSignal): Promise<void> {
    await this.#parts.gate.commit(() => this.#handEdits.lookBeforeWork(node), signal);
  }

  /** Adds an id: of a new node, and of one that a person made without, once it is written. */
  #withId(node: TreeNode | undefined, { set, gone }: SplitPatch): SplitPatch {
    const isNew = !node || (node.fileId === undefined && !isEmpty({ set, gone }));
    return isNew ? { set: { id: this.#parts.random.id(), ...set }, gone } : { set, gone };
  }

  /** @returns the hash of what was written; null if the document was moved aside */
  async #writeDocument(path: string, text: string | null | undefined): Promise<string | null | undefined> {
    if (text === null) await this.#parts.store.setDocumentAside(path);
    return text == null ? text : await this.#parts.store.writeDocument(path, text);
  }

  async #writeChild(parent: TreeNode, child: Child): Promise<Written> {
    const { store } = this.#parts;
    const { slug, title, fields = {}, document: text } = child;
    const path = joinedPath(pathOf(parent), slug);
    const standing = parent.children.find((each) => each.slug === slug);
    const split = this.#withId(standing, splitPatch(fields));
    const whole = standing ? {} : { title, slug, status: 'unexpanded' as const };
    // A person may have made this node since its folder was last read.
    const isThere = text !== undefined && (standing !== undefined || (await store.readNodeFile(path)) !== undefined);
    if (!isEmpty(split)) await store.writeNode(path, { ...whole, ...onDisk(split) });
    const before = isThere ? await store.readDocumentHash(path) : undefined;
    const document = before ?? (await this.#writeDocument(path, text));
    if (split.set.status === 'leaf') await store.writeChildren(path, []);
    return { ...split, document };
  }
}

/** Returns a patch in the store's form. */
function onDisk({ set, gone }: SplitPatch): Partial<NodeFile> {
  return gone.length === 0 ? set : { ...set, ...Object.fromEntries(gone.map((name) => [name, undefined])) };
}

const Told = z.object(ToldFields);
/** The fields that are checked whenever they are set, since a kind fills them with what it likes. */
const FREE = ['links', 'failure', 'own'] as const;
/** The length up to which a text fits into any field, in characters. */
const SHORT = 200;

/**
 * Checks fields of a node before they are written: readers drop a field that is too long, so that it would be lost.
 * @param own checks what a kind keeps in `own`
 * @throws ThoughtTreeError `bad-answer`, naming the field
 */
function checkFields(set: Partial<NodeData>, own: z.ZodType | undefined): void {
  const isPlain = Object.values(set).every((value) => typeof value !== 'string' || value.length <= SHORT);
  if (isPlain && !FREE.some((name) => set[name] !== undefined)) return;
  const wrong = Told.safeParse(set).error ?? (set.own && own?.safeParse(set.own).error);
  if (wrong) throw new ThoughtTreeError('bad-answer', fieldsRefused({ why: wrongField(wrong) }));
}

interface ChangeOptions {
  /** Who did it, if not the search itself. */
  readonly by?: string | undefined;
  /** True if the list of children is complete, if the new status does not tell. */
  readonly listed?: boolean | undefined;
  /** The text of its document, written first; null to keep the current one aside. */
  readonly document?: string | null | undefined;
}

/** One child of a node, as it should be. */
export interface Child {
  readonly slug: string;
  readonly title: string;
  /** The other fields of its node.json. For an existing child, those to be changed. */
  readonly fields?: NodePatch | undefined;
  /** Its text, if it has none yet. */
  readonly document?: string | undefined;
}

/** The parts of a node that were written; `document` is the hash of its text, null if it was moved aside. */
interface Written extends SplitPatch {
  readonly document?: string | null | undefined;
}

interface WrittenNodesParts {
  readonly tree: Tree;
  readonly history: Pick<History, 'note'>;
}

/** Brings what was written to disk into the tree and then into the journal, in one step. */
class WrittenNodes {
  readonly #parts: WrittenNodesParts;

  constructor(parts: WrittenNodesParts) {
    this.#parts = parts;
  }

  /** Fields of a node were set or removed. */
  changed(node: TreeNode, { set, gone, document }: Written, { by, listed }: ChangeOptions): void {
    const { tree, history } = this.#parts;
    const before = node.file ?? { title: node.title, status: node.status };
    const file = patched(before, { set, gone });
    tree.update(node, {
      file,
      // Without its own summary, a node has that of its document.
      summary: set.summary ?? (gone.includes('summary') ? undefined : node.summary),
      listed: listed ?? isListed(node, set.status),
      document: document === undefined ? node.document : (document ?? undefined),
    });
    const missing = document === null ? [...gone, 'document'] : [...gone];
    history.note({
      type: 'node-status',
      node: pathOf(node),
      status: file.status,
      ...(before.status !== file.status && { was: before.status }),
      ...set,
      ...(missing.length > 0 && { gone: missing }),
      ...(document && { document }),
      ...(by !== undefined && { by }),
    });
  }

  /** @returns the children of a node that were made or completed, in their order */
  added(parent: TreeNode, children: readonly Child[], written: readonly Written[], options: ChangeOptions): TreeNode[] {
    const { tree } = this.#parts;
    const standing = new Map(parent.children.map((child) => [child.slug, child]));
    const before = [...standing.keys()];
    const fresh: TreeNode[] = [];
    const nodes = children.map(({ slug, title }, index) => {
      const { document, ...split } = written[index] as Written;
      const known = standing.get(slug);
      if (known) {
        if (!isEmpty(split) || document !== undefined) this.changed(known, { ...split, document }, options);
        return known;
      }
      const file = patched({ title, status: 'unexpanded' }, split);
      const listed = file.status === 'leaf';
      const node = tree.add(parent, slug, { file, listed, document: document ?? undefined });
      fresh.push(node);
      return node;
    });
    const known = new Set(nodes);
    const order = [...parent.children.filter((child) => !known.has(child)), ...nodes].map(({ slug }) => slug);
    tree.reorder(parent, order);
    const isFirst = !parent.parent && !parent.listed;
    if (isFirst) tree.update(parent, { listed: true });
    if (fresh.length > 0 || isFirst) this.#tellAdded(parent, fresh, options);
    if (order.filter((slug) => standing.has(slug)).some((slug, index) => slug !== before[index]))
      this.#parts.history.note({ type: 'node-order', node: pathOf(parent), order });
    return nodes;
  }

  #tellAdded(parent: TreeNode, nodes: readonly TreeNode[], { by }: ChangeOptions): void {
    const { history } = this.#parts;
    const whose = by === undefined ? {} : { by };
    history.note({ type: 'node-added', node: pathOf(parent), children: nodes.map(toldChild), ...whose });
    // Repeated for readers that count statuses by this event.
    for (const node of nodes)
      if (node.file && node.status !== 'unexpanded')
        history.note({ type: 'node-status', node: pathOf(node), was: 'unexpanded', ...node.file, ...whose });
  }
}

/** Tells whether a patch changes nothing. */
function isEmpty({ set, gone }: SplitPatch): boolean {
  return gone.length === 0 && Object.keys(set).length === 0;
}

const LISTED = { expanded: true, leaf: true, unexpanded: false, 'in-progress': false, failed: false };

/** Tells whether a node's list of children is complete, judging by its status; a pruned one keeps what it has. */
function isListed(node: TreeNode, status: NodeData['status'] | undefined): boolean {
  return status === undefined || status === 'pruned' ? node.listed : LISTED[status];
}

/**
 * Separates a person's actions from the writes of slots: commits of different nodes may run concurrently, but not while a
 * person's action changes the tree, since both may write the same list of children.
 */
export class CommitGate {
  #commits = 0;
  #isTaken = false;
  /** Actions under way or waiting for their turn. */
  #acting = 0;
  #waiting: (() => void)[] = [];
  /** Called when no action is left. */
  onFree: () => void = () => undefined;

  /** Tells whether no action is under way or waiting. */
  get isFree(): boolean {
    return this.#acting === 0;
  }

  /**
   * Commits, or reads the disk, once no action is under way.
   * @throws ThoughtTreeError `aborted` if the signal is aborted first
   */
  async commit<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    while (this.#isTaken) {
      if (signal?.aborted) throw new ThoughtTreeError('aborted', workStopped(), { charged: false });
      await this.#change(signal);
    }
    this.#commits++;
    try {
      return await work();
    } finally {
      // Only those who want to act wait for commits: waking the others as well would take the square of the slots.
      if (--this.#commits === 0) this.#wake();
    }
  }

  /** Acts once the commits under way are done; none begins meanwhile. One action at a time. */
  async alone<T>(work: () => Promise<T>): Promise<T> {
    this.#acting++;
    while (this.#isTaken) await this.#change();
    this.#isTaken = true;
    try {
      while (this.#commits > 0) await this.#change();
      return await work();
    } finally {
      this.#isTaken = false;
      this.#acting--;
      this.#wake();
      if (this.isFree) this.onFree();
    }
  }

  #change(signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      signal?.addEventListener('abort', () => resolve(), { once: true });
    });
  }

  #wake(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }
}
