import assert from 'node:assert/strict';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../support/temporary-folder.ts';

import { useWindow } from './support/use-window.ts';

const workspace = temporaryFolder('start');
cpSync(join(import.meta.dirname, '../../host/sample-workspace'), workspace, { recursive: true });

describe('a search is started', () => {
  const opened = useWindow({
    workspace,
    settings: { 'thoughtTree.openDrawing': 'beside', 'thoughtTree.concurrency': 2 },
  });
  const fileOf = (slug: string): { prompt: string; title: string } =>
    JSON.parse(readFileSync(join(opened.host.folder ?? '', 'thought-trees', slug, 'search.json'), 'utf8'));

  it('step by step with Back, the model shown, the sizes that finish first; Escape loses nothing', async () => {
    const { window } = opened;
    const { page } = window;
    await window.openContainer('Thought Tree');
    await window.command('Thought Tree: Start Tree Search');
    const widget = page.locator('.quick-input-widget:visible');
    await widget.filter({ hasText: 'What do you want to know, solve or get done?' }).waitFor();
    await window.input.fill('How are scans limited?');
    await window.screenshot('start-question');
    await window.input.press('Escape');
    await window.command('Thought Tree: Start Tree Search');
    await widget.filter({ hasText: 'What do you want to know' }).waitFor();
    assert.equal(await window.input.inputValue(), 'How are scans limited?');
    await window.input.press('Enter');
    await window.pickRow('Get more models').waitFor();
    await window.screenshot('start-models');
    await window.pick('Scripted 1');
    await window.pickRow(/^Small: 20 topics.*within 50 calls/).waitFor();
    await window.pickRow(/^Medium: 60 topics.*pauses at 50 calls/).waitFor();
    await window.screenshot('start-sizes');
    for (const title of ['Select Model', 'What do you want to know']) {
      await widget.getByRole('button', { name: 'Back' }).click();
      await widget.filter({ hasText: title }).waitFor();
    }
    await window.input.press('Enter');
    await window.pickRow(/^Small: 20 topics/).waitFor();
    await window.pickRow('Research a question').waitFor();
    await window.input.press('Enter');
    await window.treeItem(/^How are scans limited\?/).waitFor();
  });

  it('and shows itself: the drawing beside, its row revealed and open', async () => {
    const { window } = opened;
    await window.notification('"How are scans limited?" is finished').waitFor();
    const frame = await window.webview('canvas');
    await frame.locator('canvas').waitFor();
    await window.page.locator('.part.sidebar [aria-expanded="true"][aria-selected="true"]').first().waitFor();
    await window.treeItem(/^How are scans limited\?, finished/).waitFor();
    await window.screenshot('start-drawing');
  });

  it('about a selection, by four clicks and keys apart from typing, with the lines in its prompt', async () => {
    const { window } = opened;
    const { page } = window;
    await window.command('View: Close All Editors');
    await window.openContainer('Explorer');
    await window.treeItem('README.md').dblclick();
    await window.tab('README.md').waitFor();
    await page.locator('.part.editor .view-lines').click();
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Shift+ArrowDown');
    const editor = page.locator('.part.editor .view-line').first();
    await window.contextMenu(editor, 'Ask About the Selection…'); // two clicks
    const widget = page.locator('.quick-input-widget:visible');
    await widget.filter({ hasText: 'Ask About README.md:1-2' }).waitFor();
    await window.input.fill('What is this?');
    await window.screenshot('start-selection');
    await window.input.press('Enter');
    await window.pickRow(/^Small: 20 topics/).waitFor();
    await page.keyboard.press('Enter');
    const row = window.treeItem(/^What is this\? \(README\.md:1-2\)/);
    // Until it is selected, the focus is on its way there, and would close the palette.
    await row.and(page.locator('[aria-selected="true"]')).waitFor();
    const { prompt } = fileOf('what-is-this-readme-md-1-2');
    const lines = readFileSync(join(workspace, 'README.md'), 'utf8').split('\n').slice(0, 2).join('\n');
    assert.ok(prompt.includes(`\`\`\`markdown\n${lines}\n\`\`\``), prompt);
  });

  it('by several lines in an editor, which are kept when it is closed', async () => {
    const { window } = opened;
    const { page } = window;
    await window.command('View: Close All Editors');
    await window.command('Thought Tree: Research a Question');
    const widget = page.locator('.quick-input-widget:visible');
    await widget.filter({ hasText: 'What do you want to know' }).waitFor();
    // The row of the search before may take the focus yet.
    await window.input.fill('Who may scan?');
    await widget.getByRole('button', { name: 'Write in an Editor' }).click();
    await page.locator('.part.editor .view-line', { hasText: /Who.may.scan/ }).waitFor();
    await page.locator('.part.editor .monaco-editor.focused').waitFor();
    await page.keyboard.press('Enter');
    await page.keyboard.type('And who may not?');
    const second = page.locator('.part.editor .view-line', { hasText: /And.who.may.not/ });
    await second.waitFor();
    await window.command('View: Revert and Close Editor');
    await second.waitFor({ state: 'hidden' });
    await window.command('Thought Tree: Research a Question');
    await second.waitFor();
    await window.screenshot('start-editor');
    await page
      .locator('.part.editor')
      .getByRole('button', { name: /Start Tree Search/ })
      .first()
      .click();
    await window.pick('Small: 20 topics');
    await window.treeItem(/^Who may scan\?/).waitFor();
    assert.equal(fileOf('who-may-scan').prompt, 'Who may scan?\nAnd who may not?');
    await second.waitFor({ state: 'hidden' });
  });
});
