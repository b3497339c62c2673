import '../use-fake-vscode.ts';
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ActionCall } from '../../../../src/core/actions/action-call.ts';
import { foreign, kept } from '../../../../src/core/messages/message.ts';
import { paused } from '../../../../src/engine/messages.ts';
import type { Targets } from '../../../../src/extension/commands/targets.ts';
import type { FollowedSearch } from '../../../../src/extension/library/followed-search.ts';
import type { SearchLibrary } from '../../../../src/extension/library/search-library.ts';
import type { SearchRunner } from '../../../../src/extension/library/search-runner.ts';
import type { SearchElement } from '../../../../src/extension/sidebar/tree-element.ts';
import { KINDS } from '../../../../src/kinds/kinds.ts';
import { SAMPLE, sharedSample } from '../../../support/searches/shared-sample.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { fake, type MarkdownString, window, workspace } from '../fake-vscode.ts';
import { available } from '../sidebar/available.ts';
import { begun, sampleSearch, searchElement } from '../sidebar/sample.ts';

const { ActionCommands } = await import('../../../../src/extension/actions/action-commands.ts');
const { SearchCommands } = await import('../../../../src/extension/commands/search-commands.ts');
const { FollowedSearch: Followed } = await import('../../../../src/extension/library/followed-search.ts');
const { searchItem } = await import('../../../../src/extension/sidebar/search-item.ts');
const { ofSearch: searchTooltip } = (await import('../../../../src/extension/sidebar/tooltips.ts')).tooltips;

const TITLE = 'Why is the build slow?';

const ASKS_NOTHING = { toContinue: async () => undefined, needOf: async () => undefined, tell: () => undefined };
let isSeen = false;

describe('what a person is told', () => {
  beforeEach(() => fake.reset());

  it('says once that a person paused a search', () => {
    const record = begun();
    const event = { type: 'search-paused', reason: 'user', ...kept(paused()), results: {} };
    record.apply({ seq: 2, time: new Date(0).toISOString(), ...event } as never);
    const search = sampleSearch({ state: 'paused', record, ...(record.reason && { reason: record.reason }) });
    const element: SearchElement = searchElement(search);
    const { value } = searchTooltip(element, available) as unknown as MarkdownString;
    assert.equal(searchItem(element, available).description, 'paused');
    assert.match(value, /^\| State \| paused \|$/m);
  });

  describe('about a search that is deleted where the computer has no bin', () => {
    /** A search in a folder, and what deletes it. */
    function toDelete() {
      const root = temporaryFolder('delete');
      const folder = join(root, 'thought-trees', 'slow');
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, 'search.json'), '{"a": 1}\r\n\u0000');
      const fs = {
        delete: async ({ fsPath }: { fsPath: string }, { useTrash = false }: { useTrash?: boolean }) => {
          if (useTrash) throw new Error('There is no bin here.');
          rmSync(fsPath, { recursive: true });
        },
        // As the editor does, which makes the folder above and replaces nothing.
        rename: async (from: { fsPath: string }, to: { fsPath: string }) => {
          if (existsSync(to.fsPath)) throw new Error('It is there.');
          mkdirSync(dirname(to.fsPath), { recursive: true });
          renameSync(from.fsPath, to.fsPath);
        },
        readDirectory: async ({ fsPath }: { fsPath: string }) => readdirSync(fsPath).map((name) => [name, 2]),
        stat: async ({ fsPath }: { fsPath: string }) => statSync(fsPath),
      };
      Object.assign(workspace.fs, fs);
      const search = sampleSearch({ title: TITLE, state: 'paused', folder });
      const targets = { search: async () => search } as unknown as Targets;
      const library = { scan: async () => undefined } as unknown as SearchLibrary;
      const bin = join(root, 'bin');
      const commands = new SearchCommands({} as SearchRunner, targets, library, bin);
      return { commands, folder, bin };
    }
    const yes = (undo?: string) => (question: unknown) => (/^Delete/.test(String(question)) ? 'Move to Bin' : undo);

    it('asks once, and keeps it', async () => {
      const { commands, folder, bin } = toDelete();
      fake.answer = () => undefined;
      await commands.delete(undefined);
      assert.ok(existsSync(folder), 'nobody said so');
      fake.messages.length = 0;
      fake.answer = yes();
      await commands.delete(undefined);
      assert.equal(existsSync(folder), false);
      assert.deepEqual(fake.messages, [
        `Delete the search "${TITLE}" with all its documents?`,
        `"${TITLE}" is deleted. This computer has no bin, so it is kept for 30 days: Import or Restore Search… brings it back.`,
      ]);
      assert.match(readdirSync(bin).join(' '), /^\d+-slow \d+-slow\.origin\.json$/);
    });

    it('brings it back as it was', async () => {
      const { commands, folder, bin } = toDelete();
      const before = readFileSync(join(folder, 'search.json'));
      fake.answer = yes('Undo');
      await commands.delete(undefined);
      assert.deepEqual(readFileSync(join(folder, 'search.json')), before);
      assert.deepEqual(readdirSync(bin), []);
    });

    it('brings it back at any time later, also beside what took its place, and imports a file where nothing is deleted', async () => {
      const { commands, folder, bin } = toDelete();
      const imported: string[] = [];
      const importFile = async (): Promise<void> => void imported.push('file');
      await commands.bringBack(importFile);
      assert.deepEqual([imported, fake.picks], [['file'], []]);
      fake.answer = yes();
      await commands.delete(undefined);
      mkdirSync(folder);
      const { getWorkspaceFolder } = workspace;
      const known = (is: boolean): void =>
        void Object.assign(workspace, { getWorkspaceFolder: () => (is ? {} : undefined) });
      known(false);
      await commands.bringBack(importFile);
      assert.deepEqual([imported.length, fake.picks.length], [2, 0], 'it belongs to another window');
      known(true);
      fake.answer = (items) => (items as { label: string }[]).find(({ label }) => label === `$(discard) ${TITLE}`);
      await commands.bringBack(importFile);
      Object.assign(workspace, { getWorkspaceFolder });
      assert.ok(existsSync(join(`${folder}-2`, 'search.json')));
      assert.deepEqual(readdirSync(bin), []);
      assert.deepEqual(fake.executed.at(-1), ['thoughtTree.reveal', { folder: `${folder}-2`, path: '' }]);
    });

    it('keeps twenty, for thirty days', async () => {
      const { commands, bin } = toDelete();
      const day = 24 * 3600 * 1000;
      const named = (days: number): string => `${Date.now() - Math.floor(days * day)}-old`;
      for (const days of [31, ...Array.from({ length: 22 }, (_, index) => 1 + index)])
        mkdirSync(join(bin, named(days)), { recursive: true });
      fake.answer = yes();
      await commands.delete(undefined);
      const left = readdirSync(bin)
        .filter((name) => !name.endsWith('.json'))
        .sort();
      assert.equal(left.length, 20);
      assert.match(left.at(-1) ?? '', /-slow$/);
      for (const name of left) assert.ok(Date.now() - Number.parseInt(name, 10) < 21 * day, name);
    });
  });

  it('says that a report does not cover what was just done, and rewrites it where a person wants that', async () => {
    const finished = { isReportCurrent: true };
    const search = sampleSearch({ title: TITLE, state: 'finished', hasReport: true, isDivided: true, size: 3 });
    Object.assign(search, { record: Object.assign(begun(), {}) });
    Object.defineProperty(search.record, 'isReportCurrent', { get: () => finished.isReportCurrent });
    const runner = {
      act: async (_place: unknown, _call: ActionCall) => {
        finished.isReportCurrent = false;
        return foreign({ text: 'Done.' });
      },
    } as unknown as SearchRunner;
    const targets = { placeOf: (each: FollowedSearch) => each } as unknown as Targets;
    const commands = new ActionCommands(
      { kinds: KINDS, available, runner, targets, ...ASKS_NOTHING, isSeen: () => isSeen },
      {},
    );
    fake.answer = (text) => (String(text).includes('does not cover') ? 'Rewrite Report' : undefined);
    await commands.act(search, '', 'note', { text: 'Look at the cache.' });
    await new Promise((resolve) => setImmediate(resolve));
    assert.ok(fake.messages.includes(`The report of "${TITLE}" does not cover this yet.`), fake.messages.join('\n'));
    assert.deepEqual(fake.executed.at(-1), ['thoughtTree.report', { folder: search.folder }]);
  });

  it('offers to take back in the status bar what a view shows, and in no notice', async () => {
    isSeen = true;
    const search = sampleSearch({ title: 'Is it $(zap) slow?', state: 'paused', isDivided: true, size: 3 });
    const runner = { act: async () => foreign({ text: 'The note is added.' }) } as unknown as SearchRunner;
    const targets = { placeOf: (each: FollowedSearch) => each } as unknown as Targets;
    const commands = new ActionCommands(
      { kinds: KINDS, available, runner, targets, ...ASKS_NOTHING, isSeen: () => isSeen },
      {},
    );
    await commands.act(search, '', 'note', { text: 'Look at the cache.' });
    isSeen = false;
    assert.deepEqual(fake.messages, []);
    assert.equal(fake.statusBar?.text, '$(discard) "Is it $ (zap) slow?": The note is added.');
    const [{ folder } = {}] = (fake.statusBar?.command?.arguments ?? []) as { folder?: string }[];
    assert.equal(folder, search.folder);
  });

  it('offers to take back what was done, beside a report that does not cover it, and nothing else', async () => {
    const search = sampleSearch({ title: TITLE, state: 'finished', hasReport: true, isDivided: true, size: 3 });
    let isReportCurrent = true;
    Object.assign(search, { record: Object.assign(begun(), {}) });
    Object.defineProperty(search.record, 'isReportCurrent', { get: () => isReportCurrent });
    const runner = {
      act: async () => {
        isReportCurrent = false;
        return foreign({ text: 'The note is added.' });
      },
    } as unknown as SearchRunner;
    const targets = { placeOf: (each: FollowedSearch) => each } as unknown as Targets;
    const commands = new ActionCommands(
      { kinds: KINDS, available, runner, targets, ...ASKS_NOTHING, isSeen: () => isSeen },
      {},
    );
    const offered: unknown[][] = [];
    const { showInformationMessage } = window;
    window.showInformationMessage = async (text: string, ...buttons: unknown[]) => {
      offered.push([text, ...buttons]);
      return 'Undo';
    };
    try {
      await commands.act(search, '', 'note', { text: 'Look at the cache.' });
      await commands.act(search, '', 'note', { text: 'And at the disk.' });
      await new Promise((resolve) => setImmediate(resolve));
    } finally {
      window.showInformationMessage = showInformationMessage;
    }
    assert.deepEqual(offered, [
      [`The report of "${TITLE}" does not cover this yet.`, 'Undo', 'Rewrite Report'],
      [`"${TITLE}": The note is added.`, 'Undo'],
    ]);
    assert.deepEqual(fake.executed, [
      ['thoughtTree.undo', { folder: search.folder }],
      ['thoughtTree.undo', { folder: search.folder }],
    ]);
  });

  it('names what is out of date and what it cost, and writes that alone anew once a person says so', async () => {
    const edit = { type: 'node-status', node: 'cache', status: 'expanded', document: 'a'.repeat(32), by: 'hand' };
    const journal = [{ type: 'search-started', model: 'workspace/quotes' }, edit];
    const { folder, workspace: root } = await sharedSample(SAMPLE, { journal });
    const search = new Followed(folder, root);
    await search.refresh();
    const acts: ActionCall[] = [];
    let isRunning = false;
    const act = async (_place: unknown, call: ActionCall) => void acts.push(call);
    const runner = { act, isRunning: () => isRunning } as unknown;
    const targets = { placeOf: (each: FollowedSearch) => each } as unknown as Targets;
    const commands = new SearchCommands(runner as SearchRunner, targets, {} as SearchLibrary, '/bin');
    let begun = 0;
    const asked: unknown[] = [];
    commands.toContinue = async (_search, _code, how) => {
      asked.push(how?.anew);
      return async () => void begun++;
    };
    fake.answer = () => undefined;
    await commands.update(search);
    assert.deepEqual([acts, begun], [[], 0], 'nobody said so');
    assert.match(fake.messages[0] ?? '', /^"Why is the build slow\?": 1 document is out of date\. .* \$0\.00/);
    fake.answer = () => 'Write Anew';
    await commands.update(search);
    assert.deepEqual([acts, begun, asked], [[], 1, [['cache/key']]], 'at rest, these alone are begun');
    isRunning = true;
    await commands.update(search);
    assert.deepEqual([acts, begun], [[{ action: 'redo', node: 'cache/key' }], 1], 'what runs takes them along');
  });
});
