import assert from 'node:assert/strict';
import { PanelPage } from '../support/panel-page.ts';
import { sampleSearch, sampleThoughts } from '../support/sample-tree.ts';
import { useBrowser } from '../support/use-browser.ts';

const ANSWER = '(10 - 4) * (13 - 9) = 24';
const SOLUTION = 'node_1/node_1_1/node_1_1_1';

describe('the answer in the panel', () => {
  const opened = useBrowser();
  let panel: PanelPage;

  beforeEach(async () => {
    panel = await PanelPage.open(opened.browser, { width: 1280 });
    await panel.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const nodes = sampleThoughts();
    await panel.snapshot(sampleSearch(nodes, { kind: 'thoughts', title: 'Make 24', question: 'Make 24.' }), nodes);
  });
  afterEach(() => panel?.close());

  const solve = (answer?: string): Promise<void> =>
    panel.change([], { state: 'finished', slots: [], isSolved: true, ...(answer !== undefined && { answer }) });

  it('is in the header as soon as there is one, with "Solved" and a button that copies it', async () => {
    const { page } = panel;
    assert.equal(await page.locator('.verdict').count(), 0, 'nobody knows yet');
    await solve(ANSWER);
    assert.equal(await page.locator('header .verdict').textContent(), `Solved ${ANSWER}`);
    await page.locator('header').getByRole('button', { name: 'Copy the answer' }).click();
    await page.locator('[aria-live=polite]', { hasText: 'Copied.' }).waitFor({ state: 'attached' });
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), ANSWER);
  });

  it('is read in the header as long as there is room', async () => {
    await solve(ANSWER);
    const shown = async (width: number): Promise<number> => {
      await panel.resize(width, 600);
      return (await panel.page.locator('.verdict .brief').boundingBox())?.width ?? 0;
    };
    for (const width of [1280, 900, 760]) assert.ok((await shown(width)) > 100, `${width}`);
    assert.ok((await shown(600)) > 60, 'the beginning of it, instead of a word');
    assert.ok((await shown(500)) <= 1);
  });

  it('is shown whole on request, and leads to its node', async () => {
    const long = `${'x'.repeat(300)} is the answer`;
    await solve(long);
    await panel.page.getByRole('button', { name: /^Solved/ }).click();
    await panel.page.locator('.whole-answer').getByText(long, { exact: true }).waitFor();
    await panel.page.getByRole('button', { name: 'Show in the drawing' }).click();
    assert.equal((await panel.posted('select')).path, SOLUTION);
  });

  it('is read like a document if it has several lines, and begins with its words', async () => {
    const { page } = panel;
    await solve('**There are 2 of them.** Each has `a = 1`\nin it.\n\n| Seat | I |\n|---|---|\n| 1 | cocoa |\n');
    const begins = 'There are 2 of them. Each has a = 1 in it.';
    assert.equal(await page.locator('.verdict .brief').textContent(), begins);
    await page.getByRole('button', { name: /^Solved/ }).click();
    await page.locator('.whole-answer td', { hasText: 'cocoa' }).waitFor();
    await page.getByRole('button', { name: 'Show in the drawing' }).click();
    await page.locator('.found-answer strong', { hasText: 'There are 2' }).waitFor();
    await solve('2*3*4 = 24');
    assert.equal(await page.locator('.verdict .brief').textContent(), '2*3*4 = 24');
    assert.equal(await page.locator('.found-answer p').textContent(), '2*3*4 = 24');
  });

  it('has a table whose words stay whole in a narrow pane', async () => {
    const cells = (word: string) => `| ${Array(9).fill(word).join(' | ')} |\n`;
    await solve(`Here:\n\n${cells('Seating')}${cells('---')}${cells('cocoa')}`);
    await panel.send({ type: 'reveal', path: SOLUTION });
    const table = panel.page.locator('.found-answer table');
    await table.waitFor();
    const lines = await table.locator('th, td').evaluateAll((all) =>
      all.map((cell) => {
        const words = document.createRange();
        words.selectNodeContents(cell);
        return new Set(Array.from(words.getClientRects(), ({ top }) => top)).size;
      }),
    );
    assert.deepEqual([...new Set(lines)], [1]);
    const pane = await panel.page.locator('.inspector').evaluate((each) => each.scrollWidth - each.clientWidth);
    assert.equal(pane, 0, 'the table is moved sideways, not the pane');
  });

  it('stands at the node that solves it, and at the question; at no other', async () => {
    await solve(ANSWER);
    const inspector = panel.page.locator('.inspector');
    for (const path of [SOLUTION, '']) {
      await panel.send({ type: 'reveal', path });
      await inspector.locator('.found-answer', { hasText: ANSWER }).waitFor();
    }
    await panel.send({ type: 'reveal', path: 'node_2' });
    await inspector.locator('h2', { hasText: '10 - 4 = 6' }).waitFor();
    assert.equal(await inspector.locator('.found-answer').count(), 0);
  });

  it('is missing where a search ended without one', async () => {
    await panel.change([], { state: 'finished', slots: [], isSolved: false });
    assert.equal(await panel.page.locator('.verdict').textContent(), 'Not solved');
    assert.equal(await panel.page.getByRole('button', { name: 'Copy the answer' }).count(), 0);
  });
});
