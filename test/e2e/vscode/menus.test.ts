import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import type { JournalEvent } from '../../../src/core/search/events.ts';
import { childSlug } from '../../../src/core/tree/slug.ts';
import { escaped } from '../../host/texts.ts';
import { until } from '../../host/until.ts';
import { startScriptedServer } from '../../support/servers/scripted-server.ts';
import { scriptedTree } from '../../support/servers/server-tree.ts';
import { type RunningCli, startCli } from '../cli/run-cli.ts';
import { useWindow } from './support/use-window.ts';

const slugOf = (title: string): string => title.toLowerCase().replaceAll(' ', '-');
const tree = scriptedTree({
  // A leaf stays one until it is expanded.
  fanout: (path, depth) => (depth > 0 && path === slugOf(LEAF) ? 0 : ([7, 9, 9, 9][depth] ?? 0)),
  documentWords: 20,
});
const titles = tree.titlesOf('');
const [SELECTED = '', PRUNED = '', NOTED = '', GROWN = '', REWRITTEN = '', FAILED = '', LEAF = ''] = titles;
const QUESTION = 'Which row is meant?';
/** It rests at its limit, so that it can be raised. */
const AT_LIMIT = 'Which one has used up its calls?';
/** It runs while the first one is paused, so that the list is drawn anew. */
const OTHER = 'Which one runs beside it?';
const MODEL = 'openai-compatible/m';
const WITHIN = 150_000;
const REDRAWS = 10;

describe('a menu of a row that is held open while its search runs', () => {
  const settings: Record<string, unknown> = { 'thoughtTree.model': MODEL };
  const terminals: RunningCli[] = [];
  let server: Awaited<ReturnType<typeof startScriptedServer>> | undefined;

  before(async () => {
    server = await startScriptedServer({
      answer: tree.answer,
      latencyMs: 600,
      fault: (call) => (call.node === slugOf(FAILED) ? '400' : undefined),
    });
    settings['thoughtTree.baseUrl'] = server.baseUrl;
  });
  const opened = useWindow({ settings });
  after(async () => {
    for (const { child, end } of terminals) {
      child.kill('SIGKILL');
      await end;
    }
    await server?.close();
  });

  /** Begins a search in a terminal, as the person who uses the window. */
  function begin(question: string, ...flags: readonly string[]): RunningCli {
    const env = {
      THOUGHT_TREE_BASE_URL: server?.baseUrl ?? '',
      THOUGHT_TREE_MODEL: MODEL,
      XDG_STATE_HOME: join(opened.host.temporary, 'home/.local/state'),
    };
    const args = ['start', question, '--size', 'all', '--concurrency', '2', '--max-tokens', '900000000', ...flags];
    const terminal = startCli(args, { cwd: opened.host.folder ?? '', env });
    terminals.push(terminal);
    return terminal;
  }
  function eventsOf<T extends JournalEvent['type']>(type: T, question = QUESTION) {
    const slug = childSlug(question, '', new Set());
    const file = join(opened.host.folder ?? '', `thought-trees/${slug}/.search/journal.jsonl`);
    const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
    const events = lines.map((line) => JSON.parse(line) as JournalEvent);
    return events.filter((event): event is Extract<JournalEvent, { type: T }> => event.type === type);
  }
  const steered = (question = QUESTION) => eventsOf('steered', question);
  const running = (question: string): Locator => opened.window.treeItem(new RegExp(`^${escaped(question)}, running`));
  const paused = (question: string): Locator => opened.window.treeItem(new RegExp(`^${escaped(question)}, paused`));
  const searchRow = (): Locator => running(QUESTION);
  const tryAgain = (): Locator => opened.window.notification('Try again.');

  /**
   * Opens the menu of a row while another one is selected, and chooses an entry after ten redraws of the list.
   * @param moving the row by which they are counted
   */
  async function choose(row: Locator, label: string, moving = searchRow()): Promise<void> {
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
          before = (await moving.getAttribute('aria-label', { timeout: 2 * patience })) ?? '';
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
    const { window } = opened;
    begin(QUESTION, '--max-calls', '100000');
    await window.openContainer('Thought Tree');
    await searchRow().waitFor();
    await window.treeItem(new RegExp(`^${FAILED}, failed`)).waitFor();
  });

  for (const [action, title, label] of [
    ['prune', PRUNED, 'Prune Branch'],
    ['expand', LEAF, 'Expand Next'],
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
    ['add', GROWN, 'Add to the Tree…'],
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

  it('does its row or nothing: Rename…', async () => {
    const { window } = opened;
    await choose(window.treeItem(LEAF), 'Rename…');
    const asked = window.page.locator('.quick-input-widget:visible', { hasText: 'Rename "' });
    await asked.or(tryAgain()).first().waitFor();
    if (!(await asked.isVisible())) return;
    assert.match((await asked.textContent()) ?? '', new RegExp(`Rename "${escaped(LEAF)}"`));
    await window.page.keyboard.press('Escape');
  });

  it('does its search or nothing: Extend Search…', async () => {
    const { window } = opened;
    await choose(searchRow(), 'Extend Search…');
    const deeper = window.pickRow('One level deeper');
    await deeper.or(tryAgain()).first().waitFor();
    if (await deeper.isVisible()) {
      const asked = window.page.locator('.quick-input-widget:visible');
      assert.match((await asked.textContent()) ?? '', /Which row is meant\?/);
      await window.pick('One level deeper');
    }
    await outcome('grow', undefined);
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

  it('does its search or nothing: Raise Limit and Continue', async () => {
    await begin(AT_LIMIT, '--max-calls', '4').end;
    const row = opened.window.treeItem(new RegExp(`^${escaped(AT_LIMIT)},`));
    await row.waitFor();
    const before = steered().length;
    await choose(row, 'Raise Limit and Continue');
    // The row names no figure, and its size needs more than twice as many.
    const dialog = opened.window.dialog(new RegExp(escaped(AT_LIMIT)));
    await dialog.or(tryAgain()).first().waitFor();
    if (await dialog.isVisible()) await dialog.getByRole('button', { name: /^Raise to / }).click();
    await until(async () => {
      if (!(await tryAgain().isVisible())) assert.ok(steered(AT_LIMIT).some(({ action }) => action === 'grow'));
    }, WITHIN);
    assert.equal(steered().length, before, 'the search that the selected row belongs to');
  });

  it('does its search or nothing: Pause', async () => {
    await choose(searchRow(), 'Pause');
    await outcome('pause', undefined);
    assert.ok(
      steered().every(({ node }) => node === undefined || node !== slugOf(SELECTED)),
      'the selected row',
    );
  });

  it('does its search or nothing: Resume', async () => {
    if (!steered().some(({ action }) => action === 'pause')) await opened.window.contextMenu(searchRow(), 'Pause');
    await paused(QUESTION).waitFor();
    begin(OTHER, '--max-calls', '100000');
    await running(OTHER).waitFor();
    await choose(paused(QUESTION), 'Resume', running(OTHER));
    await until(async () => {
      if (!(await tryAgain().isVisible())) assert.ok(eventsOf('search-resumed').length > 0, 'nothing is told of it');
    }, WITHIN);
    assert.deepEqual(eventsOf('search-resumed', OTHER), []);
  });

  it('does its search or nothing: Finish Now and Write Report', async () => {
    await choose(running(OTHER), 'Finish Now and Write Report', running(OTHER));
    await until(async () => {
      if (!(await tryAgain().isVisible())) assert.ok(steered(OTHER).some(({ action }) => action === 'finish'));
    }, WITHIN);
    for (const other of [QUESTION, AT_LIMIT]) assert.ok(!steered(other).some(({ action }) => action === 'finish'));
  });
});
