import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { startResearch } from './support/start-search.ts';
import { useWindow } from './support/use-window.ts';
import { writeSearch } from './support/write-search.ts';

const above = temporaryFolder('several');
const folders = ['client', 'server'].map((name) => join(above, name)) as [string, string];
writeSearch(join(folders[0], 'thought-trees/drawing'), 'What draws the page?', [
  { title: 'Layout', status: 'expanded', children: [{ title: 'Fonts', status: 'leaf' }] },
]);
writeSearch(join(folders[1], 'thought-trees/limits'), 'What limits requests?', [
  { title: 'Token bucket', status: 'leaf' },
]);

describe('a window with two folders', () => {
  const opened = useWindow({ folders });

  it('shows the searches of both', async () => {
    const { window } = opened;
    await window.openContainer('Thought Tree');
    await window.treeItem(/^What draws the page\?, finished/).waitFor();
    await window.treeItem(/^What limits requests\?, finished/).waitFor();
  });

  it('asks which folder a question is about, and searches there', async () => {
    const { window } = opened;
    await startResearch(window, 'What happens at the start?', { folder: 'server', model: 'Scripted 1' });
    await window.notification('"What happens at the start?" is finished').waitFor();
    await window.treeItem(/^What happens at the start\?, finished/).waitFor();
    assert.ok(existsSync(join(folders[1], 'thought-trees/what-happens-at-the-start/report.md')));
    assert.equal(existsSync(join(folders[0], 'thought-trees/what-happens-at-the-start')), false);
  });

  it('steers each in its place', async () => {
    const { window } = opened;
    await window.expand(window.treeItem('What draws the page?'));
    await window.contextMenu(window.treeItem('Layout'), 'Prune Branch');
    await window.treeItem(/^Layout, pruned/).waitFor();
    assert.ok(existsSync(join(folders[0], 'thought-trees/drawing/.search/journal.jsonl')));
  });

  it('does in the status bar what makes sense now, with the search that is shown there and not the selected one', async () => {
    const { window } = opened;
    await window.treeItem('Layout').click();
    await window.statusBarItem(/\d topics/).click();
    await window.pickRow('Start Tree Search').waitFor();
    for (const label of ['Pause', 'Finish now', 'Resume'])
      assert.equal(await window.pickRow(label).count(), 0, `${label}: nothing runs, and nothing is unfinished`);
    await window.pick('Open report');
    const page = await window.webview('h1');
    await page
      .locator('h1')
      .first()
      .filter({ hasText: /What happens at the start\?/ })
      .waitFor();
    await window.command('View: Close All Editors');
  });

  it('asks what to do about a question that was asked before', async () => {
    const { window } = opened;
    await startResearch(window, 'What happens at the start?', { folder: 'server' });
    const dialog = window.dialog('There is already a search for this question');
    await dialog.getByRole('button', { name: 'Start Another' }).click();
    await window.notification('"What happens at the start? (2)" is finished').waitFor();
    assert.ok(existsSync(join(folders[1], 'thought-trees/what-happens-at-the-start-2/report.md')));
  });
});
