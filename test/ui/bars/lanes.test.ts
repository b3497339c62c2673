import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { GraphFleet } from '../../../src/protocol/graph-node.ts';
import { PanelPage } from '../support/panel-page.ts';
import { sampleFleet, sampleWorker } from '../support/sample-fleet.ts';
import { sampleNodes, sampleSearch } from '../support/sample-tree.ts';
import { THEMES, type ThemeName } from '../support/themes.ts';
import { useBrowser } from '../support/use-browser.ts';

const NOW = Date.UTC(2026, 10, 28, 12);
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

describe('the lanes of a fleet', () => {
  const opened = useBrowser();
  let panel: PanelPage;

  afterEach(async () => {
    assert.deepEqual(await panel.violations(), []);
    await panel.close();
  });

  async function shown(options: { theme?: ThemeName; width?: number; height?: number } = {}): Promise<GraphFleet> {
    panel = await PanelPage.open(opened.browser, options);
    const nodes = sampleNodes(40);
    // Or a slow machine would show that time goes by.
    await panel.page.evaluate((now) => Object.assign(Date, { now: () => now }), NOW);
    const sample = sampleFleet(NOW);
    await panel.snapshot(sampleSearch(nodes, sample), nodes);
    await panel.page.getByRole('button', { name: 'Current work: 5' }).click();
    await panel.page.locator('.lanes').waitFor();
    return sample.fleet;
  }

  const lane = (name: string) => panel.page.locator('.lane').filter({ has: panel.page.getByRole('heading', { name }) });
  const said = async (name: string): Promise<string> =>
    ((await lane(name).textContent()) ?? '').replaceAll(/\s+/g, ' ');
  const setFleet = (fleet: GraphFleet | null) => panel.change([], { fleet });

  it('has one for each worker, with what each of its slots does, what it spent and when it was seen', async () => {
    await shown();
    const summary = await panel.page.locator('.lanes > p').first().textContent();
    assert.equal(summary, '3 workers · 5 of 72 slots busy · 5 calls wait for openai-compatible/qwen3-coder-480b');
    const first = await said('gpu-1.example');
    for (const part of [
      '4 of 4 slots busy',
      'openai-compatible/qwen3-coder-480b',
      'today 120 calls, 1.2M tokens, $0.42',
      'seen just now',
      'writing the document',
      'Of "Why is the build slow on the old machines?"',
      'Another search',
    ])
      assert.ok(first.includes(part), `${part} is not in ${first}`);
    assert.ok(first.includes('1 min 12 s'), first);
    assert.match(await said('gpu-2.example'), /finishes its calls.* · seen 8\.0 s ago/s);
    assert.match(await said('gpu-3.example'), /has reached its cap of the day.* \+3 ·/s);
    assert.equal(await lane('gpu-1.example').locator('.room .busy').count(), 4);
    assert.equal(await lane('With no worker').locator('.slot').count(), 2);
  });

  it('leads from a call to its node by keyboard, and from those of other searches nowhere', async () => {
    await shown();
    const buttons = lane('gpu-1.example').getByRole('button');
    assert.equal(await buttons.count(), 2);
    await buttons.nth(1).focus();
    await panel.page.keyboard.press('Enter');
    assert.equal((await panel.posted('select')).path, 't2');
    await panel.page.keyboard.press('Escape');
    await panel.page.locator('.lanes').waitFor({ state: 'detached' });
    const name = await panel.page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
    assert.equal(name, 'Current work: 5', 'the focus is where it was');
  });

  it('keeps the focus while workers come and go', async () => {
    const fleet = await shown();
    await lane('gpu-2.example').getByRole('button').focus();
    await setFleet({ ...fleet, workers: [sampleWorker(0, NOW), ...fleet.workers.slice(1)] });
    await lane('gpu-1.example').waitFor({ state: 'detached' });
    assert.equal(
      await lane('gpu-2.example')
        .getByRole('button')
        .evaluate((each) => each === document.activeElement),
      true,
    );
    await setFleet(null);
    await panel.page.locator('.lanes').waitFor({ state: 'detached' });
    assert.equal(await panel.page.locator('.popover .slot').count(), 5, 'what is done is still listed');
  });

  it('says that no worker is there, and that the queue is away, and stays where nothing is done', async () => {
    await shown();
    await setFleet({ workers: [], moreWorkers: 0, waiting: [{ model: 'm', calls: 1 }] });
    await panel.page.getByText('No worker is there. Start one: thought-tree worker').waitFor();
    await panel.page.getByText('0 workers · 1 call waits for m', { exact: true }).waitFor();
    await setFleet({ workers: [sampleWorker(1, NOW)], moreWorkers: 7, waiting: [], isAway: true });
    await panel.page.getByText('The queue cannot be reached.').waitFor();
    await panel.page.getByText('7 more workers').waitFor();
    await panel.change([], { slots: [] });
    await panel.page.getByRole('button', { name: 'Current work: 0' }).waitFor();
  });

  for (const [width, height] of [
    [300, 500],
    [1280, 720],
  ] as const)
    it(`is in the window at ${width} × ${height}, and scrolls where it is longer`, async () => {
      await shown({ width, height });
      const hostile = 'W'.repeat(100);
      await setFleet({
        workers: Array.from({ length: 50 }, (_, index) =>
          sampleWorker(index, NOW, { name: hostile, models: [hostile] }),
        ),
        moreWorkers: 1000,
        waiting: [{ model: hostile, calls: 1 }],
      });
      await panel.page.locator('.lane').nth(49).waitFor();
      const box = (await panel.page.locator('.popover').boundingBox()) ?? assert.fail();
      assert.ok(box.x >= 0 && box.x + box.width <= width && box.y + box.height <= height, JSON.stringify(box));
      const wide = await panel.page.locator('.popover').evaluate((each) => each.scrollWidth - each.clientWidth);
      assert.equal(wide, 0, 'nothing is cut off at its side');
      assert.equal(await panel.page.evaluate(() => document.documentElement.scrollWidth), width);
    });

  for (const theme of Object.keys(THEMES) as ThemeName[])
    it(`is accessible in the theme ${theme}`, async () => {
      await shown({ theme });
      assert.deepEqual(await panel.audit(axe), []);
    });

  it('shows what workers say as text', async () => {
    await shown();
    const evil = '<img src=x onerror="document.title=1"><script>document.title=1</script>';
    const call = { node: evil, purpose: evil, since: Number.NaN, model: evil, other: evil };
    const worker = sampleWorker(1, NOW, { name: evil, models: [evil], slots: 1, busy: 1, calls: [call] });
    await setFleet({ workers: [worker], moreWorkers: 0, waiting: [{ model: evil, calls: 2 }] });
    await panel.page.getByRole('heading', { name: '<img src=x' }).waitFor();
    assert.equal(await panel.page.locator('.lanes img, .lanes script').count(), 0);
    assert.equal(await panel.page.title(), 'Thought Tree');
  });
});
