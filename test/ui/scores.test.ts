import assert from 'node:assert/strict';
import { PanelPage } from './support/panel-page.ts';
import { DETAILS } from './support/sample-details.ts';
import { sampleNodes, sampleSearch, sampleThoughts } from './support/sample-tree.ts';
import { useBrowser } from './support/use-browser.ts';

describe('scores, forecast and legend of the panel', () => {
  const opened = useBrowser();
  let panel: PanelPage;

  afterEach(() => panel?.close());

  async function filled(): Promise<void> {
    panel = await PanelPage.open(opened.browser);
    const nodes = sampleNodes(40);
    await panel.snapshot(sampleSearch(nodes), nodes);
  }

  it('shows what a search of thoughts knows of a node', async () => {
    panel = await PanelPage.open(opened.browser);
    const { page } = panel;
    const nodes = sampleThoughts();
    await panel.snapshot(sampleSearch(nodes, { kind: 'thoughts' }), nodes);
    const line = page.locator('.status-line');
    const said = page.locator('[aria-live=polite]');
    for (const [path, shows] of [
      ['node_3', '~6.1'],
      ['node_4', 'open (good enough, not kept)'],
      ['node_5', 'pruned (its score is too low)'],
      ['node_1/node_1_2', 'pruned (the evaluator advised it)'],
      ['node_1/node_1_3', 'pruned (it breaks a constraint)'],
      ['node_2/node_2_2', 'pruned (a check failed)'],
      ['node_1/node_1_1/node_1_1_1', 'leaf (a solution)'],
    ] as const) {
      await panel.send({ type: 'reveal', path });
      if (path !== 'node_3') await line.filter({ hasText: shows }).waitFor();
    }
    await panel.send({ type: 'reveal', path: 'node_2/node_2_1' });
    await line.filter({ hasText: 'leaf (merged)' }).waitFor();
    await page.locator('.same-as .link', { hasText: '10 - 4 = 6 (left: 4 6)' }).click();
    await page.locator('.inspector h2', { hasText: '10 - 4 = 6 (left: 4 6)' }).waitFor();
    await panel.send({ type: 'reveal', path: 'node_3' });
    await page.locator('canvas').focus();
    await said.filter({ hasText: 'low confidence' }).waitFor({ state: 'attached' });
    const dimensions = [
      { name: 'validity', score: 10 },
      { name: '<img src=x onerror=alert(1)>', score: 2.5 },
    ];
    await panel.send({ type: 'details', details: { ...DETAILS, path: 'node_3', votes: [5, 7.5], dimensions } });
    await page.locator('.low-confidence').waitFor();
    assert.deepEqual(
      await page.locator('.dimensions dt').allTextContents(),
      dimensions.map(({ name }) => name),
    );
    await page.locator('.votes', { hasText: 'Votes: 5, 7.5 · spread 2.5' }).waitFor();
    assert.equal(await page.locator('.votes circle').count(), 2);
    await page.getByRole('button', { name: 'Save as SVG' }).click();
    const { svg } = await panel.posted('save-picture');
    assert.match(svg, /stroke-dasharray="1 4"/, 'a dotted line leads to what it equals');
    assert.match(svg, /~6\.1/);
  });

  it('shows a forecast for as long as the host sends one', async () => {
    await filled();
    await panel.openFigures();
    const forecast = panel.page.locator('.forecast');
    assert.equal(await forecast.count(), 0);
    await panel.change([], { forecast: { unit: 'usd', low: 1.4, likely: 1.9, high: 3.1, minutes: 7.2 } });
    await forecast.filter({ hasText: '$1.90 ($1.40–$3.10) · 7 min left' }).waitFor();
    assert.match((await forecast.getAttribute('title')) ?? '', /In total \$1.40 to \$3.10, most likely \$1.90/);
    await panel.change([], { forecast: { unit: 'tokens', low: 900_000, likely: 1_200_000, high: 2_000_000 } });
    await forecast.filter({ hasText: '1.2M (900K–2M) tokens' }).waitFor();
    await panel.change([], { forecast: null });
    await forecast.waitFor({ state: 'detached' });
  });

  it('opens a legend, and closes it by key', async () => {
    await filled();
    const button = panel.page.getByRole('button', { name: 'Filters and legend' });
    await button.focus();
    await panel.page.keyboard.press('Enter');
    await panel.page.getByRole('region', { name: 'Legend', exact: true }).waitFor();
    const rows = await panel.page.locator('.legend li').allTextContents();
    assert.deepEqual(rows.slice(0, 3), ['the question', 'open; a number is its place in line', 'in progress']);
    await panel.page.keyboard.press('Escape');
    await panel.page.locator('.legend').waitFor({ state: 'detached' });
    assert.equal(await button.evaluate((element) => element === document.activeElement), true);
  });

  it('explains those marks only that are in the drawing', async () => {
    panel = await PanelPage.open(opened.browser);
    const nodes = sampleNodes(40).filter(({ status }) => status === 'expanded' || status === 'unexpanded');
    await panel.snapshot(sampleSearch(nodes), nodes);
    await panel.openFilters();
    const rows = panel.page.locator('.legend li');
    const few = await rows.allTextContents();
    assert.ok(!few.some((text) => /pruned|merged|failed|low confidence/.test(text)), few.join('; '));
    await panel.closeBox();
    const thoughts = sampleThoughts();
    await panel.snapshot(sampleSearch(thoughts, { kind: 'thoughts' }), thoughts);
    await panel.openFilters();
    const all = await rows.allTextContents();
    for (const text of ['a solution', 'good enough, not kept', 'score with low confidence', 'pruned'])
      assert.ok(all.includes(text), `${text} is missing in ${all.join('; ')}`);
    assert.ok(!all.some((text) => /failed$/.test(text) && !/check/.test(text)), all.join('; '));
  });
});
