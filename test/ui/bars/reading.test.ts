import assert from 'node:assert/strict';
import { PanelPage } from '../support/panel-page.ts';
import { sampleNodes, sampleSearch } from '../support/sample-tree.ts';
import { useBrowser } from '../support/use-browser.ts';

const FOLDER = '/home/me/thought-trees/sample';

describe('a large tree that comes in portions', () => {
  const opened = useBrowser();
  let panel: PanelPage;

  afterEach(() => panel?.close());

  it('says how much of it is there until all of it is', async () => {
    panel = await PanelPage.open(opened.browser);
    const nodes = sampleNodes(3000);
    const all = nodes.length - 1;
    const reading = panel.page.locator('.reading');
    await panel.snapshot(sampleSearch(nodes, { reading: { done: 1000, all } }), nodes.slice(0, 1000));
    assert.equal(await reading.textContent(), `1000 of ${all} topics read…`);
    await panel.change(nodes.slice(1000, 2000), { reading: { done: 2000, all } });
    assert.equal(await reading.textContent(), `2000 of ${all} topics read…`);
    await panel.change(nodes.slice(2000), { reading: null });
    assert.equal(await reading.count(), 0);
    assert.match((await panel.page.locator('canvas').getAttribute('aria-label')) ?? '', new RegExp(`${all} topics`));
  });

  it('shows what was selected before, once that comes, and tells what is open before anything comes', async () => {
    const nodes = sampleNodes(3000);
    const last = nodes.at(-1)?.path as string;
    const kept = { folder: FOLDER, selected: last, isAutomatic: false, levels: 2, opened: ['t0', 't1'] };
    panel = await PanelPage.open(opened.browser, { kept, awaitsReady: false });
    const { view } = await panel.posted('ready');
    assert.deepEqual(view, { levels: 2, opened: ['t0', 't1'] });
    await panel.snapshot(sampleSearch(nodes, { reading: { done: 1000, all: 3000 } }), nodes.slice(0, 1000));
    await panel.change(nodes.slice(1000, 1500), { reading: { done: 1500, all: 3000 } });
    assert.equal((await panel.kept())['selected'], last, 'it may be among the rest');
    await panel.change(nodes.slice(1500), { reading: null });
    const title = nodes.at(-1)?.title as string;
    await panel.page.locator('.inspector', { hasText: title }).waitFor();
  });

  it('tells nothing of what is open while that follows from the tree', async () => {
    const kept = { folder: FOLDER, isAutomatic: true, levels: 0, opened: [] };
    panel = await PanelPage.open(opened.browser, { kept, awaitsReady: false });
    assert.equal((await panel.posted('ready')).view, undefined, 'all levels would be more than a first look needs');
  });

  it('looks for the nearest node only once all of it is there', async () => {
    const nodes = sampleNodes(300);
    const kept = { folder: FOLDER, selected: 't0/gone/long-ago', levels: 2, opened: [] };
    panel = await PanelPage.open(opened.browser, { kept });
    await panel.snapshot(sampleSearch(nodes, { reading: { done: 100, all: 300 } }), nodes.slice(0, 100));
    await panel.change(nodes.slice(100, 200), { reading: { done: 200, all: 300 } });
    assert.equal((await panel.kept())['selected'], 't0/gone/long-ago');
    await panel.change(nodes.slice(200), { reading: null });
    assert.equal((await panel.kept())['selected'], 't0');
  });
});
