import assert from 'node:assert/strict';
import type { GraphSearch } from '../../../src/protocol/graph-node.ts';
import { PanelPage } from '../support/panel-page.ts';
import { sampleNodes, sampleSearch } from '../support/sample-tree.ts';
import { useBrowser } from '../support/use-browser.ts';

const QUESTION =
  'How does this server protect itself against requests that were not made by a person, and what is missing?';
/** As much as a header ever has to show. */
const FULL: Partial<GraphSearch> = {
  title: QUESTION,
  progress: '1,204 topics done, 2,142 open, 3 failed',
  worked: 1204,
  usdComplete: false,
  usd: 112.4,
  slots: Array.from({ length: 16 }, (_, index) => ({ node: `t${index % 9}`, purpose: 'document', since: index })),
  actions: [
    { name: 'pause', title: 'Pause' },
    { name: 'finish', title: 'Finish now' },
    { name: 'openReport', title: 'Open report' },
    { name: 'grow', title: 'Let it go further…' },
  ],
};

describe('the header of the panel', () => {
  const opened = useBrowser();
  let panel: PanelPage;

  afterEach(() => panel?.close());

  async function filled(changes: Partial<GraphSearch> = {}, width = 1280, height = 800): Promise<void> {
    panel = await PanelPage.open(opened.browser, { width, height });
    const nodes = sampleNodes(40);
    await panel.snapshot(sampleSearch(nodes, changes), nodes);
  }

  for (const width of [300, 360, 499, 500, 640, 720, 800, 860, 1000, 1280, 2000])
    for (const [what, more] of [
      ['running', {}],
      ['solved', { state: 'finished', isSolved: true, answer: '(10 - 4) * (13 - 9) = 24', slots: [] }],
    ] as const)
      it(`has ${width < 500 ? 'two rows' : 'one row'} at ${width} pixels, with everything in reach, of a search that is ${what}`, async () => {
        await filled({ ...FULL, ...more }, width);
        const header = panel.page.locator('header');
        const { height = 0 } = (await header.boundingBox()) ?? {};
        assert.ok(height <= (width < 500 ? 76 : 44), `it is ${height} pixels high`);
        const buttons = await header.locator('button').all();
        assert.ok(buttons.length >= (what === 'running' ? 7 : 6));
        for (const button of buttons) {
          const box = (await button.boundingBox()) ?? assert.fail((await button.getAttribute('aria-label')) ?? '');
          const name = await button.getAttribute('aria-label');
          assert.ok(box.x >= 0 && box.x + box.width <= width, `${name} is cut off: ${JSON.stringify(box)}`);
          assert.ok(box.width >= 20 && box.height >= 20, `${name} is too small: ${JSON.stringify(box)}`);
          await button.click({ trial: true }); // nothing lies over it
        }
        const title = (await panel.page.locator('h1').boundingBox()) ?? assert.fail();
        assert.ok(title.width >= 70, `the title has ${title.width} pixels`);
        const brief = panel.page.locator('.progress');
        const isCut = await brief.evaluate((element) => element.scrollWidth > element.clientWidth + 1);
        assert.ok(width > 720 || !isCut, 'the progress is cut off');
        assert.equal(await panel.page.evaluate(() => document.documentElement.scrollWidth), width);
      });

  it('says in words how far the search is, and what state it is in', async () => {
    await filled({ progress: '60 topics done, 142 open' });
    assert.equal(await panel.page.locator('.progress .long').textContent(), '60 topics done, 142 open');
    assert.equal(await panel.page.locator('.state').textContent(), 'running');
    await panel.change([], { state: 'finished', progress: '202 topics' });
    assert.equal(await panel.page.locator('.state').textContent(), 'finished');
    assert.equal(await panel.page.locator('.progress .long').textContent(), '202 topics');
  });

  it('names the report of a finished search on its button, down to a narrow pane', async () => {
    const actions = [{ name: 'openReport', title: 'Open report' }];
    await filled({ state: 'finished', slots: [], actions }, 560);
    const word = panel.page.getByRole('button', { name: 'Open report' }).locator('.word');
    const width = async (): Promise<number> => (await word.boundingBox())?.width ?? 0;
    assert.ok((await width()) > 40, `its words have ${await width()} pixels`);
    await panel.page.setViewportSize({ width: 480, height: 600 });
    assert.ok((await width()) < 2, 'only its icon has room');
  });

  it('shows what is being done behind its number, and leads there', async () => {
    await filled({ slots: [{ node: 't1', purpose: 'document', since: 1 }] });
    const count = panel.page.getByRole('button', { name: 'Current work: 1' });
    assert.equal((await count.textContent())?.trim(), '1');
    assert.equal(await panel.page.locator('.slot').count(), 0);
    await count.click();
    await panel.page.locator('.slot', { hasText: 'writing the document' }).click();
    assert.equal((await panel.posted('select')).path, 't1');
    await panel.change([], { slots: [] });
    await count.waitFor({ state: 'detached' });
  });

  it('keeps what is being done open between two calls, and takes it away with the end', async () => {
    const call = (node: string) => ({ node, purpose: 'document', since: 1 });
    await filled({ slots: [call('t1')] });
    await panel.page.getByRole('button', { name: 'Current work: 1' }).click();
    await panel.change([], { slots: [] });
    await panel.page.getByRole('button', { name: 'Current work: 0' }).waitFor();
    await panel.change([], { slots: [call('t2')] });
    await panel.page.locator('.slot', { hasText: 'writing the document' }).waitFor();
    await panel.change([], { state: 'finished', slots: [] });
    await panel.page.getByRole('button', { name: /^Current work/ }).waitFor({ state: 'detached' });
  });

  it('shows cost and limits to a pointer that rests on them, and keeps them while it is there', async () => {
    await filled();
    const { page } = panel;
    const figures = page.locator('.figures');
    await page.getByRole('button', { name: 'Cost and limits: $1.27' }).hover();
    await figures.waitFor();
    for (const text of ['34 of 60', '71 of 1K calls', '820K of 2M tokens', '$1.27 of $5.00', 'copilot/some-model'])
      await figures.getByText(text, { exact: true }).waitFor();
    await figures.getByText('copilot/some-model').hover();
    await panel.passes(400); // longer than a pointer may be away
    assert.equal(await figures.isVisible(), true);
    await page.mouse.move(400, 500);
    await figures.waitFor({ state: 'detached' });
  });

  it('says that dollars cannot be watched where the price is unknown, and shows no share of them', async () => {
    const guards = [{ name: 'usd' as const, used: 0, limit: 1 }];
    await filled({ usd: 0, usdComplete: false, guards });
    assert.equal(await panel.page.locator('.money .meter').count(), 0);
    await panel.openFigures();
    const figures = panel.page.locator('.figures');
    await figures.getByText('$1.00 cannot be watched: price unknown', { exact: true }).waitFor();
    assert.equal(await figures.getByText('$0.00').count(), 0);
  });

  it('shows them to the keyboard, and takes them away with Escape, which moves no focus', async () => {
    await filled();
    const { page } = panel;
    const money = page.getByRole('button', { name: 'Cost and limits' });
    const isFocused = (): Promise<boolean> => money.evaluate((element) => element === document.activeElement);
    for (let i = 0; i < 9 && !(await isFocused()); i++) await page.keyboard.press('Tab');
    await page.locator('.figures').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('.figures').waitFor({ state: 'detached' });
    assert.ok(await isFocused());
    await page.keyboard.press('Enter');
    await page.locator('.figures').waitFor();
    await page.keyboard.press('Tab');
    await page.locator('.figures').waitFor({ state: 'detached' });
  });

  it('alarms nobody because all that was to be done is done', async () => {
    const limits = { worked: 60, size: 60, guards: [{ name: 'calls' as const, used: 99, limit: 100 }] };
    await filled({ ...limits });
    await panel.openFigures();
    const tight = panel.page.locator('.figures .tight');
    assert.equal(await tight.count(), 1, 'little is left of the limit of a search that goes on');
    assert.equal(await panel.page.locator('.figures div', { hasText: '60 of 60' }).locator('.tight').count(), 0);
    await panel.change([], { state: 'finished' });
    assert.equal(await panel.page.locator('.tight').count(), 0);
  });

  it('has a menu of what has no button, which can be used with keys', async () => {
    await filled(FULL);
    const { page } = panel;
    await page.getByRole('button', { name: 'More actions on the search' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menu').waitFor();
    assert.deepEqual(await page.getByRole('menuitem').allTextContents(), ['Finish now', 'Let it go further…']);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    assert.deepEqual(await panel.posted('act'), { type: 'act', action: 'grow', path: '' });
    await page.getByRole('menu').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Pause' }).click();
    assert.deepEqual(await panel.posted('act'), { type: 'act', action: 'pause', path: '' });
  });

  it('counts the filters that are on, and clears them', async () => {
    await filled();
    const { page } = panel;
    await panel.openFilters();
    await page.getByRole('button', { name: 'failed' }).click();
    await page.getByLabel('Score').selectOption('5');
    await page.getByRole('button', { name: 'Filters and legend, 2 filters on' }).waitFor();
    assert.equal(await page.locator('.badge').textContent(), '2');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByRole('button', { name: 'Filters and legend', exact: true }).waitFor();
    assert.equal(await page.locator('.badge').count(), 0);
    await page.mouse.click(400, 500);
    await page.locator('.popover').waitFor({ state: 'detached' });
  });

  it('says why a search stopped, and what leads on from there', async () => {
    await filled();
    const notice = panel.page.locator('.notice');
    assert.equal(await notice.count(), 0);
    const actions = [
      { name: 'resume', title: 'Resume' },
      { name: 'finish', title: 'Finish now' },
    ];
    await panel.change([], { state: 'paused', reason: 'The limit of 50 calls is reached.', slots: [], actions });
    await notice.getByText('The limit of 50 calls is reached.').waitFor();
    await notice.getByRole('button', { name: 'Finish now' }).click();
    assert.deepEqual(await panel.posted('act'), { type: 'act', action: 'finish', path: '' });
    await notice.getByRole('button', { name: 'Close' }).click();
    await notice.waitFor({ state: 'detached' });
    await panel.change([], { reason: 'The server does not answer.' });
    await notice.getByText('The server does not answer.').waitFor();
  });

  it('leads a person to the changes of work that is done, and to accepting them', async () => {
    const actions = [
      { name: 'openReport', title: 'Open report' },
      { name: 'diff', title: 'Review changes' },
      { name: 'accept', title: 'Accept changes…' },
    ];
    await filled({ state: 'finished', reason: '', slots: [], actions });
    const notice = panel.page.locator('.notice');
    assert.deepEqual(await notice.locator('.button:not(.icon-only)').allTextContents(), [
      'Review changes',
      'Accept changes…',
    ]);
    await notice.getByRole('button', { name: 'Accept changes…' }).click();
    assert.deepEqual(await panel.posted('act'), { type: 'act', action: 'accept', path: '' });
    await panel.change([], { state: 'running' });
    await notice.waitFor({ state: 'detached' });
  });

  it('keeps that closed when its tab is shown again, until the search has gone on', async () => {
    await filled();
    const stopped = { state: 'paused', reason: 'The limit of 50 calls is reached.', slots: [] } as const;
    await panel.change([], stopped);
    await panel.page.locator('.notice').getByRole('button', { name: 'Close' }).click();
    const kept = await panel.kept();
    await panel.close();
    panel = await PanelPage.open(opened.browser, { kept });
    const nodes = sampleNodes(40);
    await panel.snapshot(sampleSearch(nodes, stopped), nodes);
    assert.equal(await panel.page.locator('.notice').count(), 0);
    await panel.change([], { state: 'running', reason: '' });
    await panel.change([], stopped);
    await panel.page.locator('.notice').waitFor();
  });

  for (const width of [420, 503, 640, 700])
    it(`gives that sentence a line of its own where two buttons leave it none, at ${width} pixels`, async () => {
      const actions = [
        { name: 'raise', title: 'Raise to 28 calls and continue' },
        { name: 'finish', title: 'Finish now' },
      ];
      const reason = 'One more call could exceed the limit of 14 calls.';
      await filled({ state: 'paused', reason, slots: [], actions }, width);
      const { width: wide = 0, height = 0 } = (await panel.page.locator('.notice .reason').boundingBox()) ?? {};
      assert.ok(wide > 0.55 * width, `the sentence has ${wide} pixels`);
      assert.ok(height < 45, `it has ${height} pixels of height`);
    });
});
