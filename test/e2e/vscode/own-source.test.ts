import { execFile } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { savePicture } from './support/save-picture.ts';
import { useWindow } from './support/use-window.ts';

const ROOT = join(import.meta.dirname, '../../..');
const QUESTION = 'How does a process take over the lease of another one?';
const folder = join(temporaryFolder('own-source'), 'thought-tree');

/** What README and `doc` show. */
describe('a question about the source of this project, asked in a terminal', () => {
  before(async () => {
    for (const name of ['src', 'README.md', 'package.json'])
      cpSync(join(ROOT, name), join(folder, name), { recursive: true });
    const start = [join(ROOT, 'dist/cli.cjs'), 'start', QUESTION, '--size', 'small'];
    await promisify(execFile)(process.execPath, start, { cwd: folder });
  });

  const opened = useWindow({ extensions: [], folder });

  it('has a report whose first places are in the files of the lease', async () => {
    const { window } = opened;
    await window.openContainer('Thought Tree');
    const search = window.treeItem(/^How does a process take over/);
    await window.expand(search);
    await window.contextMenu(search, 'Open Report');
    const report = await window.webview('h1');
    await report.getByRole('heading', { name: QUESTION }).waitFor();
    const places = report.getByRole('link', { name: /^src\/store\/lease\/.*:\d+$/ });
    await places.nth(1).waitFor(); // two of the first places
    await savePicture(window, 'report');
  });

  it('has documents, and a drawing of all of it and of its calls', async () => {
    const { window } = opened;
    await window.command('View: Close All Editors');
    const topic = window.page.locator('.part.sidebar .monaco-list-row[aria-level="2"]').first();
    await window.expand(topic);
    await window.openRow(topic, /takelease|lease/i);
    const page = await window.webview('.thought-tree-head');
    await page.locator('pre').first().waitFor();
    await savePicture(window, 'tree');
    await window.command('View: Close All Editors');
    await window.rowAction(window.treeItem(/^How does a process take over/), 'Open Thought Tree');
    const panel = await window.webview('.state');
    await panel.locator('.state', { hasText: 'finished' }).waitFor();
    await savePicture(window, 'panel');
    await panel.getByRole('tab', { name: 'Calls' }).click();
    await panel.locator('.call-lanes .call-bar').first().waitFor();
    await panel.getByRole('grid', { name: 'Calls' }).focus();
    await window.page.keyboard.press('Home');
    await panel.locator('.chosen-call .outcome', { hasText: 'ok' }).waitFor();
    await savePicture(window, 'calls');
  });
});
