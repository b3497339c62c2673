import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Frame } from 'playwright-core';
import { until } from '../../host/until.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { Stranger } from './support/stranger.ts';
import { useWindow } from './support/use-window.ts';
import { writeSearch } from './support/write-search.ts';

const workspace = temporaryFolder('sharing');
const folder = join(workspace, 'thought-trees/limits');
writeSearch(folder, 'What limits requests?', [
  { title: 'Token bucket', status: 'expanded', children: [{ title: 'Refill', status: 'leaf' }] },
  { title: 'Queue', status: 'leaf' },
]);
writeFileSync(join(folder, 'report.md'), '# What limits requests?\n\nA token bucket does.\n');
writeSearch(join(workspace, 'thought-trees/again'), 'What limits requests, again?', [
  { title: 'Token bucket', status: 'leaf' },
  { title: 'Firewall', status: 'leaf' },
]);

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const THEMES = ['Light Modern', 'Dark High Contrast', 'Light High Contrast', 'Dark Modern'];

describe('sharing a search in the editor', () => {
  const opened = useWindow({ workspace });
  const stranger = new Stranger(() => opened.window);
  const row = () => opened.window.treeItem(/^What limits requests\?,/);
  const saved = (name: string): string => join(opened.host.folder ?? '', name);

  /** The page of a preview, once it has an element. */
  async function previewWith(selector: string): Promise<Frame> {
    const body = await (await opened.window.webview(selector)).locator('body').elementHandle();
    const frame = await body?.ownerFrame();
    assert.ok(frame);
    return frame;
  }

  /** What axe finds wrong with the document that is open. */
  async function foundByAxe(): Promise<string[]> {
    const frame = await previewWith('.thought-tree-head');
    // The page is transparent: its background is the editor behind it, of which axe knows nothing.
    await frame.evaluate("document.documentElement.style.backgroundColor = 'var(--vscode-editor-background)'");
    await frame.evaluate(AXE);
    return await frame.evaluate(async () => {
      // The page around a document, without landmarks, is the editor's.
      const landmarks = { rules: { region: { enabled: false } } };
      const { axe } = globalThis as unknown as {
        axe: { run(what: string, how: object): Promise<{ violations: Violation[] }> };
      };
      interface Violation {
        readonly id: string;
        readonly nodes: readonly { readonly html: string }[];
      }
      const { violations } = await axe.run('body', landmarks);
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
    });
  }

  it('saves one page that opens without a network, within two clicks', async () => {
    const { window } = opened;
    await window.openContainer('Thought Tree');
    await stranger.does(2, () => stranger.chooses(row(), 'Save as HTML…'));
    await window.notification('"What limits requests?" is saved as limits.html.').waitFor();
    const page = readFileSync(saved('limits.html'), 'utf8');
    assert.match(page, /A token bucket does\.[\s\S]*<svg [\s\S]*This is about Refill\./);
    const other = await opened.browser.newPage();
    await other.context().setOffline(true);
    await other.goto(`file://${saved('limits.html')}`);
    await other.getByRole('heading', { name: 'Token bucket' }).waitFor();
    await other.close();
  });

  it('compares two searches within three clicks, rendered, and then line by line', async () => {
    const { window } = opened;
    await stranger.does(3, async () => {
      await stranger.chooses(row(), 'Compare With…');
      await stranger.picks('What limits requests, again?');
    });
    const page = await window.webview('h1');
    await page
      .getByRole('heading', { name: 'What limits requests?, compared with What limits requests, again?' })
      .waitFor();
    await page.getByRole('heading', { name: 'What differs' }).waitFor();
    await page.locator('li', { hasText: 'Firewall' }).waitFor();
    await window.page.locator('.editor-actions').getByRole('button', { name: 'Show Differences Line by Line' }).click();
    await window.page.locator('.monaco-diff-editor .view-line', { hasText: 'Firewall' }).waitFor();
  });

  for (const theme of THEMES)
    it(`shows a document, rendered, that passes the checks of axe in ${theme}`, async () => {
      const { window } = opened;
      await window.command('View: Close All Editors');
      await window.command('Preferences: Color Theme');
      await window.input.fill(theme);
      await window.pick(theme);
      await window.expand(row());
      await window
        .treeItem(/^Token bucket,/)
        .first()
        .click();
      let found: string[] = [];
      // A preview is drawn anew, in another frame, when the theme reaches it.
      await until(async () => {
        found = await foundByAxe();
      }, 60_000);
      assert.deepEqual(found, []);
    });

  it('saves a picture, which the drawing makes', async () => {
    const { window } = opened;
    await window.contextMenu(row(), 'More…');
    await window.pick('Save as PNG…');
    await window.notification('is saved as limits.png.').waitFor();
    assert.ok(existsSync(saved('limits.png')));
    assert.equal(readFileSync(saved('limits.png')).subarray(1, 4).toString(), 'PNG');
  });
});
