import assert from 'node:assert/strict';
import { join } from 'node:path';
import { until } from '../../host/until.ts';
import { removeWorkspaces } from '../../support/quotes/quotes-workspace.ts';
import { REAL_SEARCHES } from '../../support/searches/real-searches.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { comparePicture } from '../../ui/support/compare-picture.ts';
import { useWindow } from './support/use-window.ts';

/** In folders whose order is the list's: what is opened comes last. */
const FOLDERS = { investigation: '1', research: '2', 'work-graph': '3', thoughts: '4' } as const;
const KINDS = ['investigation', 'research', 'work-graph', 'thoughts'] as const;
const THEMES = {
  light: { label: 'Light Modern', look: 'vs' },
  'hc-dark': { label: 'Dark High Contrast', look: 'hc-black' },
  'hc-light': { label: 'Light High Contrast', look: 'hc-light' },
} as const;

const workspace = temporaryFolder('sidebar');

// Bytes of a font are drawn the same everywhere; another browser draws them otherwise.
const describePinned = process.env['CHROMIUM'] ? describe.skip : describe;

// A sidebar is dragged to 300 or 500 pixels; at 800 and more nobody has one.
describePinned('the sidebar looks as it was meant to', () => {
  before(async () => {
    for (const name of KINDS) await REAL_SEARCHES[name](join(workspace, 'thought-trees', FOLDERS[name]));
    removeWorkspaces();
  });
  const opened = useWindow({ extensions: [], workspace });

  /** Drags the sidebar's edge. */
  async function drag(width: number): Promise<void> {
    const { page } = opened.window;
    const sidebar = page.locator('.part.sidebar');
    const box = (await sidebar.boundingBox()) ?? assert.fail();
    const [x, y] = [box.x + box.width, box.y + box.height / 2];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(box.x + width, y, { steps: 4 });
    await page.mouse.up();
    await until(async () => assert.equal((await sidebar.boundingBox())?.width, width), 60_000);
  }

  async function wear(theme: keyof typeof THEMES): Promise<void> {
    const { window } = opened;
    const { label, look } = THEMES[theme];
    await window.command('Preferences: Color Theme');
    await window.input.fill(label);
    await window.pick(label);
    await window.page.locator(`.monaco-workbench.${look}`).waitFor();
    await window.input.waitFor({ state: 'hidden' });
  }

  /** Compares the sidebar, with the pointer and the focus out of it. */
  async function compare(name: string): Promise<void> {
    const { page } = opened.window;
    await page.locator('.part.editor').click();
    await page.locator('.part.sidebar .monaco-progress-container.active').waitFor({ state: 'detached' });
    const sidebar = page.locator('.part.sidebar');
    let before: Buffer | undefined;
    let now = await sidebar.screenshot({ animations: 'disabled' });
    // Icons and colours of a new theme come a moment after its name.
    for (let same = 0; same < 2; same = before?.equals(now) ? same + 1 : 0) {
      await page.waitForTimeout(200);
      [before, now] = [now, await sidebar.screenshot({ animations: 'disabled' })];
    }
    comparePicture(name, now);
  }

  it('with searches of all kinds, the best path of a solved problem open', async () => {
    const { window } = opened;
    await window.openContainer('Thought Tree');
    // A row that is being revealed moves the others.
    for (const title of ['How are hooks and retries run?', '4 5 6 10']) await window.treeItem(title).waitFor();
    await window.expand(window.treeItem('4 5 6 10'));
    await window.treeItem(/best path/).waitFor();
    await window.expand(window.treeItem(/best path/));
    await drag(500);
    await compare('sidebar-500');
    await drag(300);
    await compare('sidebar-dark');
  });

  for (const theme of ['light', 'hc-dark', 'hc-light'] as const)
    it(`in ${theme}`, async () => {
      await wear(theme);
      await compare(`sidebar-${theme}`);
    });
});
