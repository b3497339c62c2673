import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { PanelPage } from './panel-page.ts';
import { DETAILS } from './sample-details.ts';
import { sampleWorkGraph } from './sample-work-graph.ts';
import { THEMES, type ThemeName } from './themes.ts';
import { useBrowser } from './use-browser.ts';

const PICTURES = join(import.meta.dirname, '../../out/pictures');
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

describe('a work graph in the panel', function () {
  this.timeout(60_000);
  const opened = useBrowser();
  let panel: PanelPage;

  before(() => mkdirSync(PICTURES, { recursive: true }));
  afterEach(() => panel?.close());

  async function filled(theme: ThemeName = 'dark', width = 1280): Promise<void> {
    panel = await PanelPage.open(opened.browser, { theme, width });
    const { search, nodes } = sampleWorkGraph();
    await panel.snapshot(search, nodes);
  }

  for (const theme of Object.keys(THEMES) as ThemeName[])
    it(`passes the checks of axe, in ${theme}`, async () => {
      await filled(theme);
      await panel.page.screenshot({ path: join(PICTURES, `work-graph-whole-${theme}.png`) });
      await panel.send({ type: 'reveal', path: 'g1/a4' });
      await panel.send({ type: 'details', details: { ...DETAILS, path: 'g1/a4' } });
      await panel.page.screenshot({ path: join(PICTURES, `work-graph-${theme}.png`) });
      assert.deepEqual(await panel.audit(AXE), []);
      assert.deepEqual(await panel.violations(), []);
    });

  it('can be seen in a narrow window', async () => {
    await filled('dark', 500);
    await panel.page.screenshot({ path: join(PICTURES, 'work-graph-500.png') });
    await panel.send({ type: 'reveal', path: 'a6' });
    await panel.page.screenshot({ path: join(PICTURES, 'work-graph-500-selected.png') });
    assert.deepEqual(await panel.audit(AXE), []);
  });
});
