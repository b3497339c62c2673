import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import type { JournalEvent } from '../../../src/core/search/events.ts';
import { until } from '../../host/until.ts';
import { startScriptedServer } from '../../support/servers/scripted-server.ts';
import { scriptedTree } from '../../support/servers/server-tree.ts';
import { type RunningCli, startCli } from '../cli/run-cli.ts';
import { useWindow } from './support/use-window.ts';

const tree = scriptedTree({ fanout: (_path, depth) => [6, 9, 9, 9][depth] ?? 0, documentWords: 20 });
const titles = tree.titlesOf('');
const slugOf = (title: string): string => title.toLowerCase().replaceAll(' ', '-');
const [SELECTED = '', PRUNED = '', NOTED = '', GROWN = '', REWRITTEN = '', FAILED = ''] = titles;
const QUESTION = 'Which row is meant?';
const WITHIN = 150_000;
const REDRAWS = 10;

describe('a menu of a row that is held open while its search runs', () => {
  const opened = useWindow();
  let terminal: RunningCli | undefined;
  let server: Awaited<ReturnType<typeof startScriptedServer>> | undefined;

  after(async () => {
    terminal?.child.kill('SIGKILL');
    await terminal?.end;
    await server?.close();
  });

  const steered = () => {
    const file = join(opened.host.folder ?? '', 'thought-trees/which-row-is-meant/.search/journal.jsonl');
    const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
    return lines
      .map((line) => JSON.parse(line) as JournalEvent)
      .filter((event): event is Extract<JournalEvent, { type: 'steered' }> => event.type === 'steered');
  };
  const searchRow = (): Locator => opened.window.treeItem(/^Which row is meant\?, running/);
  const tryAgain = (): Locator => opened.window.notification('Try again.');

  /** Opens the menu of a row while another one is selected, and chooses an entry after ten redraws of the list. */
  async function choose(row: Locator, label: string): Promise<void> {
    const { window } = opened;
    const { page } = window;
    await window.command('Notifications: Clear All Notifications');
    const entry = page.locator('.monaco-menu .action-label', { hasText: label }).first();
    await until(async (patience) => {
      // A try before may have left its menu open, which takes every click.
      await page.keyboard.press('Escape');
      await window.treeItem(SELECTED).click({ timeout: 2 * patience });
      await row.click({ button: 'right', timeout: 2 * patience });
      await entry.waitFor({ timeout: 2 * patience });
      for (let seen = 0, before = ''; seen <= REDRAWS; seen++) {
        const shown = before;
        await until(async () => {
          before = (await searchRow().getAttribute('aria-label', { timeout: 2 * patience })) ?? '';
          assert.notEqual(before, shown);
        }, 4 * patience);
        assert.ok(await entry.isVisible(), 'something closed the menu');
      }
      await entry.click({ timeout: 2 * patience });
      await entry.waitFor({ state: 'hidden', timeout: 2 * patience });
    }, WITHIN);
  }

  /** Waits until something was done to a node, or it was said that nothing was. */
  async function outcome(action: string, node: string | undefined): Promise<void> {
    await until(async () => {
      const done = steered().filter((event) => event.action === action);
      for (const each of done) assert.equal(each.node, node);
      if (done.length === 0) assert.ok(await tryAgain().isVisible(), `nothing is told of ${action}`);
    }, WITHIN);
  }

  it('has rows that are drawn again and again', async () => {
    const { window, host } = opened;
    server = await startScriptedServer({
      answer: tree.answer,
      latencyMs: 300,
      fault: (call) => (call.node === slugOf(FAILED) ? '400' : undefined),
    });
    const env = { THOUGHT_TREE_BASE_URL: server.baseUrl, THOUGHT_TREE_MODEL: 'openai-compatible/m' };
    const args = [
      'start',
      QUESTION,
      '--size',
      'all',
      '--concurrency',
      '2',
      '--max-tokens',
      '900000000',
      '--max-calls',
      '100000',
    ];
    terminal = startCli(args, { cwd: host.folder ?? '', env });
    await window.openContainer('Thought Tree');
    await searchRow().waitFor();
    await window.treeItem(new RegExp(`^${FAILED}, failed`)).waitFor();
  });

  for (const [action, title, label] of [
    ['prune', PRUNED, 'Prune Branch'],
    ['retry', FAILED, 'Retry'],
    ['redo', REWRITTEN, 'Rewrite Document'],
    ['restore', PRUNED, 'Restore Branch'],
  ] as const)
    it(`does its row or nothing: ${label}`, async () => {
      await choose(opened.window.treeItem(title), label);
      await outcome(action, slugOf(title));
    });

  for (const [action, title, label] of [
    ['note', NOTED, 'Add Note…'],
    ['add', GROWN, 'Add Topic…'],
  ] as const)
    it(`does its row or nothing: ${label}`, async () => {
      const { window } = opened;
      await choose(window.treeItem(title), label);
      await until(async (patience) => {
        if (await tryAgain().isVisible()) return;
        await window.input.fill('What a person wants to know', { timeout: patience });
        await window.input.press('Enter');
      }, WITHIN);
      await outcome(action, slugOf(title));
    });

  it('does its search or nothing: Delete Search…', async () => {
    const { window } = opened;
    await choose(searchRow(), 'Delete Search…');
    const dialog = window.dialog(/Delete the search/);
    await dialog.or(tryAgain()).first().waitFor();
    if (await dialog.isVisible()) {
      assert.match((await dialog.textContent()) ?? '', /Delete the search "Which row is meant\?"/);
      await window.page.keyboard.press('Escape');
    }
  });

  it('does its search or nothing: Pause', async () => {
    await choose(searchRow(), 'Pause');
    await outcome('pause', undefined);
    assert.ok(
      steered().every(({ node }) => node === undefined || node !== slugOf(SELECTED)),
      'the selected row',
    );
  });
});
