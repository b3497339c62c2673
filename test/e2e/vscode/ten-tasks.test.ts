import assert from 'node:assert/strict';
import { cpSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame } from 'playwright-core';
import { until } from '../../host/until.ts';
import type { Workbench } from '../../host/workbench.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { HeldModels } from './support/held-models.ts';
import { startResearch } from './support/start-search.ts';
import { Stranger } from './support/stranger.ts';
import { useWindow } from './support/use-window.ts';

const workspace = temporaryFolder('stranger');
cpSync(join(import.meta.dirname, '../../host/sample-workspace'), workspace, { recursive: true });

const ABOUT = 'What may fail?';
const SLUG = 'what-may-fail-readme-md-1-2';
const OTHER = 'How does the server protect itself?';
const PUZZLE = '4 9 10 13';

describe('ten tasks of a stranger, by the clicks and keys that they take', () => {
  const models = new HeldModels();
  const settings = {
    'thoughtTree.concurrency': 2,
    'thoughtTree.maxCalls': 12,
    'thoughtTree.model': 'vscode/scripted-1',
    'thoughtTree.openDrawing': 'beside',
  };
  const opened = useWindow({ workspace, env: models.env, settings });
  const stranger = new Stranger(() => opened.window);
  const inSearch = (slug: string, file: string): string => join(opened.host.folder ?? '', 'thought-trees', slug, file);
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

  it('raise a limit an hour later, when the notice about it is gone: 2', async () => {
    const { window } = opened;
    await window.command('Notifications: Clear All Notifications');
    const before = callsOf(SLUG);
    await stranger.does(2, async () => {
      await stranger.clicks(window.statusBarItem(/12 calls/));
      await stranger.picks(/Raise to \d+ calls/i);
    });
    await window.notification('What may fail?').waitFor();
    assert.ok(callsOf(SLUG) > before);
  });

  it('switch the model: 4', async () => {
    const { window } = opened;
    await startResearch(window, OTHER);
    await window.notification(`"${OTHER}" has reached its budget`).waitFor();
    await window.command('Notifications: Clear All Notifications');
    await stranger.does(4, async () => {
      await stranger.chooses(window.treeItem(/^How does the server protect itself\?, /), 'Resume with Another Model…');
      await stranger.picks('No model: quotes');
    });
    await window.notification(`"${OTHER}"`).waitFor();
    const journal = readFileSync(inSearch('how-does-the-server-protect-itself', '.search/journal.jsonl'), 'utf8');
    assert.match(journal, /"model":"workspace\/quotes"/);
  });

  it('find a sentence in any document: 3', async () => {
    const { window } = opened;
    const { page } = window;
    await stranger.does(3, async () => {
      await stranger.clicks(window.viewAction('Find in Documents…'));
      await page.locator('.search-view .file-types.includes').waitFor();
      await stranger.types('wrote this about Storage.');
      await stranger.presses('Enter');
      await stranger.clicks(page.locator('.search-view .monaco-list-row').filter({ hasText: 'wrote this' }).first());
    });
    await shows(window, 'p:has-text("wrote this about Storage.")');
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

  it('share it as HTML: 3', async () => {
    const { window } = opened;
    await stranger.does(3, async () => {
      await stranger.chooses(window.treeItem(/^How does the server protect itself\?, /), 'Save as HTML…');
      await stranger.clicks(window.page.locator('.quick-input-widget').getByRole('button', { name: 'OK' }));
    });
    await window.notification('is saved as').waitFor();
    const file = join(opened.host.folder ?? '', 'how-does-the-server-protect-itself.html');
    assert.ok(existsSync(file), file);
    assert.match(readFileSync(file, 'utf8'), /<svg [\s\S]*wrote this about Storage/);
  });

  it('take the answer of a solved puzzle: 1', async () => {
    const { window } = opened;
    await window.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await window.command('Thought Tree: Solve a Problem');
    await window.answer('What is the problem', PUZZLE);
    await window.pick('Game of 24');
    await window.pick(/^Medium/);
    const page = await shows(window, '.verdict.solved');
    await stranger.does(1, () => stranger.clicks(page.getByRole('button', { name: /Copy/ }).first()));
    const taken = async () => String(await window.page.evaluate('navigator.clipboard.readText()'));
    await until(async () => assert.match(await taken(), /= 24$/), 60_000);
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
