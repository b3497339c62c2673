import assert from 'node:assert/strict';
import { PanelPage } from '../support/panel-page.ts';
import { sampleNodes, sampleSearch, sampleThoughts } from '../support/sample-tree.ts';
import { useBrowser } from '../support/use-browser.ts';

describe('two searches side by side', () => {
  const opened = useBrowser();
  const panels: PanelPage[] = [];

  afterEach(async () => {
    for (const panel of panels.splice(0)) await panel.close();
  });

  it('have a view each: what is selected, filtered and typed in one changes nothing in the other, also after a reload', async () => {
    const [research, thoughts] = [sampleNodes(40), sampleThoughts()];
    const open = async (nodes: typeof research, kept?: unknown): Promise<PanelPage> => {
      const panel = await PanelPage.open(opened.browser, { width: 500, kept });
      panels.push(panel);
      await panel.snapshot(sampleSearch(nodes, { title: nodes[0]?.title ?? '' }), nodes);
      return panel;
    };
    const [left, right] = [await open(research), await open(thoughts)];
    await left.send({ type: 'reveal', path: 't0' });
    await right.send({ type: 'reveal', path: 'node_2' });
    await left.page.getByRole('button', { name: 'Find topics' }).click();
    await left.page.keyboard.type('audit');
    await right.openFilters();
    await right.page.getByRole('button', { name: 'pruned' }).click();
    const look = async (panel: PanelPage): Promise<unknown> => {
      const { selected, filter } = (await panel.kept()) as { selected: string; filter: object };
      return { selected, ...filter };
    };
    const views = [
      { selected: 't0', text: 'audit', statuses: [], minScore: 0 },
      { selected: 'node_2', text: '', statuses: ['pruned'], minScore: 0 },
    ];
    assert.deepEqual([await look(left), await look(right)], views);
    const again = [await open(research, await left.kept()), await open(thoughts, await right.kept())];
    for (const [index, title] of ['Authentication and sessions', '10 - 4 = 6 (left: 6 9 13)'].entries())
      await again[index]?.page.locator('.inspector h2').filter({ hasText: title }).waitFor();
    assert.equal(await again[0]?.page.locator('#find').inputValue(), 'audit');
    assert.equal(await again[1]?.page.locator('#find').count(), 0);
  });
});
