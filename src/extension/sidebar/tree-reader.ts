import type { GroupedNode, KindGroups } from '../../core/kind/kind-descriptor.ts';
import type { NodeOnDisk } from '../../core/ports/store.ts';
import type { NodeFile } from '../../core/tree/node-file.ts';
import { bestOf } from '../../core/tree/tree.ts';
import type { FollowedSearch } from '../library/followed-search.ts';
import { elementId, type GroupElement, type NodeElement, type SearchElement, statusOf } from './tree-element.ts';

type Parent = SearchElement | NodeElement;

/** The number of children that may have a say in the look of a node. */
const MOST_BELOW = 50;

/** The elements below another, as last read. */
export interface Listing {
  /** All of it, in order. */
  readonly slugs: readonly string[];
  /** As many as requested. */
  readonly nodes: readonly NodeElement[];
}

/** Reads nodes for the sidebar, each folder once until something there changes. */
export class TreeReader {
  readonly #elements = new Map<string, Parent>();
  readonly #listings = new Map<string, Promise<Listing>>();

  /** Returns the element for a node or search, if it was read. */
  element(folder: string, path: string): Parent | undefined {
    return this.#elements.get(elementId({ kind: 'node', folder, path }));
  }

  searchElement(search: FollowedSearch, isOpen: boolean): SearchElement {
    const known = this.element(search.folder, '');
    if (known?.kind === 'search' && known.search === search) return known;
    const element: SearchElement = { kind: 'search', search, folder: search.folder, path: '', isOpen };
    this.#elements.set(elementId(element), element);
    return element;
  }

  /** Returns what was read below an element; undefined if it was never requested. */
  listed(parent: Parent): Promise<Listing> | undefined {
    return this.#listings.get(elementId(parent));
  }

  /** @param most the maximum number of nodes to read */
  list(parent: Parent, most: number): Promise<Listing> {
    const id = elementId(parent);
    const known = this.#listings.get(id);
    if (known) return known;
    const listing = this.#read(parent, most);
    this.#listings.set(id, listing);
    return listing;
  }

  /** Reads one node again; undefined if it is gone. Nodes below it are read again on request. */
  async reread(element: NodeElement): Promise<NodeElement | undefined> {
    this.forget(element);
    const node = await element.search.store?.readNode(element.path).catch(() => undefined);
    if (node) return Object.assign(element, await stateOf(element, node));
    this.#elements.delete(elementId(element));
    return undefined;
  }

  /** Reads again what the children of a node keep; whether that is something else now. */
  async lookBelow(element: NodeElement): Promise<boolean> {
    if (!element.file.own) return false;
    const before = JSON.stringify(element.below);
    const node = await element.search.store?.readNode(element.path).catch(() => undefined);
    if (node) element.below = await readBelow(element, node);
    return JSON.stringify(element.below) !== before;
  }

  /** Nodes below an element are read again on request. */
  forget(parent: Parent): void {
    this.#listings.delete(elementId(parent));
  }

  /** Everything is read again on request. */
  forgetAll(): void {
    this.#elements.clear();
    this.#listings.clear();
  }

  async #read(parent: Parent, most: number): Promise<Listing> {
    const { store } = parent.search;
    const slugs = await slugsBelow(parent);
    const found = await Promise.all(
      slugs.slice(0, most).map(async (slug) => {
        const path = parent.path === '' ? slug : `${parent.path}/${slug}`;
        const node = await store?.readNode(path).catch(() => undefined);
        return node ? [await this.#nodeElement(parent, path, node)] : [];
      }),
    );
    const nodes = found.flat();
    markBest(parent, nodes);
    return { slugs, nodes };
  }

  async #nodeElement(parent: Parent, path: string, node: NodeOnDisk): Promise<NodeElement> {
    const { folder, search } = parent;
    const state = await stateOf({ search, path }, node);
    const known = this.element(folder, path);
    if (known?.kind === 'node' && known.parent === parent) return Object.assign(known, state);
    const element: NodeElement = { kind: 'node', search, folder, path, parent, isBest: false, ...state };
    this.#elements.set(elementId(element), element);
    return element;
  }
}

type Named = Pick<NodeElement, 'search' | 'path'>;

async function stateOf(
  at: Named,
  node: NodeOnDisk,
): Promise<Pick<NodeElement, 'file' | 'hasDocument' | 'children' | 'below' | 'same'>> {
  const { file, hasDocument } = node;
  const below = file.own ? await readBelow(at, node) : undefined;
  const same = file.sameAs === undefined ? undefined : (await fileAt(at, file.sameAs))?.title;
  return { file, hasDocument, children: slugsIn(node).length, below, same };
}

async function fileAt({ search: { store } }: Pick<Named, 'search'>, path: string): Promise<NodeFile | undefined> {
  return await store?.readNodeFile(path).catch(() => undefined);
}

async function readBelow(at: Named, node: NodeOnDisk): Promise<unknown[]> {
  const read = slugsIn(node)
    .slice(0, MOST_BELOW)
    .map(async (slug) => (await fileAt(at, `${at.path}/${slug}`))?.own);
  return await Promise.all(read);
}

async function slugsBelow({ search: { store }, path }: Parent): Promise<string[]> {
  try {
    const found = await (path === '' ? store?.readRootChildren() : store?.readNode(path));
    return found ? slugsIn(found) : [];
  } catch {
    return []; // it is gone, which is reported elsewhere
  }
}

/** Returns the existing folders: first those on the list, in its order. */
function slugsIn({ children = [], folders }: Pick<NodeOnDisk, 'children' | 'folders'>): string[] {
  const left = new Set(folders);
  const listed = children.map(({ slug }) => slug).filter((slug) => left.delete(slug));
  return [...listed, ...left];
}

/** Marks the best of siblings as `bestPathOf` finds them, a level at a time; returns those whose mark changed. */
export function markBest(parent: Parent, nodes: readonly NodeElement[]): NodeElement[] {
  const isOnPath = parent.kind === 'search' || parent.isBest;
  const { bestPath } = parent.search;
  const bestFile = bestPath ? undefined : bestOf(nodes.map(({ file }) => file));
  const isBest = ({ path, file }: NodeElement): boolean => (bestPath ? bestPath.has(path) : file === bestFile);
  const best = isOnPath ? nodes.find(isBest) : undefined;
  const changed = nodes.filter((node) => node.isBest !== (node === best));
  for (const node of changed) node.isBest = node === best;
  return changed;
}

/** The most nodes of one parent that are divided. */
const MOST = 5000;

/** The nodes of a search, divided as its kind says; each group as it was last shown. */
export class GroupedNodes {
  readonly #reader: TreeReader;
  readonly #groups = new Map<string, ReadonlyMap<string, GroupElement>>();

  constructor(reader: TreeReader) {
    this.#reader = reader;
  }

  /** Returns the groups that have nodes, in their order. */
  async groups(search: SearchElement, { all, of }: KindGroups): Promise<GroupElement[]> {
    const elements = await this.#nodesOf(search);
    const names = of(groupedFrom(elements));
    const groups = all.map(
      ({ name }): GroupElement => ({
        kind: 'group',
        parent: search,
        folder: search.folder,
        path: '',
        name,
        nodes: elements.filter(({ path }) => names.get(path) === name),
      }),
    );
    const shown = groups.filter(({ nodes }) => nodes.length > 0);
    this.#groups.set(search.folder, new Map(shown.flatMap((group) => group.nodes.map(({ path }) => [path, group]))));
    return shown;
  }

  /** Tells whether nodes belong to other groups than those in which they were last shown. */
  async haveChanged(search: SearchElement, groups: KindGroups): Promise<boolean> {
    const shown = (): string =>
      [...(this.#groups.get(search.folder) ?? [])].map(([path, { name }]) => `${name} ${path}`).join('\n');
    const before = shown();
    await this.groups(search, groups);
    return shown() !== before;
  }

  /** Returns the group in which a node was last shown. */
  groupOf({ folder, path }: NodeElement): GroupElement | undefined {
    return this.#groups.get(folder)?.get(path);
  }

  /** Returns all nodes, parents before their children. */
  async #nodesOf(search: SearchElement): Promise<NodeElement[]> {
    const found: NodeElement[] = [];
    const open: (SearchElement | NodeElement)[] = [search];
    for (let at = open.pop(); at; at = open.pop()) {
      if (at.kind === 'node') found.push(at);
      if (at.kind === 'node' && at.children === 0) continue;
      const { nodes } = await this.#reader.list(at, MOST);
      open.push(...nodes.toReversed());
    }
    return found;
  }
}

function groupedFrom(elements: readonly NodeElement[]): GroupedNode[] {
  const paths = new Map(
    elements.flatMap(({ file, path }) => (file.id === undefined ? [] : [[file.id, path] as const])),
  );
  return elements.map((element): GroupedNode => {
    const { path, file } = element;
    const links = (file.links ?? []).flatMap(({ type, to }) => {
      const target = paths.get(to);
      return target === undefined ? [] : [{ type, path: target }];
    });
    return { path, status: statusOf(element), own: file.own, links };
  });
}
