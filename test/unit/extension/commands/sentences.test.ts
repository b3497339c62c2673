import '../use-fake-vscode.ts';
import assert from 'node:assert/strict';
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
import { fake, type MarkdownString, window, workspace } from '../fake-vscode.ts';
import { available } from '../sidebar/available.ts';
import { begun, sampleSearch, searchElement } from '../sidebar/sample.ts';

const { ActionCommands } = await import('../../../../src/extension/actions/action-commands.ts');
const { SearchCommands } = await import('../../../../src/extension/commands/search-commands.ts');
const { FollowedSearch: Followed } = await import('../../../../src/extension/library/followed-search.ts');
const { searchItem } = await import('../../../../src/extension/sidebar/search-item.ts');
const { ofSearch: searchTooltip } = (await import('../../../../src/extension/sidebar/tooltips.ts')).tooltips;

const TITLE = 'Why is the build slow?';

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

  it('names the search in both questions before it is deleted for good', async () => {
    const deleted: boolean[] = [];
    const { fs } = workspace as unknown as { fs: { delete?: unknown } };
    fs.delete = async (_uri: unknown, { useTrash }: { useTrash: boolean }) => {
      if (useTrash) throw new Error('There is no bin here.');
      deleted.push(useTrash);
    };
    const search = sampleSearch({ title: TITLE, state: 'paused' });
    const targets = { search: async () => search } as unknown as Targets;
    const library = { scan: async () => undefined } as unknown as SearchLibrary;
    const commands = new SearchCommands({} as SearchRunner, targets, library);
    fake.answer = (question) => (String(question).startsWith('Delete') ? 'Move to Bin' : undefined);
    await commands.delete(undefined);
    assert.deepEqual(fake.messages, [
      `Delete the search "${TITLE}" with all its documents?`,
      `The search "${TITLE}" could not be moved to the bin. Delete it permanently?`,
    ]);
    assert.deepEqual(deleted, [], 'nobody said so');
    fake.answer = (question) => (String(question).startsWith('Delete') ? 'Move to Bin' : 'Delete Permanently');
    await commands.delete(undefined);
    assert.deepEqual(deleted, [false]);
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
      { kinds: KINDS, available, runner, targets, toContinue: async () => undefined },
      {},
    );
    fake.answer = (text) => (String(text).includes('does not cover') ? 'Rewrite Report' : undefined);
    await commands.act(search, '', 'note', { text: 'Look at the cache.' });
    await new Promise((resolve) => setImmediate(resolve));
    assert.ok(fake.messages.includes(`The report of "${TITLE}" does not cover this yet.`), fake.messages.join('\n'));
    assert.deepEqual(fake.executed.at(-1), ['thoughtTree.report', { folder: search.folder }]);
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
      { kinds: KINDS, available, runner, targets, toContinue: async () => undefined },
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
    const commands = new SearchCommands(runner as SearchRunner, targets, {} as SearchLibrary);
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
