import assert from 'node:assert/strict';
import type { GraphLink } from '../../src/protocol/graph-node.ts';
import { PanelPage } from './support/panel-page.ts';
import { DETAILS } from './support/sample-details.ts';
import { sampleNodes, sampleSearch } from './support/sample-tree.ts';
import { useBrowser } from './support/use-browser.ts';

const LINKS: readonly GraphLink[] = [
  { type: 'depends-on', isIncoming: false, path: 't1', title: 'The other' },
  { type: 'like', isIncoming: false, title: 'lost-id' },
  { type: 'tests', isIncoming: true, path: 't2', title: '<b>A third</b>' },
];

describe('links in the panel', () => {
  const opened = useBrowser();
  let panel: PanelPage;

  beforeEach(async () => {
    panel = await PanelPage.open(opened.browser);
    const nodes = sampleNodes(40);
    await panel.snapshot(sampleSearch(nodes), nodes);
    await panel.send({ type: 'reveal', path: 't0' });
    await panel.send({ type: 'details', details: { ...DETAILS, path: 't0', links: LINKS } });
  });
  afterEach(() => panel?.close());

  it('lead to the other node; one that is gone is said to be', async () => {
    const lines = panel.page.locator('.links li');
    await lines.first().waitFor();
    assert.deepEqual(await lines.allTextContents(), [
      'depends-on The other',
      'like lost-id (gone)',
      'tests, from <b>A third</b>',
    ]);
    assert.equal(await panel.page.locator('.links button').count(), 2);
    await panel.page.locator('.links button').first().click();
    const head = panel.page.locator('.inspector-head h2');
    await head.getByText(sampleNodes(40).find(({ path }) => path === 't1')?.title ?? '?').waitFor();
    assert.deepEqual(await panel.violations(), []);
  });
});
