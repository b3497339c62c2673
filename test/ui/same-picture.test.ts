import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { NodeStatus } from '../../src/core/tree/node-file.ts';
import type { GraphNode } from '../../src/protocol/graph-node.ts';
import type { HostMessage } from '../../src/protocol/host-message.ts';
import type { ViewMessage } from '../../src/protocol/view-message.ts';
import type { PageHost } from '../../webview-ui/state/host.ts';
import { PanelStore } from '../../webview-ui/state/panel-store.ts';
import { effort } from '../support/effort.ts';
import { sampleNodes, sampleSearch } from './support/sample-tree.ts';

const STATUSES: readonly NodeStatus[] = ['unexpanded', 'in-progress', 'expanded', 'leaf', 'pruned', 'failed'];

/** A host of a page that only listens and remembers. */
class FakeHost implements PageHost {
  readonly hasPast = false;
  readonly posted: ViewMessage[] = [];
  readonly #kept: unknown;
  send: (message: HostMessage) => void = () => undefined;

  constructor(kept?: unknown) {
    this.#kept = kept;
  }

  post = (message: ViewMessage): void => void this.posted.push(message);
  listen = (onMessage: (message: HostMessage) => void): void => {
    this.send = onMessage;
  };
  keep = (): void => undefined;
  kept = (): unknown => this.#kept;
}

/** The tree as a host knows it, changed at random. */
class HostTree {
  readonly nodes = new Map<string, GraphNode>();

  constructor(nodes: readonly GraphNode[]) {
    for (const node of nodes) this.nodes.set(node.path, node);
  }

  /** Parents before children, in order. */
  list(): GraphNode[] {
    const depth = ({ path }: GraphNode): number => (path === '' ? 0 : path.split('/').length);
    return [...this.nodes.values()].sort((a, b) => depth(a) - depth(b) || a.index - b.index);
  }

  children(path: string): GraphNode[] {
    return [...this.nodes.values()].filter((each) => each.path !== '' && parentOf(each.path) === path);
  }

  change(kind: number, pick: number, value: number): { upserts: GraphNode[]; removals: string[] } {
    const all = this.list();
    const node = all[pick % all.length] as GraphNode;
    if (kind === 0 && node.path !== '') return this.remove(node);
    if (kind === 1) return this.add(node, value);
    if (kind === 2 && node.path !== '') return this.reorder(parentOf(node.path));
    const status = node.path === '' ? 'expanded' : (STATUSES[value % STATUSES.length] as NodeStatus);
    const score = (value % 101) / 10;
    const sameAs = value % 3 === 0 ? (all[value % all.length] as GraphNode).path : undefined;
    return this.put([
      {
        path: node.path,
        index: node.index,
        status,
        score,
        title: `${node.title.slice(0, 40)} ${value}`,
        ...(value % 4 === 0 ? { selected: false } : {}),
        ...(value % 5 === 0 ? { isLowConfidence: true } : {}),
        ...(sameAs ? { sameAs } : {}),
      },
    ]);
  }

  put(upserts: GraphNode[]): { upserts: GraphNode[]; removals: string[] } {
    for (const node of upserts) this.nodes.set(node.path, node);
    return { upserts, removals: [] };
  }

  add({ path: parent }: GraphNode, value: number): { upserts: GraphNode[]; removals: string[] } {
    const index = this.children(parent).length;
    const path = `${parent === '' ? '' : `${parent}/`}new-${value}-${this.nodes.size}`;
    return this.put([{ path, title: `New ${value}`, status: 'unexpanded', index }]);
  }

  remove({ path }: GraphNode): { upserts: GraphNode[]; removals: string[] } {
    for (const known of [...this.nodes.keys()])
      if (known === path || known.startsWith(`${path}/`)) this.nodes.delete(known);
    const left = this.children(parentOf(path)).sort((a, b) => a.index - b.index);
    const { upserts } = this.put(left.map((node, index) => ({ ...node, index })));
    return { upserts, removals: [path] };
  }

  reorder(parent: string): { upserts: GraphNode[]; removals: string[] } {
    const turned = this.children(parent).sort((a, b) => b.index - a.index);
    return this.put(turned.map((node, index) => ({ ...node, index })));
  }
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** Everything that the drawing is made of. */
function pictureOf(store: PanelStore): unknown {
  const { placed, parents, merged, top, bottom } = store.layout.value;
  return {
    parents: parents.map((column) => column.map(({ node }) => node.path)),
    merged: merged.map(({ node }) => node.path),
    placed: placed.map(({ node, ...place }) => ({ ...place, path: node.path, data: node.data })),
    top,
    bottom,
    best: [...store.best.value],
    found: store.found.value && [...store.found.value].sort(),
    matches: store.matches.value?.map(({ path }) => path),
    running: [...store.running.value],
    ranks: [...store.ranks.value],
    search: store.search.value,
    selected: store.selected.value?.path,
  };
}

describe('the panel', () => {
  it('shows the same after any changes as a fresh snapshot does', () => {
    const step = fc.tuple(fc.nat(5), fc.nat(10_000), fc.nat(1000));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), fc.nat(60), (steps, size) => {
        const host = new FakeHost();
        const store = new PanelStore(host);
        const tree = new HostTree(sampleNodes(size));
        let search = sampleSearch(tree.list());
        host.send({ type: 'snapshot', seq: 5, folder: '/f', search, nodes: tree.list() });
        store.filter({ minScore: 5 });
        let seq = 5;
        for (const [kind, pick, value] of steps) {
          const listed = tree.list();
          const path = listed[value % listed.length]?.path ?? '';
          if (kind === 4) store.select(path);
          if (kind === 5) {
            const node = store.tree.get(path);
            if (node) store.branches.toggle(node);
          }
          const { slots, order } = sampleSearch(tree.list());
          search = { ...search, slots, order, worked: value };
          host.send({
            type: 'change',
            seq: ++seq,
            search: { slots, order, worked: value },
            ...tree.change(kind, pick, value),
          });
        }
        const again = new FakeHost(store.view.value);
        const fresh = new PanelStore(again);
        again.send({ type: 'snapshot', seq, folder: '/f', search, nodes: tree.list() });
        assert.deepEqual(pictureOf(fresh), pictureOf(store));
        assert.equal(
          host.posted.some(({ type }) => type === 'resync'),
          false,
        );
      }),
      { numRuns: effort(1000) },
    );
  });

  it('is not laid out again unless its shape changes', () => {
    const store = new PanelStore(new FakeHost());
    const nodes = sampleNodes(10);
    store.take({ type: 'snapshot', seq: 1, folder: '/f', search: sampleSearch(nodes), nodes });
    const layout = store.layout.value;
    store.camera = { x: 1, y: 2, scale: 3 };
    store.set({ inspectorScroll: 5 });
    store.select('t0');
    assert.equal(store.layout.value, layout);
    store.branches.setLevels(1);
    assert.notEqual(store.layout.value, layout);
  });

  it('asks for everything again when a change is missing, and takes none twice', () => {
    const host = new FakeHost();
    const store = new PanelStore(host);
    const nodes = sampleNodes(10);
    host.send({ type: 'snapshot', seq: 1, folder: '/f', search: sampleSearch(nodes), nodes });
    const change = { type: 'change', search: {}, upserts: [], removals: ['t0'] } as const;
    host.send({ ...change, seq: 3 });
    assert.ok(store.tree.get('t0'));
    assert.equal(host.posted.at(-1)?.type, 'resync');
    host.send({ type: 'snapshot', seq: 3, folder: '/f', search: sampleSearch(nodes), nodes });
    host.send({ ...change, seq: 3 });
    assert.ok(store.tree.get('t0'));
    host.send({ ...change, seq: 4 });
    assert.equal(store.tree.get('t0'), undefined);
  });
});
