import assert from 'node:assert/strict';
import type { GraphCitation } from '../../src/protocol/graph-node.ts';
import { PanelPage } from './support/panel-page.ts';
import { DETAILS } from './support/sample-details.ts';
import { sampleNodes, sampleSearch } from './support/sample-tree.ts';
import { useBrowser } from './support/use-browser.ts';

const COUNTS = { verified: 3, moved: 1, stale: 0, not_found: 2 };
const FAILED: readonly GraphCitation[] = [
  { place: 'src/queue.ts:12-13', mark: 'moved', now: '20-21', href: '../../src/queue.ts#L20-L21' },
  { place: 'src/<img src=x onerror=alert(1)>.ts:1', mark: 'not_found', href: '../../src/none.ts#L1' },
  { place: '../../etc/passwd:1', mark: 'not_found' },
];

describe('quotations in the panel', () => {
  const opened = useBrowser();
  let panel: PanelPage;

  beforeEach(async () => {
    panel = await PanelPage.open(opened.browser);
    const nodes = sampleNodes(40).map((node) => (node.path === 't0' ? { ...node, citations: COUNTS } : node));
    await panel.snapshot(sampleSearch(nodes), nodes);
  });
  afterEach(() => panel?.close());

  const select = async (path: string): Promise<void> => {
    await panel.send({ type: 'reveal', path });
    await panel.send({ type: 'details', details: { ...DETAILS, path, citations: FAILED } });
  };

  it('counts them, and names those that are not in place', async () => {
    await select('t0');
    const section = panel.page.locator('.citations');
    await section.getByText('3 verified, 1 moved, 2 not found', { exact: true }).waitFor();
    assert.deepEqual(await section.locator('li').allTextContents(), [
      'src/queue.ts:12-13 moved to 20-21',
      'src/<img src=x onerror=alert(1)>.ts:1 not found',
      '../../etc/passwd:1 not found',
    ]);
    assert.equal(await section.locator('img').count(), 0);
    assert.deepEqual(await panel.violations(), []);
  });

  it('opens the lines of one with a click or a key, and of none that leads nowhere', async () => {
    await select('t0');
    const places = panel.page.locator('.citations button');
    assert.equal(await places.count(), 2);
    await places.first().click();
    assert.deepEqual(await panel.posted('open-link'), {
      type: 'open-link',
      path: 't0',
      href: '../../src/queue.ts#L20-L21',
    });
    await places.last().press('Enter');
    assert.equal((await panel.posted('open-link')).href, '../../src/none.ts#L1');
  });

  it('says the counts of a node to a screen reader, and nothing where it quotes nothing', async () => {
    const said = panel.page.locator('[aria-live=polite]');
    await panel.send({ type: 'reveal', path: 't0' });
    await panel.page.locator('canvas').focus();
    await said.filter({ hasText: 'quotations: 3 verified, 1 moved, 2 not found' }).waitFor({ state: 'attached' });
    await select('t1');
    await panel.page.locator('.inspector h3', { hasText: 'Calls' }).waitFor();
    assert.equal(await panel.page.locator('.citations').count(), 0);
    assert.doesNotMatch(String(await said.textContent()), /quotations/);
  });
});
