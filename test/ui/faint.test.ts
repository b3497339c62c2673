import assert from 'node:assert/strict';
import { nodeAt } from '../../src/core/tree/tree.ts';
import { workGraphDetails } from '../../src/kinds/work-graph/show/details.ts';
import type { GraphDetails, GraphNode } from '../../src/protocol/graph-node.ts';
import type { GraphMark, GraphTimeline } from '../../src/protocol/graph-timeline.ts';
import { sampleGraph } from '../support/work-graph/sample-graph.ts';
import { contrastsOf } from './support/faint.ts';
import { PanelPage } from './support/panel-page.ts';
import { DETAILS } from './support/sample-details.ts';
import { sampleNodes, sampleSearch } from './support/sample-tree.ts';
import { sampleWorkGraph } from './support/sample-work-graph.ts';
import { THEMES, type ThemeName } from './support/themes.ts';
import { useBrowser } from './support/use-browser.ts';

const BEGUN = Date.UTC(2026, 10, 28, 12);

/** A moment a minute, with marks of every kind. */
function sampleTimeline(): GraphTimeline {
  const kinds = ['run', 'score', 'pruned', 'act', 'failure', 'money', 'result'] as const;
  const marks = kinds.map((kind, i): GraphMark => ({ kind, seq: i + 1, at: 60_000 * i, time: BEGUN + 60_000 * i }));
  const [first, last] = [marks[0], marks.at(-1)] as [GraphMark, GraphMark];
  const counts = { run: 1, score: 1, pruned: 1, act: 1, failure: 1, money: 1, result: 1 };
  return { first, last, marks, counts, pauses: [{ at: 180_000, ms: 86_400_000 }] };
}

describe('what stands around the drawing can be told from what is behind it, texts by 4.5 to 1, icons by 3 to 1', () => {
  const opened = useBrowser();
  let panel: PanelPage;
  afterEach(() => panel?.close());

  /** @param most the numbers of texts and icons that have to be in sight */
  async function isClear(what: string, [words, icons]: readonly [number, number]): Promise<void> {
    await panel.settled();
    const found = await contrastsOf(panel.page);
    assert.deepEqual(found.faint, [], what);
    assert.ok(found.words >= words && found.icons >= icons, `${what}: ${found.words} texts, ${found.icons} icons`);
  }

  it('is measured: a fainter text and a fainter icon are found', async () => {
    panel = await PanelPage.open(opened.browser);
    const nodes = sampleNodes(40);
    await panel.snapshot(sampleSearch(nodes), nodes);
    await panel.page.evaluate(() => {
      for (const each of document.querySelectorAll<HTMLElement>('h1, button:has(svg)')) each.style.opacity = '0.3';
    });
    const { faint, icons } = await contrastsOf(panel.page);
    assert.ok(
      faint.some((each) => /“How does this server/.test(each)),
      faint.join('; '),
    );
    assert.ok(faint.filter((each) => each.startsWith('icon')).length > icons / 2, faint.join('; '));
  });

  for (const theme of Object.keys(THEMES) as ThemeName[]) {
    it(`header, inspector, boxes, menu and finder, in ${theme}`, async () => {
      panel = await PanelPage.open(opened.browser, { theme, width: 1280, height: 1600 });
      const { page } = panel;
      const citations = { verified: 6, moved: 1, stale: 2, not_found: 1 };
      const nodes = sampleNodes(40).map(
        (node): GraphNode =>
          node.path === 't0' ? { ...node, citations, summary: 'In short.', failure: 'It broke.' } : node,
      );
      await panel.snapshot(sampleSearch(nodes, { booked: { calls: 16, tokens: 70_000, usd: 0.27 } }), nodes);
      await panel.send({ type: 'reveal', path: 't0' });
      const details = {
        path: 't0',
        beside: [
          { path: 't0', title: 'Authentication', score: 9 },
          { path: 't1', title: 'Limits', score: 7, reasoning: 'It is less.' },
        ],
        dimensions: [{ name: 'depth', score: 4 }],
        receipt: 'Each reply is there.',
      };
      await panel.send({ type: 'details', details: { ...DETAILS, ...details } });
      await page.locator('.calls summary').first().click();
      await isClear('inspector', [40, 10]);
      await panel.openFilters();
      await isClear('filters', [50, 10]);
      await panel.closeBox();
      await panel.openFigures();
      await isClear('figures', [45, 10]);
      await panel.closeBox();
      await page.locator('canvas').focus();
      await page.keyboard.press('Shift+F10');
      await page.getByRole('menuitem').first().waitFor();
      await isClear('menu', [10, 0]);
      await page.keyboard.press('Escape');
      await page.locator('canvas').focus();
      await page.keyboard.press('/');
      await page.keyboard.type('audit');
      await page.locator('.found').waitFor();
      await isClear('finder', [40, 10]);
    });

    it(`banner, timeline and a moment of the past, in ${theme}`, async () => {
      panel = await PanelPage.open(opened.browser, { theme, width: 1280, height: 800 });
      const { page } = panel;
      const nodes = sampleNodes(40);
      const reason = 'The limit of 50 calls is reached.';
      await panel.snapshot(sampleSearch(nodes, { state: 'paused', reason }), nodes);
      await page.locator('.notice').waitFor();
      await isClear('banner', [8, 8]);
      await page.getByRole('button', { name: 'Timeline' }).click();
      await panel.send({ type: 'timeline', timeline: sampleTimeline() });
      const slider = page.getByRole('slider', { name: 'Moment' });
      await slider.waitFor();
      await isClear('timeline', [12, 8]);
      await slider.focus();
      await page.keyboard.press('ArrowLeft');
      await panel.change([], { past: { ...sampleTimeline().last, said: 'Event 7 happened.' } });
      await page.locator('.past-line').waitFor();
      await isClear('past', [12, 8]);
    });

    it(`evidence, states and links of a work graph, in ${theme}`, async () => {
      panel = await PanelPage.open(opened.browser, { theme, width: 1280, height: 1200 });
      const { search, nodes } = sampleWorkGraph();
      await panel.snapshot(search, nodes);
      for (const { path } of nodes) {
        const tables = workGraphDetails.of(nodeAt(sampleGraph(), path)?.file?.own);
        const links: GraphDetails['links'] = [
          { type: 'depends-on', isIncoming: true, path: 'a6', title: 'Repair the failing tests' },
        ];
        await panel.send({ type: 'reveal', path });
        await panel.send({ type: 'details', details: { path, tables, links, calls: [], steered: [] } });
        await isClear(`node ${path}`, [8, 5]);
      }
    });
  }
});
