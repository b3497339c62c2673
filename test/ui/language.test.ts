import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { GraphNode } from '../../src/protocol/graph-node.ts';
import { PanelPage } from './support/panel-page.ts';
import { DETAILS } from './support/sample-details.ts';
import { sampleWorker } from './support/sample-fleet.ts';
import { sampleSearch } from './support/sample-tree.ts';
import { useBrowser } from './support/use-browser.ts';

const BUNDLE = join(import.meta.dirname, '../../l10n/bundle.l10n.json');

describe('the language of the panel', () => {
  const opened = useBrowser();
  let panel: PanelPage;

  afterEach(() => panel?.close());

  it('says nothing in English where the editor speaks another language', async () => {
    const texts = Object.keys(JSON.parse(readFileSync(BUNDLE, 'utf8')) as object);
    const words = Object.fromEntries(
      texts.map((text) => [text, `\u00ab${text.replaceAll(/\{/g, '\u00bb{').replaceAll(/\}/g, '}\u00ab')}\u00bb`]),
    );
    panel = await PanelPage.open(opened.browser, { words });
    const { page } = panel;
    const data = (path: string, index: number, more: Partial<GraphNode>): GraphNode =>
      ({ path, title: '0', index, status: 'expanded', summary: '0', score: 5, ...more }) as GraphNode;
    const nodes = [
      data('', 0, {}),
      data('a', 0, { isLowConfidence: true, confidence: 1 }),
      data('a/b', 0, { status: 'unexpanded' }),
      data('c', 1, { status: 'leaf', sameAs: 'a' }),
    ];
    const forecast = { unit: 'tokens', low: 1, likely: 2, high: 3, minutes: 4 } as const;
    const named = {
      title: '0',
      question: '0',
      model: '0',
      order: ['a/b'],
      actions: [{ name: 'grow', title: '0' }],
      forecast,
    };
    await panel.snapshot(
      sampleSearch(nodes, { ...named, slots: [{ node: 'a', purpose: 'document', since: 0 }] }),
      nodes,
    );
    for (const name of ['\u00abFilters and legend', '\u00abCost and limits', '\u00abCurrent work']) {
      await page.getByRole('button', { name }).click();
      await page.locator('.popover').waitFor();
      assert.deepEqual(await panel.foreignTexts(), [], `behind ${name}`);
    }
    const busy = { node: '', purpose: 'document', since: 0, model: '0', other: '' };
    const said = { name: '0', models: ['0'], moreModels: 1, slots: 1, busy: 2, calls: [busy] };
    const workers = (['working', 'draining', 'capped'] as const).map((state, index) =>
      sampleWorker(index, Date.now() - index * 60_000, { ...said, state }),
    );
    await panel.change([], { fleet: { workers, moreWorkers: 2, waiting: [{ model: '0', calls: 2 }], isAway: true } });
    await page.locator('.lane').nth(3).waitFor();
    assert.deepEqual(await panel.foreignTexts(), [], 'with the lanes of a fleet');
    for (const path of ['', 'a', 'a/b', 'c']) {
      await panel.send({ type: 'reveal', path });
      assert.deepEqual(await panel.foreignTexts(), [], `before the details of "${path}"`);
      const steered = [{ time: '2026', by: '0', message: '0' }];
      const calls = DETAILS.calls.map((call) => ({ ...call, model: '0', message: '0', outcome: 'ok' }));
      const details = {
        ...DETAILS,
        document: '0',
        reasoning: '0',
        note: '0',
        dimensions: [{ name: '0', score: 1 }],
        steered,
        calls,
      };
      await panel.send({ type: 'details', details: { ...details, path, isCut: true } });
      for (const summary of await page.locator('.calls summary').all()) await summary.click();
      assert.deepEqual(await panel.foreignTexts(), [], `with the details of "${path}"`);
      await panel.send({
        type: 'exchange',
        exchange: { path, call: 1, system: '0', turns: [{ role: 'user', text: '0' }], prompt: '0' },
      });
      assert.deepEqual(await panel.foreignTexts(), [], `with the words of a call of "${path}"`);
    }
    await page.locator('canvas').focus();
    await page.keyboard.press('/');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Shift+Enter');
    await page.getByRole('tooltip').waitFor();
    assert.deepEqual(await panel.foreignTexts(), [], 'with the card');
    await page.keyboard.press('Shift+F10');
    await page.getByRole('menu').waitFor();
    assert.deepEqual(await panel.foreignTexts(), [], 'with the menu');
  });
});
