import assert from 'node:assert/strict';
import { fitting, spreadFor } from '../../../src/drawing/camera.ts';
import { ROW } from '../../../src/drawing/geometry.ts';
import type { GraphNode } from '../../../src/protocol/graph-node.ts';
import { type Expected, expectedIn, isInside, pixelsAt, placeOf, roomOf } from '../support/drawn.ts';
import { PanelPage } from '../support/panel-page.ts';
import { sampleNodes, sampleSearch, sampleThoughts } from '../support/sample-tree.ts';
import { sampleWorkGraph } from '../support/sample-work-graph.ts';
import { useBrowser } from '../support/use-browser.ts';

describe('the first look at a search', () => {
  const opened = useBrowser();
  let panel: PanelPage;
  afterEach(() => panel?.close());

  /** That the panel draws something wherever a node should be, at its shape or its words. */
  async function assertDrawn(expected: Expected): Promise<void> {
    const inside = expected.layout.placed.filter((placed) => isInside(expected, placed));
    const points = inside.map((placed) => {
      const { left, y } = placeOf(expected, placed);
      return [left + 10, y] as const;
    });
    const drawn = await pixelsAt(panel, points, {});
    const empty = inside.filter((_, i) => (drawn[i] ?? 0) === 0).map(({ node }) => node.path);
    assert.deepEqual(empty, []);
  }

  for (const [count, width, height] of [
    [10, 1280, 800],
    [46, 1440, 900],
    [450, 1440, 900],
    [450, 800, 600],
    [10_000, 1280, 800],
  ] as const)
    it(`shows all it shows at once, as words, of ${count} nodes at ${width} by ${height}`, async () => {
      panel = await PanelPage.open(opened.browser, { width, height });
      const nodes = sampleNodes(count);
      const search = sampleSearch(nodes);
      await panel.snapshot(search, nodes);
      const expected = expectedIn(await roomOf(panel), search, nodes);
      const { layout, camera } = expected;
      assert.ok(ROW * camera.scale >= 15, `rows of ${ROW * camera.scale} pixels`);
      assert.deepEqual(
        layout.placed.filter((placed) => !isInside(expected, placed)).map(({ node }) => node.path),
        [],
      );
      const shown = new Set(layout.byPath.keys());
      for (const path of search.bestPath) assert.ok(shown.has(path), `the best path's ${path}`);
      for (const { path } of nodes) if (!path.includes('/')) assert.ok(shown.has(path), `the first level's ${path}`);
      if (count === 46) assert.equal(layout.placed.length, nodes.length);
      // What is closed has to be: there is no room for another branch of the next level.
      if (count > 46) assert.ok(layout.bottom - layout.top > 0.45 * (expected.room.height / 15), 'the window is used');
      await assertDrawn(expected);
    });

  for (const count of [14, 60, 450])
    it(`has no row below the buttons in its corner, of ${count} nodes`, async () => {
      panel = await PanelPage.open(opened.browser, { width: 1000, height: 520 });
      const nodes = sampleNodes(count, 6);
      const search = sampleSearch(nodes);
      await panel.snapshot(search, nodes);
      const expected = expectedIn(await roomOf(panel), search, nodes);
      const header = (await panel.page.locator('header').boundingBox())?.height ?? 0;
      const buttons = (await panel.page.getByRole('toolbar', { name: 'View' }).boundingBox()) ?? assert.fail();
      for (const placed of expected.layout.placed)
        assert.ok(placeOf(expected, placed).y + header + 7 <= buttons.y, placed.node.path);
      await assertDrawn(expected);
    });

  it('is at the best path where even the first level is too much', async () => {
    panel = await PanelPage.open(opened.browser, { width: 1000, height: 500 });
    const first = Array.from({ length: 300 }, (_, index): GraphNode => {
      const score = index === 250 ? 9 : 3;
      return { path: `t${index}`, title: `Topic ${index}`, status: 'expanded', index, score };
    });
    const below: GraphNode = { path: 't250/a', title: 'Below', status: 'leaf', index: 0, score: 8 };
    const nodes: GraphNode[] = [{ path: '', title: 'All', status: 'expanded', index: 0 }, ...first, below];
    const search = sampleSearch(nodes, { bestPath: ['t250', 't250/a'] });
    await panel.snapshot(search, nodes);
    const expected = expectedIn(await roomOf(panel), search, nodes);
    for (const path of search.bestPath) {
      const placed = expected.layout.byPath.get(path);
      assert.ok(placed && isInside(expected, placed), path);
    }
    await assertDrawn(expected);
  });

  it('chooses again while the tree grows, until somebody touches it', async () => {
    panel = await PanelPage.open(opened.browser, { width: 1200, height: 700 });
    const nodes = sampleNodes(450);
    const depth = ({ path }: GraphNode): number => (path === '' ? 0 : path.split('/').length);
    const begun = nodes.filter((node) => depth(node) <= 1);
    await panel.snapshot(sampleSearch(begun), begun);
    const room = await roomOf(panel);
    let known = [...begun];
    for (const level of [2, 3, 4]) {
      const more = nodes.filter((node) => depth(node) === level);
      known = [...known, ...more];
      const search = sampleSearch(known);
      await panel.change(more, search);
      const expected = expectedIn(room, search, known);
      assert.deepEqual(
        expected.layout.placed.filter((placed) => !isInside(expected, placed)).map(({ node }) => node.path),
        [],
      );
      await assertDrawn(expected);
    }
    assert.equal((await panel.kept())['isAutomatic'], true);
    await panel.page.mouse.move(600, 300);
    await panel.page.mouse.wheel(0, 40);
    const touched = await panel.kept();
    assert.equal(touched['isAutomatic'], false);
    await panel.change(nodes.filter((node) => depth(node) > 4));
    const after = await panel.kept();
    assert.deepEqual([after['levels'], after['opened']], [touched['levels'], touched['opened']]);
  });

  it('has the root in sight when the pane gets narrow, and all of it on request', async () => {
    panel = await PanelPage.open(opened.browser, { width: 900, height: 600 });
    const nodes = sampleNodes(60, 3);
    const deepest = nodes.reduce((a, b) => (b.path.split('/').length > a.path.split('/').length ? b : a)).path;
    const bestPath = deepest.split('/').map((_, i, all) => all.slice(0, i + 1).join('/'));
    const search = sampleSearch(nodes, { bestPath });
    await panel.snapshot(search, nodes);
    await panel.page.setViewportSize({ width: 320, height: 600 });
    await panel.settled();
    const narrow = expectedIn(await roomOf(panel), search, nodes);
    const root = narrow.layout.byPath.get('') ?? assert.fail();
    assert.ok(isInside(narrow, root), 'the root is in the window');
    const deep = narrow.layout.byPath.get(deepest) ?? assert.fail();
    assert.ok(!isInside(narrow, deep), 'not all of it has room');
    await assertDrawn(narrow);
    await panel.page.getByRole('button', { name: 'Show everything' }).click();
    await panel.settled();
    const { layout, room } = narrow;
    const whole = { layout, room, camera: fitting(layout, room, spreadFor(layout, room, true)) };
    assert.deepEqual(
      layout.placed.filter((placed) => !isInside(whole, placed)).map(({ node }) => node.path),
      [],
    );
    await assertDrawn(whole);
  });

  it('keeps the branches as they are once a node is selected', async () => {
    panel = await PanelPage.open(opened.browser, { width: 1200, height: 700 });
    const nodes = sampleNodes(40);
    await panel.snapshot(sampleSearch(nodes), nodes);
    await panel.page.locator('canvas').focus();
    await panel.page.keyboard.press('Home');
    const { levels, isAutomatic } = await panel.kept();
    assert.deepEqual([levels, isAutomatic], [0, false]);
  });

  it('has all of a small search of each kind in the window, at any width', async () => {
    for (const width of [500, 800, 1280, 2000]) {
      panel = await PanelPage.open(opened.browser, { width, height: 700 });
      const graph = sampleWorkGraph();
      const thoughts = sampleThoughts();
      for (const { search, nodes } of [graph, { search: sampleSearch(thoughts), nodes: thoughts }]) {
        await panel.snapshot(search, nodes);
        const expected = expectedIn(await roomOf(panel), search, nodes);
        assert.equal(expected.layout.placed.length, nodes.length);
        for (const placed of expected.layout.placed) {
          const { y } = placeOf(expected, placed);
          assert.ok(y > 0 && y < expected.room.height, placed.node.path);
        }
        const end = expected.layout.byPath.get(search.bestPath.at(-1) ?? 'none');
        if (end) assert.ok(isInside(expected, end), 'the end of the best path');
        await assertDrawn(expected);
        await panel.page.reload();
        await panel.posted('ready');
      }
      await panel.close();
    }
  });
});
