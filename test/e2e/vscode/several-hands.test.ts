import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Workbench } from '../../host/workbench.ts';
import { startScriptedServer } from '../../support/servers/scripted-server.ts';
import { scriptedTree } from '../../support/servers/server-tree.ts';
import { type RunningCli, startCli } from '../cli/run-cli.ts';
import { HeldModels } from './support/held-models.ts';
import { startResearch } from './support/start-search.ts';
import { useWindow } from './support/use-window.ts';

const tree = scriptedTree({ fanout: (_path, depth) => [3, 2][depth] ?? 0, documentWords: 20 });
const [FIRST = '', SECOND = '', THIRD = ''] = tree.titlesOf('');

const slug = FIRST.toLowerCase().replaceAll(' ', '-');

describe('a search in several hands', () => {
  const models = new HeldModels();
  const opened = useWindow({ env: models.env, settings: { 'thoughtTree.model': 'vscode/scripted-1' } });
  const gate = Promise.withResolvers<void>();
  let terminal: RunningCli | undefined;
  let server: Awaited<ReturnType<typeof startScriptedServer>> | undefined;

  after(async () => {
    terminal?.child.kill('SIGKILL');
    await terminal?.end;
    await server?.close();
  });

  it('is followed while a terminal runs it', async () => {
    const { window, host } = opened;
    await window.openContainer('Thought Tree');
    await window.welcome('Ask a hard question').waitFor();
    server = await startScriptedServer({
      answer: async function* (call) {
        if (call.purpose === 'document' && !call.node.startsWith(slug)) await gate.promise;
        yield tree.answer(call);
      },
    });
    const env = { THOUGHT_TREE_BASE_URL: server.baseUrl, THOUGHT_TREE_MODEL: 'openai-compatible/m' };
    terminal = startCli(['start', 'Why is it slow?', '--size', 'small'], { cwd: host.folder ?? '', env });
    await window.treeItem(/^Why is it slow\?, running/).waitFor();
    await window.treeItem(new RegExp(`^${FIRST}, expanded`)).waitFor();
    await window.treeItem(new RegExp(`^${SECOND}, in progress`)).waitFor();
  });

  it('is pruned and paused from the window while a terminal runs it', async () => {
    const { window } = opened;
    await window.contextMenu(window.treeItem(THIRD), 'Prune Branch');
    await window.treeItem(new RegExp(`^${THIRD}, pruned`)).waitFor();
    await window.viewAction('Pause').click();
    gate.resolve();
    await terminal?.end;
    await window.treeItem(/^Why is it slow\?, paused/).waitFor();
  });

  it('is steered by a second window', async () => {
    const { window, host, browser } = opened;
    models.hold(/"(Network|Startup)"/);
    await startResearch(window, 'What happens at the start?');
    await window.treeItem(/^Network, in progress/).waitFor();
    const second = await Workbench.open(host, browser);
    await second.openContainer('Thought Tree');
    await second.treeItem(/^What happens at the start\?, running/).waitFor();
    await second.contextMenu(second.treeItem('Network'), 'Prune Branch');
    await second.treeItem(/^Network, pruned/).waitFor();
    await window.treeItem(/^Network, pruned/).waitFor();
    await second.close();
  });

  it('is resumed with one click after its window was closed in the middle', async () => {
    const { window, host, browser } = opened;
    await window.treeItem(/^Startup, in progress/).waitFor();
    await window.close();
    opened.window = await Workbench.open(host, browser);
    await opened.window.openContainer('Thought Tree');
    const row = opened.window.treeItem(/^What happens at the start\?, (paused|interrupted)/);
    await row.waitFor();
    await opened.window.treeItem(/^Startup, open/).waitFor();
    models.release();
    await opened.window.rowAction(row, 'Resume');
    await opened.window.notification('"What happens at the start?" is finished: 6 topics').waitFor();
    await opened.window.treeItem(/^Startup, expanded/).waitFor();
  });

  it('is cancelled while its question is divided', async () => {
    const { window } = opened;
    models.hold(/Divide the question/);
    await startResearch(window, 'What is taken back?');
    await window.answerNotification('Dividing the question into topics', 'Cancel');
    await window.treeItem(/^What is taken back\?, paused/).waitFor();
    models.release();
  });

  it('stops when its folder is deleted, and says so once', async () => {
    const { window, host } = opened;
    await window.command('Notifications: Clear All Notifications');
    models.hold(/"(Network|Startup)"/);
    await startResearch(window, 'Where does it end?');
    await window.treeItem(/^Where does it end\?, running/).waitFor();
    await window
      .treeItem(/^Network, in progress/)
      .first()
      .waitFor();
    // The search writes meanwhile: a file that comes while the folder is emptied takes another turn.
    await rm(join(host.folder ?? '', 'thought-trees/where-does-it-end'), { recursive: true, maxRetries: 10 });
    await window.notification('"Where does it end?": Its folder was deleted or moved').waitFor();
    models.release();
    await window.treeItem('Where does it end?').waitFor({ state: 'hidden' });
    await window.notification('Dividing the question').waitFor({ state: 'hidden' });
    assert.equal(await window.page.locator('.notifications-toasts .notification-list-item').count(), 1);
  });
});
