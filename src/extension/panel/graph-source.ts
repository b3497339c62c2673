import type { KindDescriptor } from '../../core/kind/kind-descriptor.ts';
import { joinedPath } from '../../core/tree/slug.ts';
import { nodeAt, pathOf, type Tree, type TreeNode, walk } from '../../core/tree/tree.ts';
import { descriptorOf, type Kinds } from '../../engine/kind.ts';
import type { GraphNode, GraphSearch } from '../../protocol/graph-node.ts';
import type { OpenBranches } from '../../protocol/view-message.ts';
import type { Moment } from '../../searches/history/timeline.ts';
import { graphNodeOf, graphSearchOf } from '../../searches/search-graph.ts';
import type { FollowedSearch } from '../library/followed-search.ts';
import { messageText } from '../message-text.ts';

export interface GraphChange {
  readonly upserts: readonly GraphNode[];
  readonly removals: readonly string[];
}

/** Larger trees are drawn as the journal tells them before their files are read. */
const SMALL = 500;

/**
 * One search as the panel draws it, whoever runs it: first from what is known, which is the tree in memory, else the journal, then from
 * its files.
 */
export class GraphSource {
  readonly #search: FollowedSearch;
  readonly #kinds: Kinds;
  #tree: Tree | undefined;
  /** Read from the files, and not yet drawn. */
  #read: Tree | undefined;
  #isWhole = false;
  /** The moment that is drawn, if that is not now. */
  #past: Moment | undefined;
  /** The last message about each node, as text, so that only changes are sent. */
  readonly #told = new Map<string, string>();
  /** The children in those messages, by slug. */
  readonly #childrenTold = new Map<string, string[]>();

  /** @param kinds the known ones, for their terms */
  constructor(search: FollowedSearch, kinds: Kinds) {
    this.#search = search;
    this.#kinds = kinds;
  }

  /** Tells whether its tree is that of its files, and kept up to date. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  /** Tells whether it is drawn as it was, and not as it is now. */
  get isPast(): boolean {
    return this.#past !== undefined;
  }

  /** Draws it as it was at a moment, or as it is now: `changes` tell what that changes. */
  show(past: Moment | undefined): void {
    this.#past = past;
  }

  /** The tree that is drawn. */
  get #drawn(): Tree | undefined {
    return this.#past?.tree ?? this.#tree;
  }

  /** The number of its nodes, as far as it is known. */
  get size(): number {
    if (this.#past) return this.#past.tree.size;
    return Math.max(this.#tree?.size ?? 0, this.#search.size);
  }

  /** Gets something to draw, if there is nothing yet. */
  async open(): Promise<void> {
    if (this.#drawn || !this.#search.store) return;
    const told = this.#search.size > SMALL ? await this.#search.toldTree() : undefined;
    if (told && told.size > 0) {
      this.#tree = told;
      return;
    }
    await this.read();
    this.adopt();
  }

  /** The nodes in portions, those first that are in sight; forgets what was sent before. */
  *portions(view?: OpenBranches): Generator<GraphNode[]> {
    this.#told.clear();
    this.#childrenTold.clear();
    const tree = this.#drawn;
    if (!tree) return yield [];
    for (const nodes of inPortions(tree, view, this.summary.bestPath)) yield this.#tellAll(tree, nodes, []);
  }

  /** Reads the whole tree from its files; `adopt` makes it the one that is drawn. */
  async read(onRead?: (nodes: number) => void): Promise<void> {
    this.#read = this.#search.store && (await this.#search.rereadTree(onRead));
  }

  adopt(): void {
    this.#tree = this.#read ?? this.#tree;
    this.#isWhole = this.#tree !== undefined;
    this.#read = undefined;
  }

  /** Yields what was sent and is different in the tree that is drawn, in portions: those first that are in sight. */
  *changes(view?: OpenBranches): Generator<GraphChange> {
    const tree = this.#drawn;
    if (!tree) return;
    for (const nodes of inPortions(tree, view, view ? [] : this.summary.bestPath)) {
      const removals: string[] = [];
      yield { upserts: this.#tellAll(tree, nodes, removals), removals };
    }
  }

  /** Reads nodes again. */
  async look(paths: Iterable<string>): Promise<GraphChange> {
    if (!this.#search.store || !this.#isWhole || this.#past) return { upserts: [], removals: [] };
    return this.#differences(await this.#search.look(paths));
  }

  /** Nobody looks at the drawing any more. */
  close(): void {
    this.#search.forgetTree();
  }

  /** Nodes whose process is gone are open again: those in progress are read again when nobody works on the search. */
  inProgress(): string[] {
    return this.#tree ? [...walk(this.#tree.root)].filter(isInProgress).map(pathOf) : [];
  }

  /** The search as a whole. */
  get summary(): Omit<GraphSearch, 'actions'> {
    const parts = { kinds: this.#kinds, show: messageText };
    const { fleet } = this.#search;
    if (this.#past) {
      const { reader, tree, said, seq, at, time } = this.#past;
      return { ...graphSearchOf(reader, tree, parts), past: { seq, at, time, said: said ? messageText(said) : '' } };
    }
    return { ...graphSearchOf(this.#search, this.#tree, parts), ...forecastOf(this.#search), ...(fleet && { fleet }) };
  }

  get #descriptor(): KindDescriptor | undefined {
    const { file } = this.#search;
    return file && descriptorOf(this.#kinds, file.kind);
  }

  #differences(touched: ReadonlySet<TreeNode>): GraphChange {
    const tree = this.#tree as Tree;
    const upserts: GraphNode[] = [];
    const removals: string[] = [];
    for (const node of touched) {
      const path = pathOf(node);
      if (nodeAt(tree, path) !== node) {
        if (!nodeAt(tree, path)) this.#forget(path, removals);
        continue;
      }
      this.#forgetMissing(node, path, removals);
      for (const each of [...affectedBy(node), ...tree.links.to(node).map(({ from }) => from)])
        this.#tell(tree, each, upserts);
    }
    return { upserts: upserts.sort((a, b) => depthOf(a) - depthOf(b)), removals };
  }

  #tellAll(tree: Tree, nodes: readonly TreeNode[], removals: string[]): GraphNode[] {
    const upserts: GraphNode[] = [];
    for (const node of nodes) {
      const path = this.#tell(tree, node, upserts);
      if (node.children.length > 0 || this.#childrenTold.has(path)) this.#forgetMissing(node, path, removals);
    }
    return upserts;
  }

  /** @returns its path */
  #tell(tree: Tree, node: TreeNode, upserts: GraphNode[]): string {
    const path = pathOf(node);
    const spend = (this.#past?.reader ?? this.#search).spentOn(path);
    const told = graphNodeOf(node, this.#descriptor, messageText, { links: tree.links, spend });
    const text = JSON.stringify(told);
    if (this.#told.get(path) === text) return path;
    this.#told.set(path, text);
    upserts.push(told);
    return path;
  }

  /** Children that were sent and are gone. */
  #forgetMissing(node: TreeNode, path: string, removals: string[]): void {
    const slugs = new Set(node.children.map(({ slug }) => slug));
    for (const known of this.#childrenTold.get(path) ?? [])
      if (!slugs.has(known)) this.#forget(joinedPath(path, known), removals);
    this.#childrenTold.set(path, [...slugs]);
  }

  #forget(path: string, removals: string[]): void {
    if (!this.#told.has(path)) return;
    removals.push(path);
    // Grows while it is walked.
    const branch = [path];
    for (const each of branch) {
      this.#told.delete(each);
      for (const slug of this.#childrenTold.get(each) ?? []) branch.push(joinedPath(each, slug));
      this.#childrenTold.delete(each);
    }
  }
}

/** In dollars if prices are known; nothing for a free search, or one that another process runs. */
function forecastOf({ forecast }: FollowedSearch): Pick<GraphSearch, 'forecast'> {
  if (!forecast) return {};
  const { left, whole } = forecast();
  const unit = whole.usd ? 'usd' : 'tokens';
  const band = whole.usd ?? whole.tokens;
  const high = Math.max(band.high, whole.atMost?.[unit] ?? 0);
  return { forecast: { unit, ...band, high, minutes: left.minutes.likely } };
}

/** Returns the nodes whose words a change affects: of parent and children, or, where a parent keeps some, siblings. */
function affectedBy(node: TreeNode): readonly TreeNode[] {
  const { parent, children } = node;
  return [parent ?? [], node, children, parent?.file?.own ? parent.children : []].flat();
}

function isInProgress({ status }: TreeNode): boolean {
  return status === 'in-progress';
}

function depthOf({ path }: GraphNode): number {
  return path === '' ? 0 : path.split('/').length;
}

/** Nodes in one message: neither the extension nor the page is held up for longer than a blink by so many. */
const AT_ONCE = 1000;
/** More than fit into a window at sizes that can be read; the first picture may need all of them. */
const IN_SIGHT = 2000;

/**
 * All nodes of a tree in portions, parents before their children, those first that a drawing shows.
 * @param view what the drawing shows, if that is known
 * @param best the paths of the best path's nodes, which a first look opens
 */
function* inPortions(tree: Tree, view: OpenBranches | undefined, best: Iterable<string>): Generator<TreeNode[]> {
  const all = byLevels(tree);
  const open = openIn(all, view, new Set(view?.opened ?? best));
  const seen = new Set<TreeNode>();
  for (const node of all) {
    if (seen.size >= IN_SIGHT) break;
    if (!node.parent || (seen.has(node.parent) && open(node.parent))) seen.add(node);
  }
  yield [...seen];
  const rest = all.filter((node) => !seen.has(node));
  for (let at = 0; at < rest.length; at += AT_ONCE) yield rest.slice(at, at + AT_ONCE);
}

/** Level by level, each in order. */
function byLevels({ root }: Tree): TreeNode[] {
  const all: TreeNode[] = [root];
  // Grows while it is walked.
  for (const node of all) for (const child of node.children) all.push(child);
  return all;
}

/** Tells whether the children of a node are in sight, if it is itself. */
function openIn(
  all: readonly TreeNode[],
  view: OpenBranches | undefined,
  opened: ReadonlySet<string>,
): (node: TreeNode) => boolean {
  // By default as many levels as fit into one portion.
  const levels = view ? view.levels || Number.POSITIVE_INFINITY : (all[AT_ONCE]?.depth ?? Number.POSITIVE_INFINITY) - 1;
  return (node) => node.depth < levels || opened.has(pathOf(node));
}
