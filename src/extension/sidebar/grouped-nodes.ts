import type { GroupedNode, KindGroups } from '../../core/kind/kind-drawing.ts';
import { type GroupElement, type NodeElement, type SearchElement, statusOf } from './tree-element.ts';
import type { TreeReader } from './tree-reader.ts';

/** The most nodes of one parent that are divided. */
const MOST = 5000;

/** The nodes of a search, divided as its kind says; each group as it was last shown. */
export class GroupedNodes {
  readonly #reader: TreeReader;
  readonly #groups = new Map<string, ReadonlyMap<string, GroupElement>>();

  constructor(reader: TreeReader) {
    this.#reader = reader;
  }

  /** The groups that have nodes, in their order. */
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

  /** The group in which a node was last shown. */
  groupOf({ folder, path }: NodeElement): GroupElement | undefined {
    return this.#groups.get(folder)?.get(path);
  }

  /** All nodes, parents before their children. */
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
