import assert from 'node:assert/strict';
import type { GraphNode } from '../../../src/protocol/graph-node.ts';
import { until } from '../../host/until.ts';
import { takeWords, watchWords } from '../support/drawn.ts';
import { PanelPage } from '../support/panel-page.ts';
import { sampleSearch } from '../support/sample-tree.ts';
import { ACTS_WITHIN, useBrowser } from '../support/use-browser.ts';

const LONG = '`Mocha#retries`: sets the number of times that a failing test of a suite is tried again';
const PLAIN = LONG.replaceAll('`', '');

function nodesWith(...titles: string[]): GraphNode[] {
  const below = titles.map(
    (title, index): GraphNode => ({ path: `t${index}`, title, status: 'leaf', index, score: 5 }),
  );
  return [{ path: '', title: 'How are tests retried?', status: 'expanded', index: 0 }, ...below];
}

describe('labels in the drawing', () => {
  const opened = useBrowser();
  let panel: PanelPage;
  afterEach(() => panel?.close());

  async function wordsOf(nodes: readonly GraphNode[], width: number): Promise<string[]> {
    panel = await PanelPage.open(opened.browser, { width });
    await watchWords(panel);
    await panel.snapshot(sampleSearch(nodes, { bestPath: [] }), nodes);
    return (await takeWords(panel)).map(({ text }) => text);
  }

  it('are whole where the window has room for them, in one line or two, without marks of code', async () => {
    const few = await wordsOf(nodesWith(LONG, 'Short'), 1440);
    assert.ok(!few.some((text) => text.includes('…') || text.includes('`')), few.join(' | '));
    const at = few.findIndex((text) => PLAIN.startsWith(text) && text.length > 5);
    assert.equal([few[at], few[at + 1]].join(' ').replace(/ \d$/, ''), PLAIN);
    await panel.close();
    // Forty rows are lines, not cards.
    const many = await wordsOf(nodesWith(LONG, ...Array.from({ length: 40 }, (_, i) => `Topic ${i}`)), 1440);
    assert.ok(many.includes(PLAIN), many.join(' | '));
  });

  it('are cut where there is none, with as many letters as fit', async () => {
    const words = await wordsOf(nodesWith(LONG, ...Array.from({ length: 40 }, (_, i) => `Topic ${i}`)), 500);
    const cut = words.find((text) => text.startsWith('Mocha#retries'));
    assert.match(cut ?? '', /^Mocha#retries: sets .*…$/);
  });

  it('of two lines are in cards of the usual size, too', async () => {
    panel = await PanelPage.open(opened.browser, { width: 800 });
    await watchWords(panel);
    const path = (depth: number): string => Array.from({ length: depth }, () => 'a').join('/');
    const deep = [1, 2, 3, 4].map(
      (depth): GraphNode => ({ path: path(depth), title: LONG, status: 'expanded', index: 0 }),
    );
    const nodes = [{ path: '', title: 'Why?', status: 'expanded', index: 0 } as const, ...deep];
    await panel.snapshot(sampleSearch(nodes, { bestPath: [] }), nodes);
    for (let i = 0; i < 4; i++) await panel.page.getByRole('button', { name: 'Zoom in' }).click();
    await panel.settled();
    await takeWords(panel);
    await panel.page.getByRole('button', { name: 'Zoom out' }).click();
    // It is drawn several times on its way, and not again once it is at rest; a busy machine may not have begun yet.
    const words: string[] = [];
    let [one = '', two = ''] = [''];
    await until(async () => {
      words.push(...(await takeWords(panel)).map(({ text }) => text));
      const first = words.findLastIndex((text) => text.startsWith('Mocha#retries'));
      assert.ok(first >= 0, `the label is not drawn, but ${words.join(' | ')}`);
      [one = '', two = ''] = words.slice(first);
    }, ACTS_WITHIN);
    assert.ok(PLAIN.startsWith(`${one} ${two.replace(/…$/, '')}`), `${one} | ${two}`);
  });

  it('are faint in a pruned branch as a whole', async () => {
    panel = await PanelPage.open(opened.browser, { width: 1280 });
    await watchWords(panel);
    const nodes: GraphNode[] = [
      { path: '', title: 'Why?', status: 'expanded', index: 0 },
      { path: 'a', title: 'Kept', status: 'expanded', index: 0 },
      { path: 'a/x', title: 'Open below kept', status: 'unexpanded', index: 0 },
      { path: 'b', title: 'Pruned', status: 'pruned', prunedBy: 'user', index: 1 },
      { path: 'b/y', title: 'Open below pruned', status: 'unexpanded', index: 0 },
      { path: 'b/y/z', title: 'Further below', status: 'failed', index: 0 },
    ];
    await panel.snapshot(sampleSearch(nodes, { order: ['a/x'], bestPath: [] }), nodes);
    const drawn = new Map((await takeWords(panel)).map(({ text, colour }) => [text, colour]));
    const faint = drawn.get('Pruned');
    assert.deepEqual(
      ['Open below pruned', 'Further below'].map((text) => drawn.get(text)),
      [faint, faint],
    );
    assert.notEqual(drawn.get('Kept'), faint);
    assert.equal(drawn.get('Open below kept'), drawn.get('Kept'));
  });
});
