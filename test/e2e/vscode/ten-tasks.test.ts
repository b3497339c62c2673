import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Frame } from 'playwright-core';
import { until } from '../../host/until.ts';
import type { Workbench } from '../../host/workbench.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { ChatView } from './chat/chat-view.ts';
import { HeldModels } from './support/held-models.ts';
import { startResearch } from './support/start-search.ts';
import { Stranger } from './support/stranger.ts';
import { useWindow } from './support/use-window.ts';

function copied(name: string): string {
  const workspace = temporaryFolder(name);
  cpSync(join(import.meta.dirname, '../../host/sample-workspace'), workspace, { recursive: true });
  return workspace;
}

const ABOUT = 'What may fail?';
const SLUG = 'what-may-fail-readme-md-1-2';
const OTHER = 'How does the server protect itself?';
const PUZZLE = '4 9 10 13';
const KEY = 'sk-stranger';

/** A server of somebody's own, which wants a key and has two models. */
function ownServer(): Server {
  return createServer((request, response) => {
    response.setHeader('content-type', 'application/json');
    const usage = { prompt_tokens: 1, completion_tokens: 1 };
    const said = { choices: [{ index: 0, message: { content: 'yes' }, finish_reason: 'stop' }], usage };
    if (request.headers.authorization !== `Bearer ${KEY}`) response.writeHead(401).end('{}');
    else if (request.url === '/v1/models') response.end('{"data":[{"id":"own-model"},{"id":"other-model"}]}');
    else if (request.url === '/v1/chat/completions') response.end(JSON.stringify(said));
    else response.writeHead(404).end('{}');
  });
}

describe('the first minute of a stranger without a model, by the clicks and keys that it takes', () => {
  const opened = useWindow({ extensions: [], workspace: copied('first-minute') });
  const stranger = new Stranger(() => opened.window);
  let server: Server;
  before(async () => {
    server = ownServer();
    await once(server.listen(0, '127.0.0.1'), 'listening');
  });
  after(() => {
    server.close();
    server.closeAllConnections();
  });

  it('the first search: 3', async () => {
    const { window } = opened;
    await window.openContainer('Thought Tree');
    const start = window.welcome(/Ask a hard question/).getByRole('button', { name: 'Start Tree Search' });
    await start.waitFor();
    await stranger.does(3, async () => {
      await stranger.clicks(start);
      await window.page
        .locator('.quick-input-widget:visible')
        .filter({ hasText: 'What do you want to know' })
        .waitFor();
      await stranger.types('How many scans may a courier send?');
      await stranger.presses('Enter');
      await window.pickRow(/^Medium: 60 topics/).waitFor();
      await window.pickRow('workspace/quotes').waitFor();
      await stranger.presses('Enter');
    });
    await window.treeItem(/^How many scans may a courier send\?, finished/).waitFor();
    const report = join(opened.host.folder ?? '', 'thought-trees/how-many-scans-may-a-courier-send/report.md');
    await until(async () => assert.match(readFileSync(report, 'utf8'), /docs\/decisions\.md/), 60_000);
  });

  it('a server of their own with a key: 6', async () => {
    const { window } = opened;
    const { port } = server.address() as AddressInfo;
    const widget = window.page.locator('.quick-input-widget:visible');
    await stranger.does(6, async () => {
      await stranger.presses('F1');
      await widget.waitFor();
      await stranger.types('Thought Tree: Select Model');
      await window.pickRow('Thought Tree: Select Model…').waitFor();
      await stranger.presses('Enter');
      await stranger.picks('A server of your own…');
      await widget.filter({ hasText: 'Address of the server' }).waitFor();
      await window.page.keyboard.press('Control+A');
      await stranger.types(`http://127.0.0.1:${port}`);
      await stranger.presses('Enter');
      await widget.filter({ hasText: 'API key for' }).waitFor();
      await stranger.types(KEY);
      await stranger.presses('Enter');
      await stranger.picks('own-model');
    });
    await window.notification('openai-compatible/own-model: It answers').waitFor();
  });

  it('find a search, delete it, and bring it back where the computer has no bin: 4', async () => {
    const { window } = opened;
    const { page } = window;
    const row = window.treeItem(/^How many scans may a courier send\?, /);
    const report = join(opened.host.folder ?? '', 'thought-trees/how-many-scans-may-a-courier-send/report.md');
    const before = readFileSync(report);
    const other = page.locator('.part.sidebar .monaco-list-row[aria-level="2"]').first();
    await stranger.does(4, async () => {
      await stranger.clicks(other);
      // In a list of the editor, what is typed leads to the row that begins so.
      await until(async (patience) => {
        await page.keyboard.type('How many scans');
        await page.locator('.part.sidebar .monaco-list-row.focused[aria-level="1"]').waitFor({ timeout: patience });
      }, 60_000);
      await stranger.presses('Delete');
      await window.dialog(/Delete the search "How many scans/).waitFor();
      await stranger.presses('Enter');
      await row.waitFor({ state: 'detached' });
      assert.ok(!existsSync(report));
      await stranger.answers('This computer has no bin', 'Undo');
    });
    await row.waitFor();
    assert.deepEqual(readFileSync(report), before);
  });
});

describe('ten tasks of a stranger, by the clicks and keys that they take', () => {
  const models = new HeldModels();
  const settings = {
    'thoughtTree.concurrency': 2,
    'thoughtTree.maxCalls': 12,
    'thoughtTree.model': 'vscode/scripted-1',
    'thoughtTree.openDrawing': 'beside',
  };
  const opened = useWindow({ workspace: copied('stranger'), env: models.env, settings });
  const stranger = new Stranger(() => opened.window);
  const inSearch = (slug: string, file: string): string => join(opened.host.folder ?? '', 'thought-trees', slug, file);
  /** Begins a search by its question alone. */
  const begins = async (question: string): Promise<void> => {
    const { window } = opened;
    await stranger.clicks(window.viewAction('Start Tree Search'));
    await window.page.locator('.quick-input-widget:visible').filter({ hasText: 'What do you want to know' }).waitFor();
    await stranger.types(question);
    await stranger.presses('Enter');
    await window.pickRow(/^Medium/).waitFor();
    await stranger.presses('Enter');
  };
  const callsOf = (slug: string): number =>
    readFileSync(inSearch(slug, '.search/journal.jsonl'), 'utf8').match(/"call-started"/g)?.length ?? 0;

  it('start on a selection: 4', async () => {
    const { window } = opened;
    const { page } = window;
    await window.openContainer('Explorer');
    await window.treeItem('README.md').dblclick();
    await window.tab('README.md').waitFor();
    await page.locator('.part.editor .view-lines').click();
    for (const key of ['Control+Home', 'Shift+ArrowDown', 'Shift+ArrowDown']) await page.keyboard.press(key);
    await stranger.does(4, async () => {
      await stranger.chooses(page.locator('.part.editor .view-line').first(), 'Ask About the Selection…');
      await page.locator('.quick-input-widget:visible').filter({ hasText: 'Ask About README.md:1-2' }).waitFor();
      await stranger.types(ABOUT);
      await stranger.presses('Enter');
      await window.pickRow(/^Small: 20 topics/).waitFor();
      await stranger.presses('Enter');
    });
    await window.treeItem(/^What may fail\?.*, (running|limit|budget)/).waitFor();
    assert.match(readFileSync(inSearch(SLUG, 'search.json'), 'utf8'), /README\.md/);
  });

  it('prune: 2', async () => {
    const { window } = opened;
    await window.treeItem(/^What may fail\?.*limit of \d+ calls reached/).waitFor();
    await stranger.does(2, () => stranger.chooses(window.treeItem('Startup'), 'Prune Branch'));
    await window.treeItem(/^Startup, pruned/).waitFor();
    assert.equal(JSON.parse(readFileSync(inSearch(SLUG, 'startup/node.json'), 'utf8')).status, 'pruned');
  });

  it('add a topic, and a note: 2 each, apart from typing', async () => {
    const { window } = opened;
    await stranger.does(2, async () => {
      await stranger.chooses(window.treeItem(/^What may fail\?/), 'Add to the Tree…');
      await stranger.handsIn('Add a topic', 'A topic of mine');
    });
    await window.treeItem(/^A topic of mine/).waitFor();
    await stranger.does(2, async () => {
      await stranger.chooses(window.treeItem('Network'), 'Add Note…');
      await stranger.handsIn('Note to "Network"', 'Look at timeouts.');
    });
    const journal = (): string => readFileSync(inSearch(SLUG, '.search/journal.jsonl'), 'utf8');
    await until(async () => assert.match(journal(), /"action":"note"/), 60_000);
  });

  it('a note for all of a search: 2, apart from typing, and 2 to change it', async () => {
    const { window } = opened;
    await stranger.does(2, async () => {
      await stranger.chooses(window.treeItem(/^What may fail\?/), 'Add Note…');
      await stranger.handsIn('Note to "What may fail?', 'Only the server matters.');
    });
    const noted = window.treeItem(/^What may fail\?.*Note: Only the server matters\./);
    await noted.filter({ hasText: '✎ Only the server matters.' }).waitFor();
    await stranger.does(2, () => stranger.chooses(noted, 'Edit Note'));
    await window.page.locator('.editor-instance .view-lines', { hasText: 'Only the server matters.' }).waitFor();
    await window.page.keyboard.type('Mind this: ');
    await window.command('File: Save');
    await window.treeItem(/^What may fail\?.*Note: Mind this: Only the server matters\./).waitFor();
    await window.command('View: Close Editor');
  });

  it('expand next: 1', async () => {
    const { window } = opened;
    const journal = (): string => readFileSync(inSearch(SLUG, '.search/journal.jsonl'), 'utf8');
    await stranger.does(1, () => stranger.acts(window.treeItem(/^A topic of mine/), 'Expand Next'));
    // It goes on for that, as far as its limit lets it.
    await until(async () => assert.match(journal(), /"action":"expand"[\s\S]*"search-paused"/), 60_000);
    await window.treeItem(/^What may fail\?.*limit of \d+ calls reached/).waitFor();
  });

  it('raise a limit an hour later, when the notice about it is gone: 2', async () => {
    const { window } = opened;
    await window.command('Notifications: Clear All Notifications');
    const before = callsOf(SLUG);
    await stranger.does(2, async () => {
      await stranger.clicks(window.statusBarItem(/12 calls/));
      await stranger.picks(/Raise to \d+ calls/i);
    });
    await until(async () => assert.ok(callsOf(SLUG) > before), 60_000);
    await window.treeItem(/^What may fail\?.*(limit of \d+ calls reached|finished)/).waitFor();
  });

  it('go on with another model at a limit: 2', async () => {
    const { window } = opened;
    await startResearch(window, OTHER);
    const row = window.treeItem(/^How does the server protect itself\?, limit of \d+ calls reached/);
    await row.waitFor();
    assert.equal(await window.notification(OTHER).count(), 0, 'the banner of the drawing says so');
    const page = await shows(window, '.notice:has-text("another model")');
    await stranger.does(2, async () => {
      await stranger.clicks(page.getByRole('button', { name: 'Resume with another model…' }));
      await stranger.picks('No model: quotes');
    });
    await row.waitFor({ state: 'detached' });
    await window.treeItem(/^How does the server protect itself\?, (finished|limit)/).waitFor();
    const journal = readFileSync(inSearch('how-does-the-server-protect-itself', '.search/journal.jsonl'), 'utf8');
    assert.match(journal, /"model":"workspace\/quotes"/);
  });

  it('find a sentence in any document: 3', async () => {
    const { window } = opened;
    const { page } = window;
    const found = page.locator('.search-editor .view-line').filter({ hasText: 'wrote this about Storage.' });
    await stranger.does(3, async () => {
      await stranger.clicks(window.viewAction('Find in Documents…'));
      await page.locator('.search-editor .query-container').waitFor();
      await stranger.types('wrote this about Storage.');
      await found.first().waitFor();
      await stranger.doubleClicks(found.first());
    });
    const shown = { name: /^(?:storage|Report: )/, selected: true };
    await page.locator('.part.editor').getByRole('tab', shown).waitFor();
  });

  it('compare the reports of two runs: 3', async () => {
    const { window } = opened;
    await window.openContainer('Thought Tree');
    await stranger.does(3, async () => {
      await stranger.chooses(window.treeItem(/^How does the server protect itself\?, /), 'Compare With…');
      await stranger.picks(ABOUT);
    });
    await shows(window, 'h1:has-text("compared with")');
    await window.command('View: Close All Editors');
  });

  it('limit the list of searches to a state: 3, and see every one again: 2', async () => {
    const { window } = opened;
    const others = window.treeItem(/^What may fail\?/);
    await others.waitFor();
    const entry = window.page.getByRole('menuitem', { name: 'Filter, Group and Sort…' });
    await stranger.does(3, async () => {
      await stranger.clicks(window.viewAction('Views and More Actions'));
      await stranger.clicks(entry);
      // For its first 100 ms a menu accepts no click.
      await until(async (patience) => {
        if (await entry.isVisible()) await entry.click({ timeout: patience + 1000 });
        await window.pickRow('Every search').waitFor({ timeout: patience + 1000 });
      }, 60_000);
      await stranger.picks(/Finished|Paused or interrupted/);
    });
    const said = window.page.locator('.part.sidebar .message').filter({ hasText: /only: \d+ of 2 searches/ });
    await said.waitFor();
    await stranger.does(2, async () => {
      await stranger.clicks(window.viewAction('Filter, Group and Sort…'));
      await stranger.picks('Every search');
    });
    await said.waitFor({ state: 'hidden' });
    await others.waitFor();
  });

  it('share it as HTML: 2', async () => {
    const { window } = opened;
    const row = window.treeItem(/^How does the server protect itself\?, /);
    await stranger.does(2, () => stranger.chooses(row, 'Save as HTML…'));
    await window.notification('is saved as').waitFor();
    const file = join(opened.host.folder ?? '', 'how-does-the-server-protect-itself.html');
    assert.ok(existsSync(file), file);
    assert.match(readFileSync(file, 'utf8'), /<svg [\s\S]*wrote this about Storage/);
  });

  it('solve a puzzle: 3, and take its answer: 1', async () => {
    const { window } = opened;
    await window.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await stranger.does(3, () => begins(PUZZLE));
    const page = await shows(window, '.verdict.solved');
    await stranger.does(1, () => stranger.clicks(page.getByRole('button', { name: /Copy/ }).first()));
    const taken = async () => String(await window.page.evaluate('navigator.clipboard.readText()'));
    await until(async () => assert.match(await taken(), /= 24$/), 60_000);
  });

  it('begin an investigation: 3', async () => {
    const { window } = opened;
    await stranger.does(3, () => begins('Why do some requests fail?'));
    await window.treeItem(/^Why do some requests fail\?, /).waitFor();
    const { kind } = JSON.parse(readFileSync(inSearch('why-do-some-requests-fail', 'search.json'), 'utf8'));
    assert.equal(kind, 'investigation');
  });

  it('begin a search in the chat: 2', async () => {
    const chat = new ChatView(opened.window);
    await stranger.does(2, async () => {
      await chat.askFirst('@tree /start What limits requests?', () => stranger.presses('Enter'));
      await stranger.clicks(chat.button(/^Allow/));
    });
    await chat.answered(/What limits requests\?.* calls/);
    await until(async () => assert.ok(existsSync(inSearch('what-limits-requests', 'search.json'))), 60_000);
    await opened.window.openContainer('Thought Tree');
  });

  it('find the answer: 1', async () => {
    const { window } = opened;
    await window.command('View: Close All Editors');
    await stranger.does(1, () => stranger.acts(window.treeItem(/^4 9 10 13, solved/), 'Open Report'));
    const page = await shows(window, 'h1');
    const beginning = async () => ((await page.locator('body').textContent()) ?? '').slice(0, 2000);
    await until(async () => assert.match(await beginning(), /= 24/), 60_000);
  });

  it('resume after a reload: 1', async () => {
    const { window } = opened;
    await window.command('Notifications: Clear All Notifications');
    // Until it is resumed, so that the reload meets a search at work.
    models.hold(/"(Storage|Network|Startup)"/);
    await startResearch(window, 'What is stored?');
    await window.treeItem(/^What is stored\?, running/).waitFor();
    await window
      .treeItem(/^Storage, in progress/)
      .first()
      .waitFor();
    await window.reload();
    models.release();
    await stranger.does(1, () => stranger.answers('What is stored?', 'Resume'));
    await window.treeItem(/^What is stored\?, (running|limit of \d+ calls reached|finished)/).waitFor();
  });
});

describe('a change of their own files by a stranger, by the clicks and keys that it takes', () => {
  const workspace = copied('work');
  const git = (...args: string[]): string => {
    const identity = ['-c', 'user.name=me', '-c', 'user.email=me@example.org', '-c', 'commit.gpgsign=false'];
    return execFileSync('git', [...identity, ...args], { cwd: workspace, encoding: 'utf8' });
  };
  const PLAN = `goal: A farewell in English
base_case: [{ item: It is said, check: { command: grep -q bye farewell.txt } }]
atoms: [{ id: A1, title: Say it, run: echo bye > farewell.txt, touches: [farewell.txt] }]
`;
  before(() => {
    writeFileSync(join(workspace, 'farewell.plan.yaml'), PLAN);
    writeFileSync(join(workspace, '.gitignore'), 'thought-trees/\n');
    git('init', '-q', '-b', 'main');
    git('add', '.');
    git('commit', '-q', '-m', 'First');
  });
  const env = { XDG_STATE_HOME: temporaryFolder('work-state') };
  const opened = useWindow({ folder: workspace, env, settings: { 'thoughtTree.model': 'vscode/scripted-1' } });
  const stranger = new Stranger(() => opened.window);
  const file = join(workspace, 'farewell.txt');

  it('from a plan to accepted files: 4, with one yes to its commands and one to what is written', async () => {
    const { window } = opened;
    await window.openContainer('Explorer');
    await stranger.does(4, async () => {
      await stranger.chooses(window.treeItem('farewell.plan.yaml'), 'Start from This Plan…');
      const consent = window.dialog(/to run 2 commands/).filter({ hasText: 'vscode/scripted-1: about' });
      await consent.filter({ hasText: 'echo bye > farewell.txt' }).waitFor();
      await stranger.clicks(consent.getByRole('button', { name: 'Run Them' }));
      await window.notification('Accepting writes farewell.txt in your folder').waitFor();
      assert.ok(!existsSync(file), 'nothing is written before that yes');
      await stranger.answers('Accepting writes farewell.txt', 'Accept Changes');
      await window.notification(/Accepted: 1 file/).waitFor();
    });
    assert.equal(readFileSync(file, 'utf8'), 'bye\n');
    assert.equal(git('diff', '--cached', '--name-only'), '');
  });

  it('and back: 2', async () => {
    await stranger.does(2, async () => {
      await stranger.answers('Accepted: 1 file', 'Undo');
      await stranger.clicks(opened.window.dialog(/Undo accepting/).getByRole('button', { name: 'Undo' }));
    });
    await until(async () => assert.ok(!existsSync(file)), 60_000);
  });
});

/** Waits until a page in the window, of several that may be open, has an element in sight. */
async function shows(window: Workbench, selector: string): Promise<Frame> {
  for (const end = Date.now() + 150_000; Date.now() < end; ) {
    for (const frame of window.page.frames())
      if (
        await frame
          .locator(selector)
          .first()
          .isVisible()
          .catch(() => false)
      )
        return frame;
    await window.page.waitForTimeout(100);
  }
  throw new Error(`Nothing shows ${selector}`);
}
