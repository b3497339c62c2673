import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { GraphNode } from '../../src/protocol/graph-node.ts';
import { PanelPage } from './support/panel-page.ts';
import { DETAILS } from './support/sample-details.ts';
import { sampleNodes, sampleSearch } from './support/sample-tree.ts';
import { THEMES, type ThemeName } from './support/themes.ts';
import { useBrowser } from './support/use-browser.ts';

const PICTURES = join(import.meta.dirname, '../../out/pictures');
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

describe('the panel in a browser', () => {
  const opened = useBrowser();
  let panel: PanelPage;

  before(async () => {
    mkdirSync(PICTURES, { recursive: true });
  });
  afterEach(() => panel?.close());

  /** A panel with a tree in it, and the first topic selected. */
  async function filled(theme: ThemeName = 'dark', count = 40): Promise<GraphNode[]> {
    panel = await PanelPage.open(opened.browser, { theme });
    const nodes = sampleNodes(count);
    await panel.snapshot(sampleSearch(nodes), nodes);
    return nodes;
  }

  for (const theme of Object.keys(THEMES) as ThemeName[])
    it(`passes the checks of axe, in ${theme}`, async () => {
      await filled(theme);
      await panel.page.locator('canvas').focus();
      for (const key of ['Home', 'ArrowRight']) await panel.page.keyboard.press(key);
      await panel.send({ type: 'details', details: { ...DETAILS, path: 't0' } });
      await panel.page.locator('.calls summary').first().click();
      await panel.send({
        type: 'exchange',
        exchange: { path: 't0', call: 1, system: 'You are.', turns: [], prompt: 'Write.', answer: 'Done.' },
      });
      await panel.page.getByRole('button', { name: 'Legend' }).click();
      await panel.page.locator('.legend').waitFor();
      await panel.page.screenshot({ path: join(PICTURES, `panel-${theme}.png`) });
      // As a test's own tool it may do what the page must not.
      const violations = await panel.audit(AXE);
      assert.deepEqual(violations, []);
      assert.deepEqual(await panel.violations(), []);
    });

  it('keeps apart what was spent and what is only booked', async () => {
    await filled();
    await panel.openFigures();
    const spent = panel.page.locator('dd', { has: panel.page.locator('.booked') });
    assert.equal(await spent.count(), 0);
    await panel.change([], { booked: { calls: 16, tokens: 70_000, usd: 0.27 } });
    assert.match(
      (await spent.textContent()) ?? '',
      /^\$1\.00 · 750K tokens · 81 % cached · up to 70K tokens, \$0\.27 more$/,
    );
  });

  it('can be used with keys only, from end to end', async () => {
    await filled();
    const { page } = panel;
    const said = page.locator('[aria-live=polite]');
    for (let i = 0; i < 40 && (await page.evaluate(() => document.activeElement?.tagName)) !== 'CANVAS'; i++)
      await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowDown');
    assert.equal((await panel.posted('select')).path, '');
    await page.keyboard.press('ArrowRight');
    assert.equal((await panel.posted('select')).path, 't0');
    await said.filter({ hasText: 'Authentication' }).waitFor({ state: 'attached' });
    assert.match((await said.textContent()) ?? '', /Authentication and sessions, expanded, score .* level 1, 1 of \d+/);
    await page.keyboard.press('ArrowDown');
    assert.equal((await panel.posted('select')).path, 't1');
    await page.keyboard.press('Delete');
    assert.deepEqual(await panel.posted('act'), { type: 'act', action: 'prune', path: 't1' });
    await page.keyboard.press('Control+z');
    assert.deepEqual(await panel.posted('act'), { type: 'act', action: 'undo', path: '' });
    await page.keyboard.press('Control+Shift+z');
    assert.deepEqual(await panel.posted('act'), { type: 'act', action: 'undo', path: '', forward: true });
    await page.keyboard.press('Home');
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('a');
    await page.keyboard.press('u');
    await page.waitForFunction(() => /^Au/.test(document.querySelector('.inspector h2')?.textContent ?? ''));
    await page.keyboard.press('Enter');
    assert.equal(await page.evaluate(() => document.activeElement?.tagName), 'H2');
    await page.keyboard.press('Escape');
    assert.equal(await page.evaluate(() => document.activeElement?.tagName), 'CANVAS');
    await page.keyboard.press('Shift+F10');
    await page.getByRole('menuitem', { name: /Add note/ }).waitFor();
    for (let i = 0; i < 10 && !(await focusedText()).startsWith('Add note'); i++)
      await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    assert.equal((await panel.posted('act')).action, 'note');
    await page.keyboard.press('/');
    await page.keyboard.type('audit log');
    await page.locator('.found', { hasText: /^\d+ found/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.locator('.found', { hasText: /^1 of \d+$/ }).waitFor();
    await page.locator('.inspector h2', { hasText: 'Audit log' }).waitFor();
    await page.keyboard.press('Escape');
    await page.locator('#find').waitFor({ state: 'detached' });
    await page.keyboard.press(' ');
    await page.keyboard.press('+');
    await page.keyboard.press('Escape');
    await page.locator('.inspector').waitFor({ state: 'detached' });
  });

  async function focusedText(): Promise<string> {
    return await panel.page.evaluate(() => document.activeElement?.textContent ?? '');
  }

  it('does nothing that a title or a document asks for', async () => {
    const bad = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>';
    const right = '\u05d0\u05d1\u05d2 \u202eright to left\u202c \u0627\u0644\u0623\u0645\u0646';
    panel = await PanelPage.open(opened.browser);
    const nodes: GraphNode[] = [
      { path: '', title: bad, status: 'expanded', index: 0 },
      { path: 'a', title: bad, status: 'leaf', index: 0, summary: bad, failure: bad },
      { path: 'b', title: right, status: 'leaf', index: 1 },
      { path: 'c', title: 'x'.repeat(1_000_000), status: 'leaf', index: 2, summary: 'y'.repeat(1_000_000) },
    ];
    await panel.snapshot(sampleSearch(nodes, { title: bad, question: bad, reason: bad, order: ['a'] }), nodes);
    const text = [
      bad,
      '[a](javascript:window.hacked=1) [b](data:text/html,<script>window.hacked=1</script>) [c](command:workbench.action.quit)',
      '[d](vscode://x/y) [i](../packages/%40scope/my%20app/%5Bid%5D.ts#L1-L2) [j](javascript%3Awindow.hacked%3D1) [e](../../etc/passwd) [f](https://example.com) ![g](https://example.com/h.png)',
      '<a href="javascript:window.hacked=1">raw</a> <form action="x"><input autofocus onfocus="window.hacked=1"></form>',
      '<style>body{display:none}</style><iframe src="https://example.com"></iframe>',
      `[h](java\nscript:window.hacked=1) <svg onload="window.hacked=1">`,
      '> '.repeat(2000),
      'z'.repeat(200_000),
    ].join('\n\n');
    for (const path of ['a', 'b', 'c']) {
      await panel.send({ type: 'reveal', path });
      await panel.send({ type: 'details', details: { ...DETAILS, path, document: text, reasoning: bad, note: bad } });
      await panel.page.locator('.document').waitFor();
    }
    for (const link of await panel.page.locator('.document a:not([href^=http])').all())
      await link.evaluate((element: HTMLElement) => element.click());
    const found = await panel.page.evaluate(() => ({
      hacked: (window as unknown as { hacked?: number }).hacked,
      elements: document.querySelectorAll('.document :is(script,img,svg,form,input,style,iframe), h1 *, h2 *').length,
      links: [...document.querySelectorAll('.document a')].map((link) => link.getAttribute('href')),
      width: document.documentElement.scrollWidth - window.innerWidth,
    }));
    assert.equal(found.hacked, undefined);
    assert.equal(found.elements, 0);
    // Files alone: what they are called is looked at by the extension, which opens those of the workspace.
    const files = [
      '../packages/%40scope/my%20app/%5Bid%5D.ts#L1-L2',
      'javascript%3Awindow.hacked%3D1',
      '../../etc/passwd',
    ];
    assert.deepEqual(
      found.links.filter((href) => href !== null),
      [...files, 'https://example.com', 'https://example.com/h.png'],
    );
    assert.ok(found.width <= 0, 'nothing is wider than the window');
    for (const href of files) assert.deepEqual(await panel.posted('open-link'), { type: 'open-link', path: 'c', href });
    assert.deepEqual(await panel.violations(), []);
    await panel.page.getByRole('button', { name: 'Save as SVG' }).click();
    const { svg } = await panel.posted('save-picture');
    const isWhole = await panel.page.evaluate((text) => {
      const parsed = new DOMParser().parseFromString(text, 'image/svg+xml');
      return parsed.querySelectorAll('parsererror, script, img, foreignObject').length === 0;
    }, svg);
    assert.ok(isWhole);
  });

  it('shows changes, and keeps the person’s settings', async () => {
    const nodes = await filled();
    const { page } = panel;
    await page.locator('canvas').focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowRight');
    const first = nodes.find(({ path }) => path === 't0') as GraphNode;
    await panel.change([{ ...first, status: 'pruned', prunedBy: 'user' }], { worked: 35 });
    await page.locator('.status-line', { hasText: 'pruned (by hand)' }).waitFor();
    await panel.openFigures();
    await page.locator('.figures', { hasText: '35 of 60' }).waitFor();
    await panel.closeBox();
    await panel.change([], {}, ['t0']);
    await page.locator('.status-line', { hasText: 'the question' }).waitFor();
    await panel.openFilters();
    await page.getByRole('button', { name: 'failed' }).click();
    await page.getByRole('button', { name: 'Filters and legend, 1 filter on' }).waitFor();
    const kept = await panel.kept();
    await panel.close();
    panel = await PanelPage.open(opened.browser, { kept });
    await panel.snapshot(sampleSearch(nodes), nodes);
    await panel.openFilters();
    assert.equal(await panel.page.getByRole('button', { name: 'failed' }).getAttribute('aria-pressed'), 'true');
    assert.equal(await panel.page.locator('.status-line').textContent(), 'the question');
  });

  it('is dragged and zoomed by a pointer, and opens a branch at a double click', async () => {
    await filled();
    const { page } = panel;
    const canvas = await page.locator('canvas').boundingBox();
    assert.ok(canvas);
    const [x, y] = [canvas.x + 30, canvas.y + 30];
    const camera = async () => (await panel.kept())['camera'] as { x: number; y: number; scale: number };
    await page.mouse.move(x, y);
    await page.mouse.wheel(0, 30);
    const before = await camera();
    await page.mouse.down();
    await page.mouse.move(x + 60, y + 40, { steps: 5 });
    await page.mouse.up();
    const dragged = await camera();
    assert.deepEqual([dragged.x - before.x, dragged.y - before.y], [60, 40]);
    assert.equal(await page.locator('.inspector').count(), 0, 'a drag selects nothing');
    await page.keyboard.down('Control');
    await page.mouse.wheel(0, -200);
    await page.keyboard.up('Control');
    assert.ok((await camera()).scale > dragged.scale);
  });

  it('repeats a request that was lost', async () => {
    panel = await PanelPage.open(opened.browser);
    await panel.posted('ready');
    const nodes = sampleNodes(10);
    await panel.snapshot(sampleSearch(nodes), nodes);
  });

  it('can be reloaded if it fails', async () => {
    await filled();
    await panel.change([], { guards: null as never });
    await panel.page.getByRole('alert').filter({ hasText: 'The search itself is not affected' }).waitFor();
    await panel.posted('failed');
    await panel.page.getByRole('button', { name: 'Reload the panel' }).click();
    await panel.posted('reload');
  });

  for (const count of [10, 1000, 10_000])
    it(`draws ${count} nodes`, async () => {
      await filled('light', count);
      await panel.page.screenshot({ path: join(PICTURES, `panel-${count}.png`) });
      await panel.showLevels(0);
      await panel.page.getByRole('button', { name: 'Show everything' }).click();
      await panel.settled();
      await panel.page.screenshot({ path: join(PICTURES, `panel-${count}-all.png`) });
      assert.ok((await panel.colours()) >= 4, 'the drawing is not empty');
    });
});
