import assert from 'node:assert/strict';
import fc from 'fast-check';
import { layersLayoutOf } from '../../../src/drawing/layout/layer-layout.ts';
import { type Box, isOpen, type Layout, type Placed } from '../../../src/drawing/layout/tree-layout.ts';
import { TreeModel } from '../../../src/drawing/tree-model.ts';
import { workGraphDrawing } from '../../../src/kinds/work-graph/show/looks.ts';
import type { GraphNode } from '../../../src/protocol/graph-node.ts';
import { effort } from '../../support/effort.ts';
import { growsLinearly } from '../../support/grows-linearly.ts';
import { graphNodes, largeGraph, sampleGraph } from '../../support/work-graph/sample-graph.ts';
import '../../support/property-seed.ts';

/** Rows are sums of fractions. */
const NEAR = 1e-9;
const ALL = { levels: Number.MAX_SAFE_INTEGER, opened: new Set<string>(), closed: new Set<string>() };

function modelOf(nodes: readonly GraphNode[]): TreeModel {
  const model = new TreeModel();
  model.reset({ nodes });
  return model;
}

function layoutOf(nodes: readonly GraphNode[], unfolding = ALL): Layout {
  return layersLayoutOf(modelOf(nodes).root, unfolding, workGraphDrawing.links);
}

/** A tree of up to 40 nodes; what a node waits for comes before it, and is neither above nor below it. */
const anyGraph = fc
  .array(fc.record({ up: fc.nat(50), waits: fc.array(fc.nat(50), { maxLength: 4 }), type: fc.nat(2) }), {
    maxLength: 40,
  })
  .map((drawn) => {
    const types = Object.keys(workGraphDrawing.links);
    const nodes: GraphNode[] = [{ path: '', title: 'root', status: 'expanded', index: 0 }];
    // Below the last ones only, so that the order of the nodes is that of a tree: whatever waits comes later.
    let open = [''];
    for (const [i, { up, waits, type }] of drawn.entries()) {
      const parent = open[up % open.length] ?? '';
      const path = parent === '' ? `n${i}` : `${parent}/n${i}`;
      const others = nodes.map((node) => node.path).filter((at) => at !== '' && !path.startsWith(`${at}/`));
      const links = waits.flatMap((wait) => {
        const to = others[wait % Math.max(1, others.length)];
        return to === undefined ? [] : [{ type: types[type] ?? '', path: to }];
      });
      nodes.push({ path, title: path, status: 'unexpanded', index: i, links });
      open = [...open.slice(0, open.indexOf(parent) + 1), path];
    }
    return nodes;
  });

function boxOf({ boxes }: Layout, { node }: Placed): Box | undefined {
  return boxes.find(({ placed }) => placed === placedOf(placed, node.path));
}

function placedOf(placed: Placed, path: string): Placed | undefined {
  return placed.node.path === path ? placed : undefined;
}

function isInside(path: string, box: Box): boolean {
  return path === box.placed.node.path || path.startsWith(`${box.placed.node.path}/`);
}

describe('a layout in layers', () => {
  it('puts nothing onto anything else: neither cards, nor boxes that are not in each other', () => {
    fc.assert(
      fc.property(anyGraph, (nodes) => {
        const { columns, boxes, placed } = layoutOf(nodes);
        assert.equal(placed.length, nodes.length);
        for (const column of columns)
          for (const [i, each] of column.slice(1).entries())
            assert.ok(each.row - (column[i] as Placed).row >= 1 - NEAR, `${each.node.path} lies on another card`);
        for (const box of boxes) {
          for (const { node, column, row } of placed) {
            const isWithin =
              column >= box.from && column <= box.to && row + 0.5 > box.top + NEAR && row - 0.5 < box.bottom - NEAR;
            assert.equal(isWithin, isInside(node.path, box), `${node.path} and the box of ${box.placed.node.path}`);
          }
          for (const other of boxes) {
            if (other === box || isInside(other.placed.node.path, box) || isInside(box.placed.node.path, other))
              continue;
            const isApart =
              other.from > box.to ||
              other.to < box.from ||
              other.top >= box.bottom - NEAR ||
              other.bottom <= box.top + NEAR;
            assert.ok(isApart, `the boxes of ${box.placed.node.path} and ${other.placed.node.path}`);
          }
        }
      }),
      { numRuns: effort(300) },
    );
  });

  it('can be of one branch alone: of its nodes, and of the links between them', () => {
    fc.assert(
      fc.property(anyGraph, fc.nat(40), (nodes, at) => {
        const { path } = nodes[at % nodes.length] as GraphNode;
        const whole = layoutOf(nodes);
        const { placed, lines } = layersLayoutOf(modelOf(nodes).get(path), ALL, workGraphDrawing.links);
        const isBelow = (other: string): boolean => path === '' || other === path || other.startsWith(`${path}/`);
        assert.deepEqual(
          placed.map(({ node }) => node.path).sort(),
          whole.placed
            .map(({ node }) => node.path)
            .filter(isBelow)
            .sort(),
        );
        const ends = ({ from, to }: (typeof lines)[number]): string => `${from.node.path} ${to.node.path}`;
        const within = whole.lines.filter(({ from, to }) => isBelow(from.node.path) && isBelow(to.node.path));
        assert.deepEqual(lines.map(ends).sort(), within.map(ends).sort());
      }),
      { numRuns: effort(300) },
    );
  });

  it('lets every line that is an order lead to a later layer', () => {
    fc.assert(
      fc.property(anyGraph, (nodes) => {
        const layout = layoutOf(nodes.map((node) => ({ ...node, links: backwards(node, nodes) ?? [] })));
        for (const { type, from, to, lanes } of layout.lines) {
          if (!workGraphDrawing.links[type]?.isOrder) continue;
          const end = boxOf(layout, from)?.to ?? from.column;
          assert.ok(to.column > end, `${to.node.path} waits for ${from.node.path}`);
          const way = [end, ...lanes.flatMap((lane) => [lane.from, lane.to]), to.column];
          assert.deepEqual(
            way,
            [...way].sort((a, b) => a - b),
          );
        }
      }),
      { numRuns: effort(300) },
    );
  });

  it('draws the same graph in the same way, whatever is there besides', () => {
    fc.assert(
      fc.property(anyGraph, (nodes) => {
        const places = ({ placed }: Layout): unknown => placed.map(({ node, column, row }) => [node.path, column, row]);
        assert.deepEqual(places(layoutOf(nodes)), places(layoutOf(structuredClone(nodes))));
      }),
      { numRuns: effort(50) },
    );
  });

  it('survives circles, links to nowhere and to itself, and branches that are closed', () => {
    fc.assert(
      fc.property(anyGraph, fc.nat(50), fc.nat(3), (nodes, seed, levels) => {
        const wild = nodes.map((node, i) => ({
          ...node,
          links: [
            { type: 'depends-on', path: nodes[(i * 7 + seed) % nodes.length]?.path ?? '' },
            { type: 'depends-on', path: node.path },
            { type: 'unheard-of', path: 'nowhere' },
          ],
        }));
        const unfolding = { ...ALL, levels: levels + 1 };
        const { placed, byPath, lines } = layoutOf(wild, unfolding);
        for (const { node } of placed)
          assert.equal(
            node.children.every(({ path }) => byPath.has(path)),
            isOpen(node, unfolding) || node.children.length === 0,
          );
        assert.ok(
          lines.every(({ from, to }) => byPath.get(from.node.path) === from && byPath.get(to.node.path) === to),
        );
      }),
      { numRuns: effort(100) },
    );
  });

  it('has the alternatives of a group next to each other, what waits for it behind, and the goal last', () => {
    const { byPath, boxes, columns } = layoutOf(graphNodes(sampleGraph()));
    const at = (path: string): Placed => byPath.get(path) as Placed;
    const alternatives = ['g1/a3', 'g1/a4', 'g1/a5'].map(at);
    assert.equal(new Set(alternatives.map(({ column }) => column)).size, 1);
    assert.deepEqual(
      alternatives.map(({ node }) => node.data.role),
      ['alternative', 'choice', 'alternative'],
    );
    const group = boxes.find(({ placed }) => placed === at('g1')) as Box;
    assert.ok(at('a6').column > group.to);
    assert.ok(at('a6/a8').column > at('a6/a7').column);
    assert.deepEqual(
      columns.at(-1)?.map(({ node }) => node.path),
      ['goal'],
    );
  });

  it('takes a time in proportion to its atoms, in boxes and without', async () => {
    for (const isBoxed of [true, false])
      await growsLinearly(
        isBoxed ? 'in boxes' : 'without',
        2000,
        (size) => modelOf(graphNodes(largeGraph(size, isBoxed))).root,
        (root) => assert.ok(layersLayoutOf(root, ALL, workGraphDrawing.links).placed.length > 500),
      );
  });
});

/** Its links to nodes that come before it: so that none is part of a circle, also through what the nodes are part of. */
function backwards({ path, links = [] }: GraphNode, nodes: readonly GraphNode[]): GraphNode['links'] {
  const order = (at: string): number => nodes.findIndex((node) => node.path === at);
  return links.filter((link) => order(link.path) < order(path));
}
