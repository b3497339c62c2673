import type { KindFace } from '../../core/search/kind-face.ts';
import { joinedPath } from '../../core/tree/slug-path.ts';
import { nodeAt, pathOf, type Tree, type TreeNode, walk } from '../../core/tree/tree.ts';
import { faceOf, type Kinds } from '../../engine/kind/kinds.ts';
import type { GraphNode, GraphSearch } from '../../protocol/graph-node.ts';
import { graphNodeOf, graphSearchOf } from '../../searches/graph/graph-of-search.ts';
import type { FollowedSearch } from '../library/followed-search.ts';
import { messageText } from '../message-text.ts';

/** What changed since the last update. */
export interface GraphChange {
  readonly upserts: readonly GraphNode[];
  readonly removals: readonly string[];
}

/** One search as the panel draws it, read from its files and its journal, whoever runs it. */
export class GraphSource {
  readonly #search: FollowedSearch;
  readonly #kinds: Kinds;
  #tree: Tree | undefined;
  /** The last message about each node, as text, so that only changes are sent. */
  readonly #told = new Map<string, string>();
  /** The children in those messages, by slug. */
  readonly #childrenTold = new Map<string, string[]>();

  /** @param kinds the known ones, for their terms */
  constructor(search: FollowedSearch, kinds: Kinds) {
    this.#search = search;
    this.#kinds = kinds;
  }

  /** Reads the whole tree; forgets what was sent before. */
  async open(): Promise<GraphNode[]> {
    this.#told.clear();
    this.#childrenTold.clear();
    this.#tree = this.#search.store && (await this.#search.rereadTree());
    const nodes: GraphNode[] = [];
    const tree = this.#tree;
    if (!tree) return nodes;
    for (const node of walk(tree.root)) {
      this.#tell(tree, node, nodes);
      this.#childrenTold.set(
        pathOf(node),
        node.children.map(({ slug }) => slug),
      );
    }
    return nodes;
  }

  /** Reads nodes again. */
  async look(paths: Iterable<string>): Promise<GraphChange> {
    if (!this.#search.store || !this.#tree) return { upserts: [], removals: [] };
    return this.#differences(await this.#search.look(paths));
  }

  /** Nodes whose process is gone are open again: those in progress are read again when nobody works on the search. */
  inProgress(): string[] {
    return this.#tree ? [...walk(this.#tree.root)].filter(isInProgress).map(pathOf) : [];
  }

  /** The search as a whole. */
  get summary(): Omit<GraphSearch, 'actions'> {
    const parts = { kinds: this.#kinds, show: messageText };
    return { ...graphSearchOf(this.#search, this.#tree, parts), ...forecastOf(this.#search) };
  }

  get #face(): KindFace | undefined {
    const { file } = this.#search;
    return file && faceOf(this.#kinds, file.kind);
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

  #tell(tree: Tree, node: TreeNode, upserts: GraphNode[]): void {
    const told = graphNodeOf(node, this.#face, messageText, {
      links: tree.links,
      spend: this.#search.spentOn(pathOf(node)),
    });
    const text = JSON.stringify(told);
    if (this.#told.get(told.path) === text) return;
    this.#told.set(told.path, text);
    upserts.push(told);
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
    for (const known of this.#told.keys()) if (known === path || known.startsWith(`${path}/`)) this.#told.delete(known);
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

/** What is said of a node may depend on its children, or, where its parent keeps something, on its siblings. */
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
