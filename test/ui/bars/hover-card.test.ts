import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { GraphNode } from '../../../src/protocol/graph-node.ts';
import { PanelPage } from '../support/panel-page.ts';
import { sampleNodes, sampleSearch } from '../support/sample-tree.ts';
import { THEMES, type ThemeName } from '../support/themes.ts';
import { useBrowser } from '../support/use-browser.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const SUMMARY = 'What every request passes: a session, a token, and a check of both. '.repeat(8);
const KNOWN: Partial<GraphNode> = {
  title: 'Authentication and sessions, with everything that belongs to them',
  summary: SUMMARY,
  score: 9.2,
  confidence: 0.9,
  usd: 0.0312,
  tokens: 12_345,
  citations: { verified: 6, moved: 0, stale: 0, not_found: 1 },
};

describe('the card of a node', () => {
  const opened = useBrowser();
  let panel: PanelPage;

  async function filled(theme: ThemeName = 'dark'): Promise<void> {
    panel = await PanelPage.open(opened.browser, { theme });
    const nodes = sampleNodes(10).map((node) => (node.path === 't0' ? { ...node, ...KNOWN } : node));
    await panel.snapshot(sampleSearch(nodes), nodes);
  }
  afterEach(() => panel?.close());

  const card = () => panel.page.getByRole('tooltip');

  /** Where a node is: it is selected by keys, and its menu opens next to it. */
  async function placeOf(...keys: string[]): Promise<{ x: number; y: number }> {
    await panel.page.locator('canvas').focus();
    for (const key of keys) await panel.page.keyboard.press(key);
    await panel.settled(); // its details open beside the drawing, which moves
    await panel.page.keyboard.press('Shift+F10');
    const menu = panel.page.locator('.menu');
    const { x, y } = (await menu.boundingBox()) ?? assert.fail();
    await panel.page.keyboard.press('Escape');
    await menu.waitFor({ state: 'detached' });
    return { x, y: y - 12 };
  }

  it('says what there is to know of it in short, to a pointer that rests on it', async () => {
    await filled();
    const { x, y } = await placeOf('Home', 'ArrowRight');
    await panel.page.mouse.move(x, y, { steps: 3 });
    await card().waitFor();
    const text = (await card().locator('p').allTextContents()).join(' ');
    for (const part of [
      'Authentication and sessions, with everything that belongs to them',
      'expanded9.2 of 10 (90 % sure)',
      'best path',
      'quotations: 6 verified, 1 not found',
      '$0.0312',
      '12.3K tokens',
    ])
      assert.ok(text.includes(part), `"${part}" is missing in: ${text}`);
    const summary = panel.page.locator('.card-summary');
    const { height = 0 } = (await summary.boundingBox()) ?? {};
    const line = await summary.evaluate((element) => Number.parseFloat(getComputedStyle(element).lineHeight));
    assert.ok(height > line && height < 2.5 * line, `two lines of ${line} pixels, not ${height}`);
  });

  it('stays while the pointer is on it, and goes with it', async () => {
    await filled();
    const { x, y } = await placeOf('Home', 'ArrowRight');
    await panel.page.mouse.move(x, y, { steps: 3 });
    await card().waitFor();
    await card().hover();
    await panel.passes(500); // longer than a pointer may be on its way
    assert.equal(await card().isVisible(), true);
    await panel.page.mouse.move(640, 60);
    await card().waitFor({ state: 'detached' });
  });

  it('goes with Escape, which does nothing else then, and when the drawing moves', async () => {
    await filled();
    const { x, y } = await placeOf('Home', 'ArrowRight');
    await panel.page.mouse.move(x, y, { steps: 3 });
    await card().waitFor();
    await panel.page.keyboard.press('Escape');
    await card().waitFor({ state: 'detached' });
    assert.equal(await panel.page.locator('.inspector').count(), 1, 'the details stay');
    await panel.page.keyboard.press('Escape');
    await panel.page.locator('.inspector').waitFor({ state: 'detached' });
    const again = await placeOf('Home', 'ArrowRight');
    await panel.page.mouse.move(640, 60);
    await panel.page.mouse.move(again.x, again.y, { steps: 3 });
    await card().waitFor();
    await panel.page.mouse.wheel(0, 20);
    await card().waitFor({ state: 'detached' });
  });

  it('can be asked for by a key, is then read out, and is always within the drawing', async () => {
    await filled();
    await placeOf('Home', 'End');
    await panel.page.keyboard.press('Shift+Enter');
    await card().waitFor();
    const [box, stage] = [await card().boundingBox(), await panel.page.locator('.stage').boundingBox()];
    assert.ok(box && stage && box.y >= stage.y && box.y + box.height <= stage.y + stage.height);
    assert.ok(box.x >= stage.x && box.x + box.width <= stage.x + stage.width);
    const title = (await panel.page.locator('.card-title').textContent()) ?? assert.fail();
    await panel.page.locator('[aria-live=polite]', { hasText: title }).waitFor({ state: 'attached' });
    await panel.page.keyboard.press('ArrowUp');
    await card().waitFor({ state: 'detached' });
  });

  for (const theme of Object.keys(THEMES) as ThemeName[])
    it(`passes the checks of axe, with each box of the header, in ${theme}`, async () => {
      await filled(theme);
      await placeOf('Home', 'ArrowRight');
      await panel.page.keyboard.press('Shift+Enter');
      await card().waitFor();
      assert.deepEqual(await panel.audit(AXE), []);
      await panel.page.keyboard.press('Escape');
      await panel.page.keyboard.press('/');
      await panel.page.keyboard.type('session');
      await panel.change([], { state: 'paused', reason: 'It waits.', isSolved: true, answer: '24' });
      for (const name of ['Filters and legend', 'Cost and limits', /^Solved/, /^Current work/]) {
        const button = panel.page.getByRole('button', { name });
        await button.click();
        await panel.page.locator('.popover').waitFor();
        assert.deepEqual(await panel.audit(AXE), [], String(name));
        await panel.page.keyboard.press('Escape');
      }
      await panel.page.getByRole('button', { name: 'More actions on the search' }).click();
      await panel.page.getByRole('menu').waitFor();
      assert.deepEqual(await panel.audit(AXE), [], 'the menu');
    });
});
