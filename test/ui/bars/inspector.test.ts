import assert from 'node:assert/strict';
import { nodeAt } from '../../../src/core/tree/tree.ts';
import { workGraphDetails } from '../../../src/kinds/work-graph/show/details.ts';
import type { GraphAction, GraphDetails, GraphNode } from '../../../src/protocol/graph-node.ts';
import { sampleGraph } from '../../support/work-graph/sample-graph.ts';
import { expectedIn, placeOf, roomOf } from '../support/drawn.ts';
import { PanelPage } from '../support/panel-page.ts';
import { DETAILS } from '../support/sample-details.ts';
import { sampleNodes, sampleSearch } from '../support/sample-tree.ts';
import { sampleWorkGraph } from '../support/sample-work-graph.ts';
import { useBrowser } from '../support/use-browser.ts';

const DOCUMENT = '# Authentication and sessions\n\nThe `server` keeps **no state**.\n\n```ts\nconst a = 1;\n```\n';

describe('the details of a node', () => {
  const opened = useBrowser();
  let panel: PanelPage;

  afterEach(() => panel?.close());

  async function filled(width = 1280, details: Partial<GraphDetails> = {}, height = 800): Promise<void> {
    panel = await PanelPage.open(opened.browser, { width, height });
    const counts = { verified: 6, moved: 1, stale: 0, not_found: 0 };
    const nodes = sampleNodes(40).map(
      (node): GraphNode => (node.path === 't0' ? { ...node, citations: counts, summary: 'In short.' } : node),
    );
    await panel.snapshot(sampleSearch(nodes), nodes);
    await panel.send({ type: 'reveal', path: 't0' });
    await panel.send({ type: 'details', details: { ...DETAILS, document: DOCUMENT, ...details, path: 't0' } });
    await panel.page.locator('.document').waitFor();
  }

  it('say a title once, though the document has it, too', async () => {
    await filled();
    const headings = panel.page.locator('.inspector :is(h1, h2, h3, h4, h5)');
    const titles = (await headings.allTextContents()).filter((text) => text.includes('Authentication'));
    assert.deepEqual(titles, ['Authentication and sessions']);
    await filled(1280, { document: '# Another title\n\nText.\n' });
    await panel.page.locator('.document', { hasText: 'Another title' }).waitFor();
    await panel.send({ type: 'reveal', path: '' });
    await panel.page.locator('.inspector h2', { hasText: 'How does this server protect itself?' }).waitFor();
    await panel.page.locator('.inspector .summary', { hasText: 'and what is missing' }).waitFor();
    await panel.change([], { question: 'How does this server protect itself?' });
    await panel.page.locator('.inspector .summary').waitFor({ state: 'detached' });
  });

  it('show a title without the marks of code, as header and card do', async () => {
    panel = await PanelPage.open(opened.browser);
    const title = '`Queue#push`: waits until a `worker` is free';
    const bare = 'Queue#push: waits until a worker is free';
    const nodes: GraphNode[] = [
      { path: '', title, status: 'expanded', index: 0 },
      { path: 'a', title, status: 'leaf', index: 0 },
    ];
    await panel.snapshot(sampleSearch(nodes, { title, slots: [{ node: 'a', purpose: 'document', since: 1 }] }), nodes);
    await panel.send({ type: 'reveal', path: 'a' });
    assert.equal(await panel.page.locator('h1').textContent(), bare);
    assert.equal(await panel.page.locator('.inspector h2').textContent(), bare);
    await panel.page.locator('canvas').focus();
    await panel.page.keyboard.press('Shift+Enter');
    assert.equal(await panel.page.locator('.card-title').textContent(), bare);
    await panel.page.keyboard.press('Escape');
    await panel.page.getByRole('button', { name: /^Current work/ }).click();
    await panel.page.locator('.slot', { hasText: bare }).waitFor();
  });

  it('read as the page does: what is above and below one click away, headings by their rank, and nothing twice', async () => {
    const document = '# Authentication and sessions\n\nIn short. And more.\n\n## Part\n\ntext\n\n### Detail\n\ntext\n';
    await filled(1280, { document });
    const { page } = panel;
    assert.equal(await page.locator('.inspector .summary').count(), 0, 'the document begins with it');
    const size = (level: string): Promise<number> =>
      page.locator(`.document ${level}`).evaluate((element) => Number.parseFloat(getComputedStyle(element).fontSize));
    assert.ok((await size('h4')) > (await size('h5')) && (await size('h5')) >= (await size('p >> nth=0')));
    const around = page.getByRole('navigation', { name: 'Above and below' });
    await around.getByRole('button', { name: 'How does this server protect itself?' }).click();
    await page.locator('.inspector h2', { hasText: 'How does this server' }).waitFor();
    await around.getByRole('button', { name: 'Authentication and sessions' }).first().click();
    await page.locator('.inspector h2', { hasText: 'Authentication and sessions' }).waitFor();
  });

  it('show what is between backticks as code, also in a summary', async () => {
    await filled();
    await panel.change([{ path: 't0', title: 'A', status: 'leaf', index: 0, summary: 'It calls `a.b()` once.' }]);
    const summary = panel.page.locator('.inspector .summary');
    await summary.getByText('It calls a.b() once.').waitFor();
    assert.equal(await summary.locator('code').textContent(), 'a.b()');
  });

  it('leave the drawing beside them as it is, and what is selected in sight', async () => {
    panel = await PanelPage.open(opened.browser, { width: 1100 });
    const nodes = sampleNodes(10);
    const search = sampleSearch(nodes, { slots: [], bestPath: [] });
    await panel.snapshot(search, nodes);
    const expected = expectedIn(await roomOf(panel), search, nodes);
    const { left, right, y } = placeOf(expected, expected.layout.byPath.get('t1') ?? assert.fail());
    const top = (await panel.page.locator('header').boundingBox())?.height ?? 0;
    const look = (): Promise<Buffer> =>
      panel.page.screenshot({ clip: { x: left + 2, y: top + y - 10, width: right - left - 4, height: 20 } });
    const before = await look();
    await panel.send({ type: 'reveal', path: 't3' });
    await panel.page.locator('.inspector').waitFor();
    await panel.passes(300);
    assert.ok(before.equals(await look()), 'another node is where it was, with the words that it had');
    await panel.page.getByRole('button', { name: 'Show everything' }).click();
    await panel.passes(300);
    assert.ok(!before.equals(await look()), 'unless that is asked for');
  });

  it('show code no larger than the text around it, and on one background', async () => {
    await filled();
    const look = (selector: string): Promise<{ size: number; ground: string }> =>
      panel.page.locator(selector).evaluate((element) => {
        const { fontSize, backgroundColor } = getComputedStyle(element);
        return { size: Number.parseFloat(fontSize), ground: backgroundColor };
      });
    const [text, inline, block, line] = [
      await look('.document p'),
      await look('.document p code'),
      await look('.document pre'),
      await look('.document pre code'),
    ];
    assert.ok(inline.size <= text.size && block.size <= text.size, JSON.stringify([text, inline, block]));
    assert.equal(line.size, block.size);
    assert.notEqual(inline.ground, 'rgba(0, 0, 0, 0)');
    assert.equal(line.ground, 'rgba(0, 0, 0, 0)', 'the block has a background, its lines have none of their own');
  });

  const MANY: readonly GraphAction[] = [
    ['expand', 'Expand next'],
    ['openDocument', 'Open document'],
    ['prune', 'Prune branch'],
    ['note', 'Add note…'],
    ['add', 'Add a topic…'],
    ['redo', 'Rewrite the document'],
    ['reveal', 'Reveal in sidebar'],
  ].map(([name = '', title = '']) => ({ name, title }));

  for (const width of [300, 500, 1280])
    it(`have buttons in one row and the rest in a menu, at ${width} pixels`, async () => {
      await filled(width);
      await panel.send({ type: 'actions', path: 't0', actions: MANY });
      const row = panel.page.getByRole('toolbar', { name: 'Actions' });
      await row.getByRole('button', { name: 'More actions' }).waitFor();
      const buttons = await row.getByRole('button').all();
      const middles = await Promise.all(
        buttons.map(async (each) => {
          const { y, height } = (await each.boundingBox()) ?? assert.fail();
          return y + height / 2;
        }),
      );
      assert.ok(Math.max(...middles) - Math.min(...middles) < 3, 'one row');
      for (const button of buttons) {
        const box = (await button.boundingBox()) ?? assert.fail();
        assert.ok(box.x + box.width <= width, 'none is cut off');
        await button.click({ trial: true });
      }
      await row.getByRole('button', { name: 'More actions' }).click();
      await panel.page.getByRole('menu').waitFor();
      const items = await panel.page.getByRole('menuitem').locator('span').allTextContents();
      assert.deepEqual(
        [...(await row.locator('.button:not(.clipped):not(.icon-only)').allTextContents()), ...items],
        MANY.map(({ title }) => title),
      );
      await panel.page.getByRole('menuitem', { name: 'Reveal in sidebar' }).click();
      assert.deepEqual(await panel.posted('act'), { type: 'act', action: 'reveal', path: 't0' });
    });

  it('lead from the number of verified quotations to each of them', async () => {
    const place = (line: number) => ({
      place: `src/a.ts:${line}`,
      mark: 'verified' as const,
      href: `../src/a.ts#L${line}`,
    });
    const moved = { place: 'src/b.ts:7', mark: 'moved' as const, now: '9', href: '../src/b.ts#L9' };
    await filled(1280, { citations: [moved, ...[1, 2, 3, 4, 5].map(place)] });
    const section = panel.page.locator('.citations');
    await section.getByText('moved to 9').waitFor();
    assert.equal(await section.getByText('src/a.ts:1').isVisible(), false);
    await section.getByText('6 verified, 1 moved').click();
    await section.getByText('src/a.ts:5').click();
    assert.deepEqual(await panel.posted('open-link'), { type: 'open-link', path: 't0', href: '../src/a.ts#L5' });
    await section.getByText('and 1 more').waitFor();
  });

  for (const [width, height] of [
    [300, 800],
    [500, 600],
    [720, 400],
  ] as const)
    it(`are below the drawing where there is no room beside it, at ${width} × ${height}, and what they are about stays in sight`, async () => {
      await filled(width, {}, height);
      const [stage, details] = [
        (await panel.page.locator('.stage').boundingBox()) ?? assert.fail(),
        (await panel.page.locator('.inspector').boundingBox()) ?? assert.fail(),
      ];
      assert.ok(details.y >= stage.y + stage.height - 1 && details.width === width && stage.width === width);
      assert.ok(stage.height >= 100 && details.height >= 100, JSON.stringify([stage.height, details.height]));
      assert.ok(details.y + details.height <= height);
      await panel.page.locator('canvas').focus();
      await panel.page.keyboard.press('Shift+F10');
      const menu = (await panel.page.getByRole('menu').boundingBox()) ?? assert.fail();
      assert.ok(menu.y <= stage.y + stage.height, 'its menu opens within the drawing');
    });

  it('keep what was clicked in sight when they open beside the drawing', async () => {
    panel = await PanelPage.open(opened.browser, { width: 800 });
    const nodes = sampleNodes(40);
    await panel.snapshot(sampleSearch(nodes), nodes);
    const { page } = panel;
    await page.locator('canvas').focus();
    for (const key of ['Home', 'ArrowRight', 'ArrowRight', 'Escape']) await page.keyboard.press(key);
    await page.locator('.inspector').waitFor({ state: 'detached' });
    await page.keyboard.press('End');
    await page.locator('.inspector').waitFor();
    await panel.settled();
    await page.keyboard.press('Shift+Enter');
    const card = (await page.getByRole('tooltip').boundingBox()) ?? assert.fail();
    const stage = (await page.locator('.stage').boundingBox()) ?? assert.fail();
    assert.ok(card.x < stage.x + stage.width && card.y < stage.y + stage.height);
  });

  for (const width of [300, 380, 1280])
    it(`have tables of evidence that scroll and are not cut, at ${width} pixels`, async () => {
      panel = await PanelPage.open(opened.browser, { width });
      const { search, nodes } = sampleWorkGraph();
      await panel.snapshot(search, nodes);
      const tables = workGraphDetails.of(nodeAt(sampleGraph(), 'g1/a4')?.file?.own);
      await panel.send({ type: 'reveal', path: 'g1/a4' });
      await panel.send({ type: 'details', details: { path: 'g1/a4', tables, calls: [], steered: [] } });
      const table = panel.page.getByRole('region', { name: 'Evidence' });
      const { box, inner, outer } = await table.evaluate((element) => ({
        box: element.getBoundingClientRect().toJSON() as { right: number; width: number },
        inner: element.scrollWidth,
        outer: element.clientWidth,
      }));
      assert.ok(box.right <= width, 'it ends within the window');
      assert.equal(
        await panel.page.locator('.inspector').evaluate((each) => each.scrollWidth > each.clientWidth),
        false,
      );
      if (inner > outer) {
        await table.focus();
        await panel.page.keyboard.press('ArrowRight');
        await panel.page.waitForFunction(() => (document.querySelector('.table:focus')?.scrollLeft ?? 0) > 0);
      }
      await panel.page.screenshot({ path: `out/pictures/evidence-${width}.png` });
    });
});
