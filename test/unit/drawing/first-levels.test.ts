import assert from 'node:assert/strict';
import fc from 'fast-check';
import { firstLook, fitting, readableRows, spreadFor } from '../../../src/drawing/camera.ts';
import { columnX, evenColumns, nodeWidth, ROW, rowY, widthOf } from '../../../src/drawing/geometry.ts';
import { firstLevels } from '../../../src/drawing/layout/first-levels.ts';
import { type Layout, layoutOf } from '../../../src/drawing/layout/tree-layout.ts';
import { TreeModel } from '../../../src/drawing/tree-model.ts';
import type { GraphNode } from '../../../src/protocol/graph-node.ts';
import { effort } from '../../support/effort.ts';
import { sampleNodes } from '../../ui/support/sample-tree.ts';
import '../../support/property-seed.ts';

function treeOf(nodes: readonly GraphNode[]): TreeModel {
  const tree = new TreeModel();
  tree.reset({ nodes });
  return tree;
}

function shownIn(tree: TreeModel, rows: number, best: ReadonlySet<string> = new Set()): Layout {
  return layoutOf(tree.root, firstLevels(tree, best, rows));
}

describe('the levels that are shown at first', () => {
  it('are all of them, if there are rows for all', () => {
    const tree = treeOf(sampleNodes(46));
    assert.equal(shownIn(tree, 60).placed.length, 47);
  });

  it('take no more rows than there are, if the first level and the best path leave any', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 600 }),
        fc.integer({ min: 2, max: 9 }),
        fc.nat(80),
        (count, fanout, extra) => {
          const tree = treeOf(sampleNodes(count, fanout));
          const rows = (tree.root?.children.length ?? 0) + extra;
          const { top, bottom } = shownIn(tree, rows);
          assert.ok(bottom - top <= rows, `${bottom - top} of ${rows}`);
        },
      ),
      { numRuns: effort(200) },
    );
  });

  it('have the best path in them, however deep it is', () => {
    const nodes = sampleNodes(3000);
    const deepest = nodes
      .reduce((a, b) => (b.path.split('/').length > a.path.split('/').length ? b : a))
      .path.split('/');
    const best = new Set(deepest.map((_, i) => deepest.slice(0, i + 1).join('/')));
    const { byPath } = shownIn(treeOf(nodes), 40, best);
    for (const path of best) assert.ok(byPath.has(path), path);
  });

  it('leave no room for another branch, the best first, and none for a pruned one', () => {
    const branch = (path: string, score: number, status: GraphNode['status'] = 'expanded'): GraphNode[] => [
      { path, title: path, status, index: Number(path.slice(1)), score },
      ...['x', 'y', 'z'].map(
        (slug, index): GraphNode => ({ path: `${path}/${slug}`, title: slug, status: 'leaf', index }),
      ),
    ];
    const nodes: GraphNode[] = [
      { path: '', title: 'Why?', status: 'expanded', index: 0 },
      ...branch('t0', 2),
      ...branch('t1', 9, 'pruned'),
      ...branch('t2', 8),
      ...branch('t3', 5),
    ];
    nodes.sort((a, b) => a.path.split('/').length - b.path.split('/').length);
    const { byPath } = shownIn(treeOf(nodes), 9.5);
    assert.deepEqual(
      ['t0/x', 't1/x', 't2/x', 't3/x'].map((path) => byPath.has(path)),
      [false, false, true, true],
    );
  });
});

describe('a first look', () => {
  const rooms = fc.record({ width: fc.integer({ min: 200, max: 2500 }), height: fc.integer({ min: 150, max: 1500 }) });

  it('shows everything if its rows are at least 15 pixels high; its words can always be read', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 300 }), rooms, (count, room) => {
        const tree = treeOf(sampleNodes(count));
        const layout = layoutOf(tree.root, { levels: 99, opened: new Set(), closed: new Set() });
        const spread = spreadFor(layout, room);
        const camera = firstLook(layout, room, spread, new Set());
        assert.ok(ROW * camera.scale >= 14.999);
        const fits = (layout.bottom - layout.top) * 15 + 24 <= room.height - 44; // where the buttons are
        const [top, bottom] = [layout.top, layout.bottom].map((row) => camera.y + row * ROW * camera.scale);
        if (fits) assert.ok((top ?? 0) > 0 && (bottom ?? 0) < room.height);
        for (const value of [camera.x, camera.y, ...spread.columns.starts, ...spread.columns.widths])
          assert.ok(Number.isFinite(value));
      }),
      { numRuns: effort(300) },
    );
  });

  it('shares out free width by what titles need, and never more than there is', () => {
    const title = 'A title that is much longer than what is usually the width of a card in this drawing';
    const nodes: GraphNode[] = [
      { path: '', title: 'Why?', status: 'expanded', index: 0 },
      { path: 'a', title, status: 'expanded', index: 0 },
      { path: 'a/b', title: 'Short', status: 'leaf', index: 0 },
    ];
    const layout = layoutOf(treeOf(nodes).root, { levels: 99, opened: new Set(), closed: new Set() });
    const [least = 0] = evenColumns(1).widths;
    for (const width of [500, 900, 1400, 2000]) {
      const room = { width, height: 100 };
      const { columns, least: scale } = spreadFor(layout, room);
      const [first = 0, second = 0, third = 0] = columns.widths;
      if (width > 500) assert.deepEqual([first, third], [least, least]);
      if (width >= 1400) assert.ok(second > 2 * least && second <= 560 + 100, `${second}`);
      if (width <= 500) assert.ok(first < least && first === second && second === third, `${columns.widths}`);
      assert.ok(widthOf(columns) * scale <= width, `${widthOf(columns)} in ${width}`);
      const { x } = fitting(layout, room, { columns, least: scale });
      assert.ok(x >= 24);
    }
  });

  it('has the root in the window, however deep the best path is and however narrow the window', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 4 }), rooms, (count, fanout, room) => {
        const nodes = sampleNodes(count, fanout);
        const tree = treeOf(nodes);
        const deepest = nodes.reduce((a, b) => (b.path.split('/').length > a.path.split('/').length ? b : a)).path;
        const best = new Set(deepest.split('/').map((_, i, all) => all.slice(0, i + 1).join('/')));
        const layout = shownIn(tree, readableRows(room.height), best);
        const camera = firstLook(layout, room, spreadFor(layout, room), best);
        assert.ok(columnX(camera, 0) >= 0 && columnX(camera, 0) + nodeWidth(camera, 0) <= room.width);
      }),
      { numRuns: effort(300) },
    );
  });

  it('shows everything on request, in a window of any size', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 9 }), rooms, (count, fanout, room) => {
        const tree = treeOf(sampleNodes(count, fanout));
        const layout = layoutOf(tree.root, { levels: 99, opened: new Set(), closed: new Set() });
        const camera = fitting(layout, room, spreadFor(layout, room, true));
        for (const { column, row } of layout.placed) {
          const [x, y] = [columnX(camera, column), rowY(camera, row)];
          assert.ok(x >= 0 && x + nodeWidth(camera, column) <= room.width + 0.01, `column ${column}`);
          assert.ok(y > 0 && y < room.height, `row ${row}`);
        }
      }),
      { numRuns: effort(300) },
    );
  });

  it('counts the rows of a window', () => {
    assert.equal(readableRows(15 * 51.6 + 44), 50);
  });
});
