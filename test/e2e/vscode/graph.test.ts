import assert from 'node:assert/strict';
import { cpSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { FrameLocator } from 'playwright-core';
import { until } from '../../host/until.ts';
import { startScriptedServer } from '../../support/servers/scripted-server.ts';
import { scriptedTree } from '../../support/servers/server-tree.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { type RunningCli, startCli } from '../cli/run-cli.ts';
import { HeldModels } from './support/held-models.ts';
import { savePicture } from './support/save-picture.ts';
import { writeScoredSearch } from './support/scored-search.ts';
import { startResearch } from './support/start-search.ts';
import { useWindow } from './support/use-window.ts';

const workspace = temporaryFolder('graph');
cpSync(join(import.meta.dirname, '../../host/sample-workspace'), workspace, { recursive: true });
writeScoredSearch(join(workspace, 'thought-trees/make-24'));

const QUESTION = 'How does the server protect itself?';
const elsewhere = scriptedTree({ fanout: (_path, depth) => [3, 2][depth] ?? 0, documentWords: 20 });

describe('the panel in the editor', () => {
  const models = new HeldModels();
  const opened = useWindow({ workspace, env: models.env, settings: { 'thoughtTree.model': 'vscode/scripted-1' } });
  let terminal: RunningCli | undefined;
  let server: Awaited<ReturnType<typeof startScriptedServer>> | undefined;

  after(async () => {
    terminal?.child.kill('SIGKILL');
    await terminal?.end;
    await server?.close();
  });

  /** Opens the panel of a search from the sidebar, in a window without other editors. */
  async function openPanel(row: RegExp): Promise<FrameLocator> {
    const { window } = opened;
    await window.command('View: Close All Editors');
    await window.openContainer('Thought Tree');
    await window.rowAction(window.treeItem(row), 'Open Thought Tree');
    return await window.webview('canvas');
  }

  async function press(frame: FrameLocator, ...keys: string[]): Promise<void> {
    await frame.locator('canvas').focus();
    for (const key of keys) await opened.window.page.keyboard.press(key);
  }

  it('shows scores, their components, and the outcome of each thought', async () => {
    const { window } = opened;
    const frame = await openPanel(/^Make 24 of 4 9 10 13,/);
    await frame.locator('h1', { hasText: 'Make 24 of 4 9 10 13' }).waitFor();
    const line = frame.locator('.inspector .status-line');
    await press(frame, 'Home', 'ArrowRight');
    await line.filter({ hasText: '9.2 of 10 (90 % sure)' }).waitFor();
    await frame.locator('.votes', { hasText: 'Votes: 8.5, 9.5, 9.6 · spread 1.1' }).waitFor();
    assert.deepEqual(await frame.locator('.dimensions dt').allTextContents(), ['progress', 'likelihood of success']);
    await savePicture(window, 'panel-scores');
    await press(frame, 'ArrowDown', 'ArrowDown');
    await line.filter({ hasText: 'open (good enough, not kept)' }).waitFor();
    await frame.locator('.low-confidence').waitFor();
    await press(frame, 'ArrowDown');
    await line.filter({ hasText: 'pruned (its score is too low)' }).waitFor();
    await press(frame, 'Home', 'ArrowRight', 'ArrowRight');
    await line.filter({ hasText: 'leaf (a solution)' }).waitFor();
    await press(frame, 'ArrowDown');
    await line.filter({ hasText: 'leaf (merged)' }).waitFor();
    await frame.locator('.same-as .link', { hasText: '10 - 4 = 6' }).click();
    await line.filter({ hasText: '9.2 of 10' }).waitFor();
  });

  it('says that its search is gone, and draws it again if it comes back', async () => {
    const { host } = opened;
    const frame = await openPanel(/^Make 24 of 4 9 10 13,/);
    await frame.locator('h1', { hasText: 'Make 24 of 4 9 10 13' }).waitFor();
    const folder = join(host.folder ?? '', 'thought-trees/make-24');
    renameSync(folder, `${folder}-away`);
    rmSync(join(`${folder}-away`, 'search.json'));
    await frame.getByText('This search is no longer there.').waitFor();
    cpSync(join(workspace, 'thought-trees/make-24'), folder, { recursive: true });
    await frame.locator('h1', { hasText: 'Make 24 of 4 9 10 13' }).waitFor();
    await frame.getByText('This search is no longer there.').waitFor({ state: 'hidden' });
    await press(frame, 'Home', 'ArrowRight');
    await frame.locator('.inspector .status-line').filter({ hasText: '9.2 of 10 (90 % sure)' }).waitFor();
  });

  it('is moved and zoomed by a pointer, and saves what it shows as SVG', async () => {
    const { window, host } = opened;
    const frame = await window.webview('canvas');
    await press(frame, 'Home', 'ArrowRight');
    const before = await placeOfSelected(frame);
    const canvas = await frame.locator('canvas').boundingBox();
    assert.ok(canvas);
    const { mouse } = window.page;
    const corner = [canvas.x + canvas.width - 60, canvas.y + canvas.height - 12] as const;
    await mouse.move(...corner);
    await mouse.down();
    await mouse.move(corner[0] + 40, corner[1] - 30, { steps: 6 });
    await mouse.up();
    const dragged = await placeOfSelected(frame);
    assert.deepEqual([dragged.x - before.x, dragged.y - before.y], [40, -30]);
    await mouse.move(canvas.x + 2, canvas.y + 2);
    await window.page.keyboard.down('Control');
    await mouse.wheel(0, 120);
    await window.page.keyboard.up('Control');
    assert.ok((await placeOfSelected(frame)).y < dragged.y, 'farther away, it is nearer to the corner');
    await frame.getByRole('button', { name: 'Save as SVG' }).click();
    const file = join(host.folder ?? '', 'make-24.svg');
    await until(async () => assert.match(readFileSync(file, 'utf8'), /<\/svg>\n$/), 60_000);
    const svg = readFileSync(file, 'utf8');
    assert.ok(svg.startsWith('<svg xmlns="http://www.w3.org/2000/svg"'));
    assert.match(svg, /6 \* 4 = 24/);
    await window.notification('is saved as make-24.svg.').waitFor();
  });

  /** Where the selected node comes to rest. */
  async function placeOfSelected(frame: FrameLocator): Promise<{ x: number; y: number }> {
    let before = await placeNow(frame);
    for (;;) {
      const now = await placeNow(frame);
      if (now.x === before.x && now.y === before.y) return now;
      before = now;
    }
  }

  /** The position of the selected node, next to which its menu opens. */
  async function placeNow(frame: FrameLocator): Promise<{ x: number; y: number }> {
    await press(frame, 'Shift+F10');
    const menu = frame.locator('.menu');
    await menu.waitFor();
    const { x, y } = (await menu.boundingBox()) ?? assert.fail();
    await opened.window.page.keyboard.press('Escape');
    await menu.waitFor({ state: 'detached' });
    return { x: Math.round(x), y: Math.round(y) };
  }

  it('opens a file that a document links to, at its line, and nothing outside of the folder', async () => {
    const { window } = opened;
    const frame = await window.webview('canvas');
    await frame.locator('.document a', { hasText: 'a secret' }).click();
    await window.statusBarItem('This link does not lead to a file in the workspace').waitFor();
    await frame.locator('.document a', { hasText: 'the cache' }).click();
    await window.tab('cache.js').waitFor();
    await window.statusBarItem('Ln 3, Col 1').waitFor();
  });

  it('draws a search while it runs, and shows a node on its way from open to done', async () => {
    const { window } = opened;
    models.hold(/"(Network|Startup)"/);
    await startResearch(window, QUESTION);
    await window.treeItem(/^Network, in progress/).waitFor();
    const frame = await openPanel(/^How does the server protect itself\?, running/);
    await frame.locator('.state', { hasText: 'running' }).waitFor();
    await frame.getByRole('button', { name: /^Current work/ }).click();
    await frame.locator('.slot', { hasText: 'Network writing the document' }).click();
    await frame.locator('.inspector .status-line', { hasText: 'in progress' }).waitFor();
    models.hold(/"Startup"/);
    await frame.locator('.inspector .status-line', { hasText: 'expanded' }).waitFor();
    await frame.locator('.document', { hasText: 'wrote this about Network' }).waitFor();
    await frame.locator('.calls summary', { hasText: 'writing the document' }).first().click();
    await frame.locator('.exchange pre', { hasText: 'Write the document on' }).first().waitFor();
  });

  it('says so if it fails, and is reloaded while the search continues', async () => {
    const { window } = opened;
    const frame = await window.webview('canvas');
    await frame.locator('body').evaluate(() => {
      const data = { type: 'snapshot', seq: 0, folder: '', search: {}, nodes: [] };
      const page = globalThis as unknown as { postMessage(message: unknown): void };
      page.postMessage(data);
    });
    await frame.getByRole('alert').filter({ hasText: 'The search itself is not affected' }).waitFor();
    await window.treeItem(/^How does the server protect itself\?, running/).waitFor();
    await frame.getByRole('button', { name: 'Reload the panel' }).click();
    const again = await window.webview('canvas');
    await again.locator('.state', { hasText: 'running' }).waitFor();
    await again.getByRole('button', { name: /^Current work/ }).click();
    await again.locator('.slot', { hasText: 'Startup' }).first().waitFor();
    await window.page.keyboard.press('Escape');
  });

  it('prunes a branch from the panel', async () => {
    const frame = await opened.window.webview('canvas');
    await press(frame, 'Home', 'ArrowRight', 'ArrowDown');
    await frame.locator('.inspector h2', { hasText: 'Network' }).waitFor();
    await press(frame, 'Delete');
    await frame.locator('.inspector .status-line', { hasText: 'pruned (by hand)' }).waitFor();
    await frame.getByRole('button', { name: 'Restore branch' }).waitFor();
    await opened.window.treeItem(/^Network, pruned/).waitFor();
    // The sidebar's selection follows, and the focus stays in the drawing.
    await opened.window.page.locator('[role=treeitem][aria-selected=true][aria-label^="Network"]').waitFor();
    assert.equal(await frame.locator('canvas').evaluate((element) => element.ownerDocument.hasFocus()), true);
  });

  it('is the same view after the window was reloaded', async () => {
    const { window } = opened;
    const before = await window.webview('canvas');
    await before.getByRole('button', { name: 'Filters and legend' }).click();
    await before.getByLabel('Levels').selectOption('1');
    await before.getByRole('button', { name: 'failed' }).click();
    models.release();
    await before.locator('.state', { hasText: /finished|paused/ }).waitFor();
    // This way of reloading writes down first what is kept; a browser's own can be quicker than that.
    await Promise.all([window.page.waitForEvent('load'), window.command('Developer: Reload Window')]);
    const after = await window.webview('canvas');
    await after.locator('.inspector h2', { hasText: 'Network' }).waitFor();
    await after.getByRole('button', { name: 'Filters and legend, 1 filter on' }).click();
    assert.equal(await after.getByLabel('Levels').inputValue(), '1');
    assert.equal(await after.getByRole('button', { name: 'failed' }).getAttribute('aria-pressed'), 'true');
    await after.locator('.inspector .status-line', { hasText: 'pruned (by hand)' }).waitFor();
  });

  it('follows and steers a search that another process runs', async () => {
    const gate = Promise.withResolvers<void>();
    server = await startScriptedServer({
      answer: async function* (call) {
        if (call.purpose === 'document') await gate.promise;
        yield elsewhere.answer(call);
      },
    });
    const env = { THOUGHT_TREE_BASE_URL: server.baseUrl, THOUGHT_TREE_MODEL: 'openai-compatible/m' };
    const cwd = opened.host.folder ?? '';
    terminal = startCli(['start', 'Why is it slow?', '--size', 'small'], { cwd, env });
    const frame = await openPanel(/^Why is it slow\?, running/);
    await frame.getByRole('button', { name: /^Current work/ }).click();
    await frame.locator('.slot', { hasText: 'writing the document' }).first().waitFor();
    await press(frame, 'Home', 'ArrowRight', 'ArrowDown', 'ArrowDown');
    await press(frame, 'Delete');
    await frame.locator('.inspector .status-line', { hasText: 'pruned (by hand)' }).waitFor();
    gate.resolve();
    await frame.locator('.state', { hasText: 'finished' }).waitFor();
    assert.equal((await terminal.end).code, 0);
  });
});
