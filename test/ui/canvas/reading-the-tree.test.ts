import assert from 'node:assert/strict';
import { takeWords, watchWords } from '../support/drawn.ts';
import { PanelPage } from '../support/panel-page.ts';
import { sampleNodes, sampleSearch } from '../support/sample-tree.ts';
import { useBrowser } from '../support/use-browser.ts';

describe('reading a drawing', () => {
  const opened = useBrowser();
  let panel: PanelPage;

  beforeEach(async () => {
    panel = await PanelPage.open(opened.browser, { width: 1280, height: 720 });
    await watchWords(panel);
    const nodes = sampleNodes(40);
    await panel.snapshot(sampleSearch(nodes, { slots: [] }), nodes);
  });
  afterEach(() => panel?.close());

  const drawn = async (): Promise<string> => (await takeWords(panel)).map(({ text }) => text).join(' ');

  it('shows what was found in the cards, once they are large', async () => {
    assert.doesNotMatch(await drawn(), /What there is to say of/);
    const zoom = panel.page.getByRole('button', { name: 'Zoom in' });
    for (let i = 0; i < 6; i++) await zoom.click();
    await panel.passes(300);
    assert.match(await drawn(), /What there is to say of/);
  });

  it('can be of one branch alone, which is left by a button or by what is outside of it', async () => {
    const { page } = panel;
    const titles = async (): Promise<number> => {
      await panel.passes(300);
      await takeWords(panel);
      await page.getByRole('button', { name: 'Show everything' }).click();
      await panel.passes(300);
      return new Set((await takeWords(panel)).map(({ text }) => text)).size;
    };
    const all = await titles();
    await panel.send({ type: 'reveal', path: 't0' });
    await page.locator('canvas').focus();
    await page.keyboard.press('Shift+F10');
    await page.getByRole('menuitem', { name: 'Show only this branch' }).click();
    await page.getByText('Only the branch "Authentication and sessions"').waitFor();
    const some = await titles();
    assert.ok(some < all, `${some} of ${all} texts`);
    await page.getByRole('button', { name: 'Show the whole tree' }).click();
    await page.locator('.branch-line').waitFor({ state: 'detached' });
    await page.locator('canvas').focus();
    await page.keyboard.press('Shift+F10');
    await page.getByRole('menuitem', { name: 'Show only this branch' }).click();
    await page.locator('.branch-line').waitFor();
    await panel.send({ type: 'reveal', path: 't2' });
    await page.locator('.branch-line').waitFor({ state: 'detached' });
  });

  it('compares a node with its siblings: their scores, the reasons, and who judged', async () => {
    const { page } = panel;
    await panel.send({ type: 'reveal', path: 't0' });
    const beside = [
      { path: 't2', title: 'The better one', score: 9, reasoning: 'It is right.' },
      { path: 't0', title: 'This one', score: 4, reasoning: 'It is slow.' },
    ];
    await panel.send({ type: 'details', details: { path: 't0', calls: [], steered: [], judge: 'some/judge', beside } });
    await page.getByText('Judged by some/judge').waitFor();
    const rows = page.locator('.beside tbody tr');
    await rows.first().waitFor();
    assert.deepEqual(await rows.allTextContents(), ['9The better oneIt is right.', '4This oneIt is slow.']);
    const judged = beside.map((each, i) => ({ ...each, judge: i === 0 ? 'some/judge' : 'other/one' }));
    await panel.send({ type: 'details', details: { path: 't0', calls: [], steered: [], beside: judged } });
    await rows.getByText('Judged by other/one').waitFor();
    assert.deepEqual(await rows.allTextContents(), [
      '9The better oneIt is right.Judged by some/judge',
      '4This oneIt is slow.Judged by other/one',
    ]);
    await page.locator('.beside').getByRole('button', { name: 'The better one' }).click();
    assert.equal((await panel.kept())['selected'], 't2');
  });

  it('copies what was asked and answered in a call, word for word', async () => {
    const { page } = panel;
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await panel.send({ type: 'reveal', path: 't0' });
    const call = {
      number: 1,
      purpose: 'document',
      model: 'a/b',
      attempt: 1,
      time: '2026-01-01T00:00:00Z',
      outcome: 'ok',
    };
    await panel.send({ type: 'details', details: { path: 't0', calls: [call], steered: [] } });
    await page.locator('.calls summary').first().click();
    const exchange = { path: 't0', call: 1, system: 'You are.', turns: [], prompt: 'Write\n"it".', answer: 'Done.' };
    await panel.send({ type: 'exchange', exchange });
    await page.getByRole('button', { name: 'Copy: Prompt' }).click();
    await page.locator('[aria-live=polite]', { hasText: 'Copied.' }).waitFor({ state: 'attached' });
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), 'Write\n"it".');
  });
});
