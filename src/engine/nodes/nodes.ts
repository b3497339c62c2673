import type * as z from 'zod';
import type { Random } from '../../core/ports/ports.ts';
import type { Store } from '../../core/ports/store.ts';
import type { MoveResult } from '../../core/search/strategy.ts';
import type { NodeData, NodeFile } from '../../core/tree/node-file.ts';
import { type NodePatch, patched, type SplitPatch, splitPatch } from '../../core/tree/node-patch.ts';
import { joinedPath } from '../../core/tree/slug-path.ts';
import { toldChild } from '../../core/tree/told-child.ts';
import { type NodeId, pathOf, type Tree, type TreeNode } from '../../core/tree/tree.ts';
import type { CommitGate } from '../commit-gate.ts';
import type { History } from '../history.ts';
import { droppedAsPruned, droppedAsRemoved } from '../messages.ts';
import { checkFields } from './check-fields.ts';
import { HandEdits } from './hand-edits.ts';
import { RecentWrites } from './recent-writes.ts';
import { whatChanged } from './what-changed.ts';

/** What is needed to change nodes. */
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

/** How nodes are changed or added. */
export interface ChangeOptions {
  /** Who did it, if not the search itself. */
  readonly by?: string | undefined;
  /** Whether the list of children is complete, if the new status does not tell. */
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

  constructor(parts: NodesParts) {
    this.#parts = parts;
    this.#handEdits = new HandEdits({
      ...parts,
      newId: () => parts.random.id(),
      isUnderWay: (node) => this.isUnderWay(node),
      writes: this.#writes,
    });
  }

  /**
   * Sets fields of a node; null or undefined removes one. A node that becomes a leaf gets its empty list.
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
      this.#take(node, { ...split, document }, options);
    });
    this.#parts.changed([node.id]);
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
      return this.#takeChildren(parent, children, written, options);
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

  /** A node's file, unless a person pruned or removed it, which is then journaled. */
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

  /** Whether this process works on a node. */
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

  /** A node of version 0.1 gets its id when it is first written. */
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

  /** Applies what is on disk to the tree and the journal. */
  #take(node: TreeNode, { set, gone, document }: Written, { by, listed }: ChangeOptions): void {
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
    // What version 0.1 did not record is recorded together with the id.
    const told = before.id === undefined && set.id !== undefined ? file : set;
    const missing = document === null ? [...gone, 'document'] : [...gone];
    history.note({
      type: 'node-status',
      node: pathOf(node),
      status: file.status,
      ...(before.status !== file.status && { was: before.status }),
      ...told,
      ...(missing.length > 0 && { gone: missing }),
      ...(document && { document }),
      ...(by !== undefined && { by }),
    });
  }

  #takeChildren(
    parent: TreeNode,
    children: readonly Child[],
    written: readonly Written[],
    options: ChangeOptions,
  ): TreeNode[] {
    const { tree } = this.#parts;
    const standing = new Map(parent.children.map((child) => [child.slug, child]));
    const before = [...standing.keys()];
    const fresh: TreeNode[] = [];
    const nodes = children.map(({ slug, title }, index) => {
      const { document, ...split } = written[index] as Written;
      const known = standing.get(slug);
      if (known) {
        if (!isEmpty(split) || document !== undefined) this.#take(known, { ...split, document }, options);
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
    // Repeated for readers that only know this event for statuses, such as version 0.1.
    for (const node of nodes)
      if (node.file && node.status !== 'unexpanded')
        history.note({ type: 'node-status', node: pathOf(node), was: 'unexpanded', ...node.file, ...whose });
  }
}

/** What was written of a node; `document` is the hash of its text, null if it was moved aside. */
interface Written extends SplitPatch {
  readonly document?: string | null | undefined;
}

function isEmpty({ set, gone }: SplitPatch): boolean {
  return gone.length === 0 && Object.keys(set).length === 0;
}

/** A patch in the store's form. */
function onDisk({ set, gone }: SplitPatch): Partial<NodeFile> {
  return gone.length === 0 ? set : { ...set, ...Object.fromEntries(gone.map((name) => [name, undefined])) };
}

const LISTED = { expanded: true, leaf: true, unexpanded: false, 'in-progress': false, failed: false };

/** Whether a node's list of children is complete, judging by its status; a pruned one keeps what it has. */
function isListed(node: TreeNode, status: NodeData['status'] | undefined): boolean {
  return status === undefined || status === 'pruned' ? node.listed : LISTED[status];
}
