import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { nodeAt } from '../../src/core/tree/tree.ts';
import { workGraphDetails } from '../../src/kinds/work-graph/show/details.ts';
import type { GraphDetails, GraphNode } from '../../src/protocol/graph-node.ts';
import { graphNodes, largeGraph, sampleGraph } from '../support/work-graph/sample-graph.ts';
import { takeWords, watchWords } from './support/drawn.ts';
import { PanelPage } from './support/panel-page.ts';
import { DETAILS } from './support/sample-details.ts';
import { sampleWorkGraph } from './support/sample-work-graph.ts';
import { THEMES, type ThemeName } from './support/themes.ts';
import { useBrowser } from './support/use-browser.ts';

const PICTURES = join(import.meta.dirname, '../../out/pictures');
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What the host sends of a node when it is selected. */
function detailsOf(path: string): GraphDetails {
  const tables = workGraphDetails.of(nodeAt(sampleGraph(), path)?.file?.own);
  const links: GraphDetails['links'] = [
    { type: 'depends-on', isIncoming: true, path: 'a6', title: 'Repair the failing tests' },
  ];
  return { path, tables, links, calls: DETAILS.calls, steered: [] };
}

describe('a work graph in the panel', () => {
  const opened = useBrowser();
  let panel: PanelPage;

  before(() => mkdirSync(PICTURES, { recursive: true }));
  afterEach(() => panel?.close());

  async function filled(theme: ThemeName = 'dark', width = 1280, given?: readonly GraphNode[]): Promise<void> {
    panel = await PanelPage.open(opened.browser, { theme, width });
    const { search, nodes } = sampleWorkGraph(given);
    await panel.snapshot(search, nodes);
  }

  for (const theme of Object.keys(THEMES) as ThemeName[])
    it(`passes the checks of axe, in ${theme}`, async () => {
      await filled(theme);
      await panel.page.screenshot({ path: join(PICTURES, `work-graph-whole-${theme}.png`) });
      await panel.send({ type: 'reveal', path: 'g1/a4' });
      await panel.send({ type: 'details', details: detailsOf('g1/a4') });
      await panel.page.getByRole('button', { name: 'Legend' }).click();
      await panel.page.locator('.legend').waitFor();
      await panel.page.screenshot({ path: join(PICTURES, `work-graph-${theme}.png`) });
      assert.deepEqual(await panel.audit(AXE), []);
      assert.deepEqual(await panel.violations(), []);
    });

  it('shows what came of a task in its card, once that is large, and one part of it alone', async () => {
    const given = graphNodes(sampleGraph()).map((node) => ({ ...node, summary: 'What came of it.' }));
    panel = await PanelPage.open(opened.browser, { width: 1280, height: 720 });
    await watchWords(panel);
    const { search, nodes } = sampleWorkGraph(given);
    await panel.snapshot(search, nodes);
    const { page } = panel;
    const drawn = async (): Promise<string> => (await takeWords(panel)).map(({ text }) => text).join(' ');
    assert.doesNotMatch(await drawn(), /What came of it/);
    await panel.send({ type: 'reveal', path: 'g1' });
    for (let i = 0; i < 6; i++) await page.getByRole('button', { name: 'Zoom in' }).click();
    await panel.passes(300);
    assert.match(await drawn(), /What came of it/);
    await page.locator('canvas').focus();
    await page.keyboard.press('Shift+F10');
    await page.getByRole('menuitem', { name: 'Show only this branch' }).click();
    await page.locator('.branch-line').waitFor();
    await panel.passes(300);
    await takeWords(panel);
    await page.getByRole('button', { name: 'Show everything' }).click();
    await panel.passes(300);
    const some = await drawn();
    assert.match(some, new RegExp(nodes.find(({ path }) => path === 'g1/a4')?.title.slice(0, 12) ?? '?'));
    assert.doesNotMatch(some, /Read what the tests/);
  });

  it('can be seen in a narrow window', async () => {
    await filled('dark', 500);
    await panel.page.screenshot({ path: join(PICTURES, 'work-graph-500.png') });
    await panel.send({ type: 'reveal', path: 'a6' });
    await panel.send({ type: 'details', details: detailsOf('a2') });
    await panel.page.screenshot({ path: join(PICTURES, 'work-graph-500-selected.png') });
    assert.deepEqual(await panel.audit(AXE), []);
  });

  it('shows the evidence of an atom: how sure each item is, and by what', async () => {
    await filled();
    await panel.send({ type: 'reveal', path: 'g1/a4' });
    await panel.send({ type: 'details', details: detailsOf('g1/a4') });
    const rows = panel.page.getByRole('region', { name: 'Evidence' }).locator('tbody tr');
    assert.deepEqual(await rows.locator('td:first-of-type').allTextContents(), [
      'checked',
      'does not hold',
      'cannot be checked here',
    ]);
    assert.match(
      (await rows.nth(1).textContent()) ?? '',
      /Nothing else imports.*does not hold0b2c3d4e5f6.*2026-11-20 10:15src\/token/,
    );
    const tries = panel.page.getByRole('region', { name: 'Tries' }).locator('tbody tr');
    assert.deepEqual(await tries.locator('td:first-of-type').allTextContents(), [
      'in conflict with other work',
      'under way',
    ]);
    assert.equal(await panel.page.locator('.links li').textContent(), 'needed by Repair the failing tests');
    await panel.send({ type: 'reveal', path: 'g1' });
    await panel.send({ type: 'details', details: detailsOf('g1') });
    assert.match((await panel.page.getByRole('region', { name: 'Choices' }).textContent()) ?? '', /A4.*exit code 1/);
  });

  it('can be walked along its lines, and says what waits for what', async () => {
    await filled();
    const { page } = panel;
    const said = page.locator('[aria-live=polite]');
    await page.locator('canvas').focus();
    const walked: string[] = [];
    for (const key of ['Home', 'ArrowDown', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowLeft', 'End']) {
      await page.keyboard.press(key);
      walked.push((await panel.posted('select')).path ?? '');
    }
    assert.deepEqual(walked, ['', 'a1', 'g1', 'a6/a7', 'a6/a8', 'a6/a7', 'goal']);
    await panel.send({ type: 'reveal', path: 'a6' });
    await said.filter({ hasText: 'Repair' }).waitFor({ state: 'attached' });
    assert.match(
      (await said.textContent()) ?? '',
      /waits for: (?:Replace the crypto calls; Bring the lock file up to date|Bring.*; Replace.*), needed by: Say it in the changelog, if it fails: Keep the old runtime/,
    );
    await panel.send({ type: 'reveal', path: 'g1/a3' });
    await said.filter({ hasText: 'an alternative, not chosen' }).waitFor({ state: 'attached' });
  });

  it('draws what the selected node waits for, and what waits for it, in colours of their own', async () => {
    await filled();
    const blank = await panel.page.locator('canvas').screenshot();
    await panel.send({ type: 'reveal', path: 'a2' });
    await panel.page.getByRole('button', { name: 'Close details' }).waitFor();
    assert.notDeepEqual(await panel.page.locator('canvas').screenshot(), blank);
    assert.ok((await colourCount('--vscode-charts-blue')) > 50, 'the line from what it waits for');
  });

  /** How many pixels of the drawing have a colour of the theme. */
  async function colourCount(name: string): Promise<number> {
    return await panel.page.evaluate((variable) => {
      const probe = document.body.appendChild(document.createElement('i'));
      probe.style.color = `var(${variable})`;
      const [r, g, b] = (getComputedStyle(probe).color.match(/\d+/g) ?? []).map(Number);
      probe.remove();
      const canvas = document.querySelector('canvas') as HTMLCanvasElement;
      const { data } = (canvas.getContext('2d') as CanvasRenderingContext2D).getImageData(
        0,
        0,
        canvas.width,
        canvas.height,
      );
      let count = 0;
      for (let i = 0; i < data.length; i += 4) if (data[i] === r && data[i + 1] === g && data[i + 2] === b) count++;
      return count;
    }, name);
  }

  it('puts everything into the saved picture', async () => {
    await filled();
    await panel.page.getByRole('button', { name: 'Save as SVG' }).click();
    const { svg } = await panel.posted('save-picture');
    assert.equal(svg.match(/<g transform="translate\([^"]*"><title>/g)?.length, 15);
    assert.equal(svg.match(/<rect x=/g)?.length, 2, 'a box for the group, one for the parts');
    assert.ok(svg.includes('stroke-dasharray="6 4"') && svg.includes('stroke-dasharray="1 4"'));
  });

  it('stays smooth with 1,000 atoms: a frame of moving costs little more than with forty', async () => {
    const frames = async (nodes?: readonly GraphNode[]): Promise<number> => {
      await filled('dark', 1280, nodes);
      // The processor's time: what else a machine does meanwhile is not the panel's.
      const session = await panel.page.context().newCDPSession(panel.page);
      await session.send('Performance.enable', { timeDomain: 'threadTicks' });
      const worked = async (): Promise<number> => {
        const { metrics } = await session.send('Performance.getMetrics');
        return (metrics.find(({ name }) => name === 'TaskDuration') ?? assert.fail()).value * 1000;
      };
      const times: number[] = [];
      for (let i = 0; i < 60; i++) {
        const began = await worked();
        await panel.page.evaluate(
          async (deltaY) => {
            const wheel = new WheelEvent('wheel', { deltaY, deltaX: 40, bubbles: true, cancelable: true });
            document.querySelector('canvas')?.dispatchEvent(wheel);
            await new Promise((done) => requestAnimationFrame(done));
          },
          i % 2 ? 37 : -21,
        );
        times.push((await worked()) - began);
      }
      await panel.close();
      return times.sort((a, b) => a - b)[30] ?? 0;
    };
    const few = await frames(graphNodes(largeGraph(40)));
    const many = await frames(graphNodes(largeGraph(1000, false)));
    assert.ok(many < few * 2 + 2, `${many.toFixed(1)} ms with 1,000, ${few.toFixed(1)} ms with 40`);
    await filled('dark', 1280, graphNodes(largeGraph(1000, false)));
    await panel.page.screenshot({ path: join(PICTURES, 'work-graph-1000.png') });
  });
});
