import assert from 'node:assert/strict';
import { join } from 'node:path';
import { removeWorkspaces } from '../support/quotes/quotes-workspace.ts';
import { REAL_SEARCHES, type RealSearch } from '../support/searches/real-searches.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { comparePicture } from './support/compare-picture.ts';
import { PanelPage } from './support/panel-page.ts';
import { type ShownSearch, shownSearch } from './support/shown-search.ts';
import { THEMES, type ThemeName } from './support/themes.ts';
import { useBrowser } from './support/use-browser.ts';

const NAMES = Object.keys(THEMES) as ThemeName[];

// Bytes of a font are drawn the same everywhere; another browser draws them otherwise.
const describePinned = process.env['CHROMIUM'] ? describe.skip : describe;

describePinned('the panel looks as it was meant to', () => {
  const opened = useBrowser();
  const shown = new Map<RealSearch, Promise<ShownSearch>>();
  let panel: PanelPage;

  afterEach(() => panel?.close());
  after(removeWorkspaces);

  /** A search as it was left by the engine; it is run once. */
  async function ran(name: RealSearch): Promise<ShownSearch> {
    const folder = join(temporaryFolder('shown'), name);
    const found = shown.get(name) ?? REAL_SEARCHES[name](folder).then(() => shownSearch(folder));
    shown.set(name, found);
    return await found;
  }

  async function open(name: RealSearch, { theme = 'dark' as ThemeName, width = 1280 } = {}): Promise<ShownSearch> {
    const given = await ran(name);
    panel = await PanelPage.open(opened.browser, { theme, width });
    await panel.snapshot(given.search, given.nodes);
    const { height = 0 } = (await panel.page.locator('header').boundingBox()) ?? {};
    if (width >= 500) assert.ok(height <= 44, `the header has more than one row: ${height} pixels`);
    return given;
  }

  async function compare(name: string): Promise<void> {
    await panel.page.evaluate(() => document.fonts.ready);
    await panel.passes(100); // after that long without a move the drawing is sharp
    // The caret blinks, and a hover depends on where a pointer was left.
    comparePicture(name, await panel.page.screenshot({ animations: 'disabled', caret: 'hide' }));
  }

  for (const width of [300, 500, 800, 1280, 2000])
    it(`at ${width} pixels`, async () => {
      await open('research', { width });
      await compare(`research-${width}`);
    });

  for (const theme of NAMES.filter((each) => each !== 'dark'))
    it(`in ${theme}`, async () => {
      await open('research', { theme });
      await compare(`research-${theme}`);
    });

  for (const theme of NAMES)
    it(`with a solved problem, what is known of a thought, or the legend, in ${theme}`, async () => {
      const { detailsOf } = await open('thoughts', { theme, width: 1600 });
      await panel.page.locator('canvas').focus();
      for (const key of ['Home', 'ArrowRight']) await panel.page.keyboard.press(key);
      await panel.send({ type: 'details', details: await detailsOf(await selected()) });
      await panel.page.locator('.inspector .document').waitFor();
      // The legend lies over what is known of the thought.
      if (theme === 'dark' || theme === 'hc-light') await panel.page.getByRole('button', { name: 'Legend' }).click();
      await compare(`thoughts-${theme}`);
    });

  /** The path of the node that was selected after the root. */
  async function selected(): Promise<string> {
    await panel.posted('select');
    return (await panel.posted('select')).path ?? assert.fail();
  }

  for (const name of ['investigation', 'work-graph'] as const)
    it(`with a search of the kind ${name}`, async () => {
      await open(name);
      await compare(name);
    });

  it('with some 450 nodes', async () => {
    const { nodes } = await open('large-research');
    assert.ok(nodes.length > 400 && nodes.length < 500, `${nodes.length} nodes`);
    await compare('large-research');
  });

  it('with some ten thousand nodes, at first and all of them open', async () => {
    const { nodes } = await open('ten-thousand');
    assert.ok(nodes.length > 9500 && nodes.length < 10_500, `${nodes.length} nodes`);
    await compare('ten-thousand');
    await panel.showLevels(0);
    await panel.page.getByRole('button', { name: 'Show everything' }).click();
    await compare('ten-thousand-open');
  });

  it('and a different picture is not mistaken for the same', async () => {
    const { search, nodes } = await open('research');
    const leaf = nodes.find(({ path, status }) => !path.includes('/') && status === 'leaf') ?? assert.fail();
    await panel.snapshot(
      search,
      nodes.map((node) => (node === leaf ? { ...node, status: 'pruned' } : node)),
    );
    const keeping = process.env['UPDATE'];
    delete process.env['UPDATE'];
    try {
      await assert.rejects(compare('research-1280'), /dots of research-1280 differ/);
    } finally {
      if (keeping !== undefined) process.env['UPDATE'] = keeping;
    }
  });
});
