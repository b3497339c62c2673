import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { GraphNode, GraphSearch, GraphTimedCall } from '../../src/protocol/graph-node.ts';
import { comparePicture } from './support/compare-picture.ts';
import { PanelPage } from './support/panel-page.ts';
import { BEGUN, LATEST, sampleCalls } from './support/sample-calls.ts';
import { DETAILS } from './support/sample-details.ts';
import { sampleNodes, sampleSearch } from './support/sample-tree.ts';
import { THEMES, type ThemeName } from './support/themes.ts';
import { useBrowser } from './support/use-browser.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

describe('the calls in time', () => {
  const opened = useBrowser();
  let nodes: GraphNode[];
  let calls: GraphTimedCall[];
  let panel: PanelPage;

  afterEach(async () => {
    assert.deepEqual(await panel.violations(), []);
    await panel.close();
  });

  interface Shown {
    readonly theme?: ThemeName;
    readonly width?: number;
    readonly height?: number;
    readonly count?: number;
    readonly search?: Partial<GraphSearch>;
  }

  async function show({ count = 60, search = {}, ...options }: Shown = {}): Promise<void> {
    panel = await PanelPage.open(opened.browser, options);
    await panel.page.clock.setFixedTime(LATEST);
    nodes = sampleNodes(40);
    calls = sampleCalls(nodes, count);
    await panel.snapshot(sampleSearch(nodes, search), nodes);
    await panel.page.getByRole('tab', { name: 'Calls' }).click();
    assert.deepEqual(await panel.posted('calls'), { type: 'calls', isOpen: true });
    await panel.send({ type: 'calls', isAnew: true, calls });
  }

  const grid = () => panel.page.getByRole('grid', { name: 'Calls' });
  const row = (at: number) => grid().locator(`tr[aria-rowindex="${at + 2}"]`);
  const bars = () => panel.page.locator('.call-lanes .call-bar');
  const chosen = () => panel.page.locator('.chosen-call');

  it('are bars in a lane for each that is made at once, and a row of a table with the same in words', async () => {
    await show();
    assert.equal(await grid().getAttribute('aria-rowcount'), '61');
    const places = await bars().evaluateAll((all) =>
      all.map((bar) => {
        const { left, right, top } = bar.getBoundingClientRect();
        return { left, right, top };
      }),
    );
    assert.equal(new Set(places.map(({ top }) => top)).size, 4, 'it has four slots');
    for (const a of places)
      for (const b of places)
        assert.ok(
          a === b || a.top !== b.top || a.right <= b.left + 4 || b.right <= a.left + 4,
          'two lie over each other',
        );
    const [first] = calls as [GraphTimedCall];
    const cells = await row(0).locator('td').allTextContents();
    assert.deepEqual(cells.slice(1), [
      'writing the document',
      'How does this server protect itself?',
      'copilot/some-model',
      '4K',
      '',
      '300',
      '$0.0040',
      `${((first.ms ?? 0) / 1000).toFixed(1)} s`,
      'ok',
    ]);
    await panel.page
      .locator('.calls-sum', { hasText: '60 calls · 820K tokens · $1.27 · 80 % of what was sent came from a cache' })
      .waitFor();
    assert.equal(await panel.page.locator('.call-pause').count(), 1, 'the hour of rest is no hour wide');
  });

  it('select their node and show their words, by a click or by keys, with buttons that copy', async () => {
    await show();
    const call = calls[3] as GraphTimedCall;
    await row(3).click();
    assert.deepEqual(await panel.posted('select'), { type: 'select', path: call.node });
    assert.deepEqual(await panel.posted('exchange'), { type: 'exchange', path: call.node, call: call.number });
    const words = { system: 'You map code.', prompt: 'Write about it.', answer: 'It is written.' };
    await panel.send({ type: 'exchange', exchange: { path: call.node, call: call.number, ...words } });
    await chosen().locator('pre', { hasText: 'It is written.' }).waitFor();
    await panel.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await chosen().getByRole('button', { name: 'Copy: Prompt' }).click();
    await panel.page.locator('[aria-live=polite]', { hasText: 'Copied.' }).waitFor({ state: 'attached' });
    assert.equal(await row(3).getAttribute('aria-selected'), 'true');
    assert.equal(await panel.page.locator('.call-lanes .chosen').count(), 1);
    await grid().focus();
    await panel.page.keyboard.press('ArrowDown');
    assert.equal(await grid().getAttribute('aria-activedescendant'), 'call-4');
    assert.equal((await panel.posted('exchange')).path, calls[4]?.node);
    await panel.page.keyboard.press('End');
    await panel.settled();
    assert.equal(await grid().getAttribute('aria-activedescendant'), 'call-59');
    await chosen().locator('.outcome', { hasText: 'under way' }).waitFor();
    await panel.page.keyboard.press('Enter');
    assert.ok(
      await chosen()
        .locator('h3')
        .evaluate((head) => head === document.activeElement),
    );
    await panel.page.keyboard.press('Escape');
    assert.ok(await grid().evaluate((table) => table === document.activeElement));
    const [bar] = await bars().all();
    await bar?.click();
    assert.equal(await row(0).getAttribute('aria-selected'), 'true');
    assert.match((await bar?.getAttribute('title')) ?? '', /^writing the document · .+\ncopilot\/some-model\nok\n/);
    // The tree has the node that was selected here.
    await panel.page.getByRole('tab', { name: 'Tree' }).click();
    assert.deepEqual(await panel.posted('calls'), { type: 'calls', isOpen: false });
    await panel.page.locator('canvas').waitFor();
    await panel.page.locator('.inspector h2', { hasText: 'How does this server' }).waitFor();
    assert.equal(await chosen().count(), 0);
  });

  it('show the words of a call whose node is gone, at what is left above it', async () => {
    await show();
    await panel.send({
      type: 'calls',
      isAnew: false,
      calls: [{ ...(calls[2] as GraphTimedCall), node: 't0/gone', number: 1 }],
    });
    await row(2).click();
    assert.equal((await panel.posted('select')).path, 't0');
    assert.deepEqual(await panel.posted('exchange'), { type: 'exchange', path: 't0/gone', call: 1 });
    await panel.send({ type: 'exchange', exchange: { path: 't0/gone', call: 1, prompt: 'Gone?', answer: 'Gone.' } });
    await chosen().locator('pre', { hasText: 'Gone.' }).waitFor();
  });

  it('grow while the search runs, and are cut off when it dies', async () => {
    await show();
    const last = calls.at(-1) as GraphTimedCall;
    const ended = { ...last, outcome: 'ok', ms: 500, end: Date.parse(last.time) + 500, prompt: 10, completion: 1 };
    const next = { ...last, id: 60, number: last.number + 1, time: new Date(ended.end + 10).toISOString() };
    await panel.send({ type: 'calls', isAnew: false, calls: [ended, next] });
    assert.equal(await grid().getAttribute('aria-rowcount'), '62');
    await panel.page.locator('.call-lanes .running').nth(1).waitFor();
    await panel.change([], { state: 'interrupted', isHeld: false, slots: [] });
    await panel.page.locator('.call-lanes .running').first().waitFor({ state: 'detached' });
    await grid().focus();
    await panel.page.keyboard.press('End');
    await chosen().locator('.outcome', { hasText: 'cut off' }).waitFor();
  });

  it('are under way in a search at rest while something that a person does asks a model', async () => {
    await show({ search: { state: 'paused', isHeld: true } });
    assert.equal(await panel.page.locator('.call-lanes .running').count(), 2);
    await panel.change([], { isHeld: false });
    await panel.page.locator('.call-lanes .running').first().waitFor({ state: 'detached' });
  });

  it('are the latest of many, and counted right where a clock was set back or a time is none', async () => {
    await show();
    const ended = { ...(calls[10] as GraphTimedCall), outcome: 'ok', ms: 1000 };
    const back = { ...ended, id: 59, time: new Date(BEGUN - 7_200_000).toISOString(), end: BEGUN - 7_199_000 };
    await panel.send({ type: 'calls', isAnew: false, calls: [back, { ...ended, id: 60, time: 'yesterday' }] });
    const sum = panel.page.locator('.calls-sum');
    await panel.change([], { isHeld: false, state: 'paused' });
    assert.equal(await grid().getAttribute('aria-rowcount'), '61');
    assert.match((await sum.textContent()) ?? '', /^60 calls · (?!.*only the latest)/);
    await grid().focus();
    await panel.page.keyboard.press('End');
    await chosen().locator('.outcome', { hasText: 'cut off' }).waitFor();
    await panel.send({ type: 'calls', isAnew: false, calls: [{ ...ended, id: 20_049 }] });
    await sum.filter({ hasText: /^61 calls · .* · only the latest 11 are shown$/ }).waitFor();
  });

  it('let the panel begin with the tree again if they cannot be drawn', async () => {
    await show();
    await panel.send({ type: 'calls', isAnew: false, calls: [{ ...(calls[3] as GraphTimedCall), end: 1e17 }] });
    await panel.page.getByRole('button', { name: 'Reload the panel' }).waitFor();
    assert.equal((await panel.kept())['hasCalls'], false);
  });

  it('are those of the moment that is shown', async () => {
    await show();
    const moment = { seq: 9, at: 9000, time: BEGUN + 9000, said: 'So it was.' };
    await panel.change([], { past: moment });
    const begun = calls.filter(({ time }) => Date.parse(time) <= moment.time);
    assert.equal(await grid().getAttribute('aria-rowcount'), String(begun.length + 1));
    const open = begun.filter(({ end = Number.POSITIVE_INFINITY }) => end > moment.time);
    assert.equal(await panel.page.locator('.call-lanes .running').count(), open.length);
    await panel.page.getByRole('button', { name: 'Back to now' }).click();
    assert.deepEqual((await panel.posted('seek')).to, null);
    await panel.change([], { past: null });
    assert.equal(await grid().getAttribute('aria-rowcount'), '61');
  });

  it('are asked for again where the page is loaded anew, and say so where there are none', async () => {
    panel = await PanelPage.open(opened.browser, {
      kept: { folder: '/home/me/thought-trees/sample', hasCalls: true },
      awaitsReady: true,
    });
    nodes = sampleNodes(1);
    await panel.send({
      type: 'snapshot',
      seq: 0,
      folder: '/home/me/thought-trees/sample',
      search: sampleSearch(nodes),
      nodes,
    });
    assert.deepEqual(await panel.posted('calls'), { type: 'calls', isOpen: true });
    await panel.page.locator('.no-calls', { hasText: 'Reading the calls…' }).waitFor();
    await panel.send({ type: 'calls', isAnew: true, calls: [] });
    await panel.page.locator('.no-calls', { hasText: 'There is no call to a model yet.' }).waitFor();
    assert.deepEqual(await panel.audit(axe), []);
    await panel.page.getByRole('tab', { name: 'Calls' }).focus();
    await panel.page.keyboard.press('ArrowLeft');
    await panel.page.locator('canvas').waitFor();
    assert.ok(await panel.page.getByRole('tab', { name: 'Tree' }).evaluate((tab) => tab === document.activeElement));
  });

  it('are few elements however many they are: short ones are one bar, and a click on it zooms in', async () => {
    await show({ count: 20_000 });
    assert.ok((await bars().count()) <= 4 * 1280 * 0.5);
    assert.ok((await grid().locator('tr').count()) < 100);
    const merged = panel.page.locator('.call-lanes .call-bar[title*="too short to be drawn"]').first();
    const before = await panel.page.locator('.call-lanes > div').evaluate((inner) => inner.clientWidth);
    await merged.click();
    await panel.settled();
    assert.ok((await panel.page.locator('.call-lanes > div').evaluate((inner) => inner.clientWidth)) > 2 * before);
    await grid().focus();
    await panel.page.keyboard.press('End');
    await row(19_999).waitFor();
    await panel.page.locator('.call-lanes .chosen').waitFor();
  });

  for (const theme of Object.keys(THEMES) as ThemeName[])
    it(`are accessible in the theme ${theme}`, async () => {
      await show({ theme });
      await row(3).click();
      await panel.send({ type: 'details', details: { ...DETAILS, path: (calls[3] as GraphTimedCall).node } });
      await panel.send({
        type: 'exchange',
        exchange: { path: calls[3]?.node ?? '', call: 1, prompt: 'Why?', answer: 'So.' },
      });
      assert.deepEqual(await panel.audit(axe), []);
    });

  it('look as they were meant to', async function () {
    if (process.env['CHROMIUM']) this.skip(); // another browser draws letters otherwise
    await show();
    await row(10).click();
    await panel.page.mouse.move(0, 0);
    await panel.page.evaluate(() => document.fonts.ready);
    await panel.settled();
    comparePicture('calls', await panel.page.screenshot({ animations: 'disabled', caret: 'hide' }));
  });

  for (const width of [300, 500, 800])
    it(`fit into ${width} pixels`, async () => {
      await show({ width });
      const overflow = await panel.page.evaluate(() => {
        const table = document.querySelector('.call-table') as HTMLElement;
        const [top] = document.getElementsByTagName('header');
        return [top?.scrollWidth === top?.clientWidth, table.scrollWidth === table.clientWidth];
      });
      assert.deepEqual(overflow, [true, true]);
    });
});
