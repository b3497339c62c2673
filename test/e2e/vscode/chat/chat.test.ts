import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { useWindow } from '../support/use-window.ts';
import { ChatView } from './chat-view.ts';

const QUESTION = 'How are requests limited?';

describe('the chat', () => {
  const opened = useWindow();
  const chat = (): ChatView => new ChatView(opened.window);
  const folder = (): string => join(opened.host.folder ?? '', 'thought-trees/how-are-requests-limited');

  it('has @tree, which says what it can do', async () => {
    await opened.window.openContainer('Thought Tree');
    await chat().askFirst('@tree ');
    await chat().answered(/it answers from what they have found/);
    await chat().button('Start Tree Search').waitFor();
  });

  it('begins nothing if the card with the forecast is skipped', async () => {
    await chat().ask(`@tree ${QUESTION}`);
    await chat().answered(/There is no search in this folder yet/);
    await chat().button('Start a Search for This').click();
    await chat().answered(/Start the search "How are requests limited\?"\?/);
    const card = await chat().view.textContent();
    assert.match(card ?? '', /Model: vscode\/scripted-1/);
    assert.match(card ?? '', /Forecast: about \d+ calls/);
    assert.match(card ?? '', /It pauses after 50 calls, even if more are forecast/);
    await opened.window.screenshot('chat-card');
    await chat().button(/^Skip/).click();
    await chat().answered(/Nothing was begun\./);
    assert.ok(!existsSync(folder()));
  });

  it('begins the search once it is allowed, and answers from its files', async () => {
    await chat().ask(`@tree /start ${QUESTION}`);
    await chat()
      .button(/^Allow/)
      .click();
    await chat().answered(/calls ·/);
    await opened.window.treeItem(/^How are requests limited\?/).waitFor();
    await chat().ask('@tree /status');
    await chat().answered(/vscode\/scripted-1(?:.|\n)*Best so far:/);
    await chat().ask('@tree /best');
    await chat().answered(/The best nodes:/);
    await opened.window.screenshot('chat-best');
    await chat().answer.getByText('Storage', { exact: true }).first().click();
    await opened.window.tab('Storage').waitFor();
  });

  it('explains a node by the model that was picked in the chat', async () => {
    await chat().ask('@tree /explain Storage');
    await chat().answered(/You said: .*You explain one node of a tree search/);
  });

  it('says what can be done, and does it when it is allowed', async () => {
    await chat().ask('@tree /act');
    await chat().answered(/What can be done now:/);
    await chat().ask('@tree /act prune Network');
    await chat().answered(/Prune branch "Network" in the search "How are requests limited\?"\?/);
    await chat().button(/^Skip/).click();
    await chat().answered(/Nothing was done\./);
    await opened.window.treeItem(/^Network, (?!pruned)/).waitFor();
    await chat().ask('@tree /act prune Network');
    await chat()
      .button(/^Allow/)
      .click();
    await opened.window.treeItem(/^Network, pruned/).waitFor();
    await opened.window.screenshot('chat-pruned');
  });
});

describe('an editor without a language model', () => {
  const opened = useWindow({ extensions: [] });

  it('is told nothing about its chat, whose editor says so itself, in the sidebar or in a notification', async () => {
    const { window } = opened;
    await new ChatView(window).ask('@tree /status');
    await new ChatView(window).answered(/Language model unavailable/);
    await window.openContainer('Thought Tree');
    await window.welcome(/Ask a hard question/).waitFor();
    assert.equal(await window.welcome(/no language model/).count(), 0);
    assert.equal(await window.notification(/@tree/).count(), 0);
  });
});
