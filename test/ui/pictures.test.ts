import assert from 'node:assert/strict';
import type { GraphDetails } from '../../src/protocol/graph-node.ts';
import { comparePicture } from './support/compare-picture.ts';
import { PanelPage } from './support/panel-page.ts';
import { sampleNodes, sampleSearch, sampleThoughts } from './support/sample-tree.ts';
import { THEMES, type ThemeName } from './support/themes.ts';
import { useBrowser } from './support/use-browser.ts';

const FORECAST = { unit: 'usd', low: 1.4, likely: 1.9, high: 3.1, minutes: 7 } as const;
const DETAILS: GraphDetails = {
  path: 'node_1',
  document: 'Of **four** numbers three are left: `4 4 10`.\n\n- 10 - 4 leaves 4 and 6\n- 4 + 4 leaves 8 and 10\n',
  reasoning: '4 and 6 make 24, and both can be reached from here.',
  votes: [8.5, 9.5, 9.6],
  dimensions: [
    { name: 'progress', score: 9.4 },
    { name: 'validity', score: 10 },
    { name: 'likelihood_of_success', score: 8.2 },
  ],
  calls: [],
  steered: [],
};

// Bytes of a font are drawn the same everywhere; another browser draws them otherwise.
const describePinned = process.env['CHROMIUM'] ? describe.skip : describe;

describePinned('the panel looks as it was meant to', function () {
  this.timeout(60_000);
  const opened = useBrowser();
  let panel: PanelPage;

  afterEach(() => panel?.close());

  async function compare(name: string): Promise<void> {
    await panel.page.evaluate(() => document.fonts.ready);
    await panel.settled();
    // The caret blinks, and a hover depends on where a pointer was left.
    comparePicture(name, await panel.page.screenshot({ animations: 'disabled', caret: 'hide' }));
  }

  for (const theme of Object.keys(THEMES) as ThemeName[]) {
    it(`with a search of thoughts, its scores and its legend, in ${theme}`, async () => {
      panel = await PanelPage.open(opened.browser, { theme, width: 1600 });
      const nodes = sampleThoughts();
      await panel.snapshot(sampleSearch(nodes, { kind: 'thoughts', title: '4 9 10 13', forecast: FORECAST }), nodes);
      await panel.page.locator('canvas').focus();
      for (const key of ['Home', 'ArrowRight']) await panel.page.keyboard.press(key);
      await panel.send({ type: 'details', details: DETAILS });
      await panel.page.locator('.votes').waitFor();
      await panel.page.getByRole('button', { name: 'Legend' }).click();
      await compare(`thoughts-${theme}`);
    });

    it(`with ten nodes, in ${theme}`, async () => {
      panel = await PanelPage.open(opened.browser, { theme });
      const nodes = sampleNodes(10);
      await panel.snapshot(sampleSearch(nodes), nodes);
      await compare(`ten-${theme}`);
    });

    it(`with ten thousand nodes, in ${theme}`, async () => {
      panel = await PanelPage.open(opened.browser, { theme });
      const nodes = sampleNodes(10_000);
      await panel.snapshot(sampleSearch(nodes), nodes);
      await compare(`ten-thousand-${theme}`);
      await panel.showLevels(0);
      await panel.page.getByRole('button', { name: 'Show everything' }).click();
      await compare(`ten-thousand-open-${theme}`);
    });
  }

  it('and a different picture is not mistaken for the same', async () => {
    panel = await PanelPage.open(opened.browser, { theme: 'dark' });
    const nodes = sampleNodes(10);
    await panel.snapshot(sampleSearch(nodes), [
      ...nodes.slice(0, -1),
      { ...(nodes.at(-1) ?? assert.fail()), status: 'failed' },
    ]);
    const keeping = process.env['UPDATE'];
    delete process.env['UPDATE'];
    try {
      await assert.rejects(compare('ten-dark'), /dots of ten-dark differ/);
    } finally {
      if (keeping !== undefined) process.env['UPDATE'] = keeping;
    }
  });
});
