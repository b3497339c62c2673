import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../../host/until.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { useWindow } from './support/use-window.ts';
import { writeSearch } from './support/write-search.ts';

const HOSTILE = 'A <b>bold</b> [link](command:thoughtTree.start)';
/** Longer than any sidebar is wide. */
const LONG = 'What a client that was refused reads in the answer about the second at which its window begins again';
const workspace = temporaryFolder('read');
writeSearch(join(workspace, 'thought-trees/limits'), 'How are requests limited?', [
  {
    title: 'Token bucket',
    status: 'expanded',
    children: [
      { title: 'Refill', status: 'leaf' },
      { title: HOSTILE, status: 'leaf' },
    ],
  },
  { title: 'Headers', status: 'leaf' },
  { title: LONG, status: 'leaf' },
]);

describe('documents in the window', () => {
  const opened = useWindow({ workspace });

  it('open to read at a click, which keeps the focus in the list', async () => {
    const { window } = opened;
    await window.openContainer('Thought Tree');
    await window.expand(window.treeItem('How are requests limited?'));
    await window.openRow(window.treeItem('Token bucket'), 'token-bucket');
    const page = await window.webview('.thought-tree-head');
    const head = page.locator('.thought-tree-head', { hasText: HOSTILE });
    assert.equal(
      await head.textContent(),
      `expanded · ↑ above: How are requests limited? · ↓ below: Refill, ${HOSTILE}`,
    );
    assert.equal(await head.locator('*:not(a)').count(), 0, 'a title has no marks of its own');
    assert.equal(await head.locator('a').count(), 2, 'nor links');
    assert.equal(await page.locator('table').count(), 0, 'no table of front matter');
    await window.page.locator('.part.sidebar .monaco-list:focus').waitFor();
  });

  it('lead to those below them, and a double click keeps its tab', async () => {
    const { window } = opened;
    await window.treeItem('Token bucket').dblclick();
    const page = await window.webview('.thought-tree-head a');
    await page.getByRole('link', { name: 'Refill' }).click();
    await window.tab('refill').waitFor();
    await window.openRow(window.treeItem('Headers'), 'headers');
    await window.tab('token-bucket').waitFor();
  });

  it('are found by the last words of their titles, which the list cuts, with Ctrl+F', async () => {
    const { page } = opened.window;
    // The page that the test before opened may take the focus as soon as it is shown.
    await until(async () => {
      await page.locator('.part.sidebar .monaco-list:visible').first().focus();
      await page.waitForTimeout(200);
      assert.ok(await page.locator('.part.sidebar .monaco-list:focus').isVisible());
    }, 150_000);
    await page.keyboard.press('Control+f');
    const find = page.locator('.part.sidebar .monaco-tree-type-filter').locator('input, textarea');
    await find.first().fill('window begins again');
    await page.keyboard.press('Enter');
    await page.locator('.part.sidebar .monaco-list-row.focused', { hasText: LONG }).waitFor();
    await page.keyboard.press('Escape');
  });

  it('open as their source where that is set, with what can be done to the node above it', async () => {
    const { window } = opened;
    const settings = join(opened.host.folder ?? '', '.vscode');
    mkdirSync(settings, { recursive: true });
    writeFileSync(join(settings, 'settings.json'), '{ "thoughtTree.openDocumentsAs": "source" }');
    const lens = (name: string) => window.page.locator('.codelens-decoration a').filter({ hasText: name }).first();
    // The setting counts as soon as the editor has read it.
    for (let tries = 0; tries < 20 && !(await lens('Prune branch').isVisible()); tries++) {
      await window.treeItem('Headers').click();
      await lens('Prune branch')
        .waitFor({ timeout: 2000 })
        .catch(() => undefined);
    }
    await window.editorShows(/title: Headers/);
    await lens('Prune branch').click();
    await window.treeItem(/^Headers, pruned/).waitFor();
    await lens('Restore branch').waitFor();
    await lens('Open rendered').click();
    await window.webview('.thought-tree-head');
  });
});
