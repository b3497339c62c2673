import assert from 'node:assert/strict';
import { HeldModels } from './support/held-models.ts';
import { startResearch } from './support/start-search.ts';
import { useWindow } from './support/use-window.ts';

const QUESTION = 'How does the server protect itself?';

describe('a search in the window', () => {
  const models = new HeldModels();
  const opened = useWindow({ env: models.env, settings: { 'thoughtTree.concurrency': 2, 'thoughtTree.maxCalls': 12 } });

  it('is started from the palette, with a model of the editor', async () => {
    const { window } = opened;
    models.hold(/Divide the question/);
    await window.openContainer('Thought Tree');
    await window.welcome('Ask a hard question').waitFor();
    await startResearch(window, QUESTION, { model: 'Scripted 1' });
    await window.notification('Dividing the question into topics').waitFor();
    await window.treeItem(/^How does the server protect itself\?/).waitFor();
    const toasts = window.page.locator('.notifications-toasts .notification-list-item');
    assert.equal(await toasts.count(), 2, 'how far it is, and what the model is sent');
    models.hold(/"(Network|Startup)"/);
    await window.notification('Dividing the question into topics').waitFor({ state: 'hidden' });
  });

  it('grows in the sidebar', async () => {
    const { window } = opened;
    await window.treeItem(/^Storage, expanded, best path, score 9/).waitFor();
    await window.treeItem(/^Network, in progress/).waitFor();
    await window.treeItem(/^Startup, in progress/).waitFor();
    await window.expand(window.treeItem('Storage'));
    await window.treeItem(/^Storage 1, open/).waitFor();
    await window.treeItem(new RegExp(`^${QUESTION.replace('?', '\\?')}, running`)).waitFor();
    await window.statusBarItem(/1 topic done, 4 open/).waitFor();
  });

  it('opens a document to read at a click, under the name of its topic, with what is above and below it', async () => {
    const { window } = opened;
    await window.openRow(window.treeItem('Storage'), 'storage');
    const page = await window.webview('.thought-tree-head');
    const text = page.locator('body', { hasText: /wrote this about Storage/ });
    assert.match(
      (await text.textContent()) ?? '',
      /^\s*expanded · 9 of 10 · ↑ above: .*\? · ↓ below: Storage 1, Storage 2/,
    );
    assert.equal(await page.locator('table').count(), 0, 'no table of front matter');
  });

  it('is steered from the context menu', async () => {
    const { window } = opened;
    await window.contextMenu(window.treeItem('Storage 2'), 'Expand Next');
    await window.contextMenu(window.treeItem('Network'), 'Prune Branch');
    await window.treeItem(/^Network, pruned/).waitFor();
    await window.treeItem(/^Storage 2, leaf/).waitFor();
  });

  it('pauses', async () => {
    const { window } = opened;
    await window.viewAction('Pause').click();
    models.release();
    await window.viewAction('Continue').waitFor();
    await window.treeItem(/server protect itself\?, paused/).waitFor();
  });

  it('continues after the window was reloaded, until its budget is spent', async () => {
    const { window } = opened;
    await window.reload();
    await window.treeItem(/server protect itself\?, paused/).waitFor();
    await window.viewAction('Continue').click();
    await window.notification('has reached its budget').waitFor();
  });

  it('continues with a larger budget, to the end', async () => {
    const { window } = opened;
    // An hour later the notification is gone: the status bar says what is reached, and a click goes on.
    await window.command('Notifications: Clear All Notifications');
    await window.statusBarItem('limit of 12 calls reached').click();
    await window.pick(/Raise to \d+ Calls and Continue/);
    await window.notification('is finished').waitFor();
    await window.treeItem(/server protect itself\?, finished/).waitFor();
  });

  it('opens its report', async () => {
    const { window } = opened;
    await window.answerNotification('is finished', 'Open Report');
    const page = await window.webview('h1');
    await page.locator('body', { hasText: /In short: what the question asks for/ }).waitFor();
  });
});
