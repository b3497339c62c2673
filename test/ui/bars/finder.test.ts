import assert from 'node:assert/strict';
import { PanelPage } from '../support/panel-page.ts';
import { sampleNodes, sampleSearch } from '../support/sample-tree.ts';
import { useBrowser } from '../support/use-browser.ts';

describe('finding in the panel', () => {
  const opened = useBrowser();
  let panel: PanelPage;
  let titles: string[];

  beforeEach(async () => {
    panel = await PanelPage.open(opened.browser, { width: 320, height: 600 });
    const nodes = sampleNodes(60);
    titles = nodes.flatMap(({ title, path }) => (/session/i.test(title) ? [path] : []));
    await panel.snapshot(sampleSearch(nodes), nodes);
  });
  afterEach(() => panel?.close());

  const found = () => panel.page.locator('.found');

  it('says which of how many it shows, and goes on to the next and back to the one before', async () => {
    const { page } = panel;
    const n = titles.length;
    assert.ok(n > 2);
    await page.getByRole('button', { name: 'Find topics' }).click();
    assert.equal(await page.evaluate(() => document.activeElement?.id), 'find');
    await page.keyboard.type('session');
    await found()
      .filter({ hasText: /^\d+ found$/ })
      .waitFor();
    const all = Number.parseInt((await found().textContent()) ?? '', 10);
    assert.ok(all >= n);
    for (const [key, at] of [
      ['Enter', 1],
      ['Enter', 2],
      ['Shift+Enter', 1],
      ['Shift+Enter', all],
      ['Enter', 1],
    ] as const) {
      await page.keyboard.press(key);
      await found()
        .filter({ hasText: new RegExp(`^${at} of ${all}$`) })
        .waitFor();
    }
    await page.getByRole('button', { name: 'Next' }).click();
    await found()
      .filter({ hasText: `2 of ${all}` })
      .waitFor();
    await page.getByRole('button', { name: 'Previous' }).click();
    await found()
      .filter({ hasText: `1 of ${all}` })
      .waitFor();
  });

  it('ends with Escape, which forgets what was typed and goes back to the drawing', async () => {
    const { page } = panel;
    await page.locator('canvas').focus();
    await page.keyboard.press('Control+f');
    await page.keyboard.type('nothing is called this');
    await found().filter({ hasText: '0 found' }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Next' }).isDisabled(), true);
    await page.keyboard.press('Escape');
    await page.locator('#find').waitFor({ state: 'detached' });
    assert.equal(await page.evaluate(() => document.activeElement?.tagName), 'CANVAS');
    assert.deepEqual((await panel.kept())['filter'], { text: '', statuses: [], minScore: 0 });
  });

  it('is open after a reload if something was typed', async () => {
    await panel.page.getByRole('button', { name: 'Find topics' }).click();
    await panel.page.keyboard.type('audit');
    const kept = await panel.kept();
    await panel.close();
    panel = await PanelPage.open(opened.browser, { kept });
    const nodes = sampleNodes(60);
    await panel.snapshot(sampleSearch(nodes), nodes);
    assert.equal(await panel.page.locator('#find').inputValue(), 'audit');
    assert.notEqual(await panel.page.evaluate(() => document.activeElement?.id), 'find', 'it takes no focus by itself');
  });
});
