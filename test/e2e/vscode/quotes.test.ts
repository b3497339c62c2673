import assert from 'node:assert/strict';
import { cpSync, existsSync, rmSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { until } from '../../host/until.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { startResearch } from './support/start-search.ts';
import { useWindow } from './support/use-window.ts';
import { writeSearch } from './support/write-search.ts';

const workspace = temporaryFolder('quotes');
cpSync(join(import.meta.dirname, '../../host/sample-workspace'), workspace, { recursive: true });
const topics = Array.from({ length: 250 }, (_, i) => ({ title: `Topic ${i + 1}`, status: 'leaf' as const }));
writeSearch(join(workspace, 'thought-trees/many'), 'Many topics', [
  { title: 'All of them', status: 'expanded', children: topics },
]);
writeSearch(join(workspace, 'thought-trees/small'), 'A small one', [
  { title: 'First', status: 'expanded', children: [{ title: 'Below', status: 'unexpanded' }] },
  { title: 'Second', status: 'unexpanded' },
]);

describe('a window without any model', () => {
  const opened = useWindow({ extensions: [], workspace });
  const at = (path: string): string => join(opened.host.folder ?? '', 'thought-trees', path);

  it('searches by quoting the folder, to the end', async () => {
    const { window } = opened;
    await window.openContainer('Thought Tree');
    await startResearch(window, 'How many scans may a courier send?');
    await window.notification('is finished').waitFor();
    await window.treeItem(/^How many scans may a courier send\?, finished/).waitFor();
    await window.answerNotification('is finished', 'Open Report');
    const page = await window.webview('h1');
    await page.locator('body', { hasText: /docs\/decisions.md/ }).waitFor();
  });

  it('finds in the folder on a page of its own, whose links open lines beside it', async () => {
    const { window } = opened;
    await window.command('Thought Tree: Find in This Folder…');
    await window.answer('A question about this folder', 'How many scans may a courier send?');
    const page = await window.webview('section');
    await page.locator('h1', { hasText: 'How many scans may a courier send?' }).waitFor();
    await page.locator('pre mark').first().waitFor();
    await page.locator('body', { hasText: 'no model was asked' }).waitFor();
    await page.locator('section a').first().click();
    await window.editorShows(/courier/);
    assert.ok(await page.getByRole('button', { name: 'Let a Model Answer from These Lines…' }).isVisible());
    assert.equal(
      existsSync(at('how-many-scans-may-a-courier-send/search.json')),
      true,
      'of the test before, and no other',
    );
  });

  it('shows a list of hundreds in pages', async () => {
    const { window } = opened;
    await window.treeItem(/^Many topics, finished/).waitFor();
    await window.expand(window.treeItem('Many topics'));
    await window.expand(window.treeItem('All of them'));
    await window.treeItem('Topic 1').click();
    await window.page.keyboard.press('End');
    await window.treeItem('Show 50 More…').click();
    await window.treeItem('Topic 201').waitFor();
    await window.page.keyboard.press('End');
    await window.treeItem('Topic 250').waitFor();
  });

  it('acts on the row that the arrow keys went to; and follows edits by hand, and files that are replaced', async () => {
    const { window } = opened;
    rmSync(at('many'), { recursive: true });
    await window.treeItem('Many topics').waitFor({ state: 'hidden' });
    const row = window.treeItem(/^A small one, interrupted.* · 1 topic done, 2 open/);
    await row.waitFor();
    await window.expand(row);
    await window.openRow(window.treeItem('First'), 'first');
    await window.page.keyboard.press('ArrowDown');
    await window.page.keyboard.press('Delete');
    await window.treeItem(/^Second, pruned/).waitFor();
    await window.treeItem(/^First, expanded/).waitFor();
    const file = at('small/second/node.json');
    const node = JSON.parse(await readFile(file, 'utf8'));
    await writeFile(file, JSON.stringify({ ...node, title: 'Second, edited', status: 'failed' }));
    await window.treeItem(/^Second, edited, failed/).waitFor();
    writeSearch(at('small'), 'A small one', [{ title: 'Third', status: 'leaf' }]);
    await window.treeItem(/^Third, leaf/).waitFor();
  });

  it('shows statuses in the Explorer', async () => {
    const { window } = opened;
    await window.openContainer('Explorer');
    await window.command('File: Focus on Files Explorer');
    for (const name of ['thought-trees', 'small']) await window.expand(window.treeItem(name));
    await window.hasBadge(window.treeItem('third'), '●');
    await window.hasBadge(window.treeItem('second'), '✕');
  });

  it('keeps its files out of search and quick open, and finds in documents on request', async () => {
    const { window } = opened;
    assert.equal(await window.treeItem('.search').count(), 0, 'what the engine keeps for itself is hidden');
    await window.page.keyboard.press('Control+p');
    await window.input.fill('node.json');
    await window.pickRow('No matching results').waitFor();
    await window.page.keyboard.press('Escape');
    const view = window.page.locator('.search-view');
    const editor = window.page.locator('.search-editor:visible');
    const places = (of: Locator): Locator =>
      of.locator('.file-types.includes input, .file-types.includes textarea').first();
    const finds = async (where: string): Promise<void> => {
      // The editor is in sight before it is told where to look.
      await until(async () => assert.equal(await places(editor).inputValue(), where), 60_000);
      await editor.locator('.search-container textarea').first().fill('This is about Third');
      await editor.locator('.view-line').filter({ hasText: 'document.md' }).first().waitFor();
    };
    await window.page.keyboard.press('Control+Shift+f');
    await view.locator('.search-container textarea').first().fill('This is about Third');
    await window.page.keyboard.press('Enter');
    await view.locator('.message').filter({ hasText: 'No results found' }).waitFor();
    await window.openContainer('Thought Tree');
    await window.viewAction('Find in Documents…').click();
    await finds('./thought-trees/**/*.md');
    await window.openContainer('Thought Tree');
    await window.contextMenu(window.treeItem('A small one'), 'Find in Its Documents…');
    await finds('./thought-trees/small/**/*.md');
    await window.openContainer('Search');
    assert.equal(await places(view).inputValue(), '', 'the view is as it was left');
    await view.locator('.message').filter({ hasText: 'No results found' }).waitFor();
  });
});
