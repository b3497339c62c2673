import '../use-fake-vscode.ts';
import assert from 'node:assert/strict';
import { foreign } from '../../../../src/core/messages/message.ts';
import { Ledger } from '../../../../src/core/money/ledger.ts';
import { JournalEvent } from '../../../../src/core/search/events.ts';
import { endedUnderWay, notRunHere } from '../../../../src/core/search/messages.ts';
import { SearchRecord } from '../../../../src/core/search/record/search-record.ts';
import { Tree } from '../../../../src/core/tree/tree.ts';
import { resultsOf } from '../../../../src/engine/loop.ts';
import type { SearchElement } from '../../../../src/extension/sidebar/tree-element.ts';
import { type MarkdownString, type ThemeIcon, workspace } from '../fake-vscode.ts';
import { available } from './available.ts';
import { assertInert, HOSTILE } from './hostile.ts';
import { begun, restingAt, sampleSearch, searchElement } from './sample.ts';

const searches = await import('../../../../src/extension/sidebar/search-item.ts');
const { ofSearch: searchTooltip } = (await import('../../../../src/extension/sidebar/tooltips.ts')).tooltips;

const searchItem = (element: SearchElement) => searches.searchItem(element, available);
const flagsOf = (contextValue: string | undefined): string[] => (contextValue ?? '').split(' ').sort();

/** The record of a search whose last event is this one. */
function recordOf(turn: object, kinds: object = {}): SearchRecord {
  const results = { ...resultsOf(new Tree('p'), new Ledger().spend, 0), ...kinds };
  const event = { message: '', results, ...turn, seq: 1, time: new Date(0).toISOString() };
  return SearchRecord.of([JournalEvent.parse(event)]);
}

const fileOf = (kind: string, more: object = {}) => ({
  version: 1,
  kind,
  title: 'p',
  prompt: 'p',
  options: {},
  ...more,
});

describe('a search in the sidebar', () => {
  for (const [state, flag] of [
    ['running', 'pause'],
    ['waiting', 'pause'],
    ['paused', 'resume'],
    ['interrupted', 'resume'],
    ['finished', 'search'],
  ] as const)
    it(`shows that it is ${state}`, () => {
      const item = searchItem(searchElement(sampleSearch({ state, file: fileOf('research'), record: begun() })));
      assert.equal((item.iconPath as unknown as ThemeIcon).id, 'book', 'its kind');
      assert.ok(flagsOf(item.contextValue).includes(flag));
      assert.equal(flagsOf(item.contextValue).includes('finish'), state !== 'finished');
      assert.match(item.accessibilityInformation?.label ?? '', new RegExp(`^Slow build, ${state}`));
      assert.equal(String(item.description).startsWith(state), state !== 'finished', 'its colour says so');
    });

  it('says that it waits for its start, where its plan was only looked at, also after the window is closed', () => {
    for (const state of ['paused', 'interrupted'] as const) {
      const search = sampleSearch({ state, file: fileOf('work-graph'), reason: notRunHere() });
      assert.equal(searchItem(searchElement(search)).description, 'waits for Start');
    }
    const refused = sampleSearch({ state: 'paused', cause: 'key-refused', reason: foreign({ text: 'No key.' }) });
    assert.equal(searchItem(searchElement(refused)).description, 'paused: No key.');
  });

  it('has its whole title as its label, which the editor cuts, and which its Find looks through', () => {
    const title = 'How does the parallel mode share `state` between workers?';
    const item = searchItem(searchElement(sampleSearch({ title })));
    assert.equal(item.label, 'How does the parallel mode share state between workers?');
  });

  it('shows its kind by an icon, and with a colour that nothing shines through that it needs a person', () => {
    const icons = ['research', 'thoughts', 'investigation', 'work-graph'].flatMap((kind) =>
      (['finished', 'paused', 'interrupted', 'running'] as const).map((state) => {
        const { iconPath } = searchItem(searchElement(sampleSearch({ state, file: fileOf(kind) })));
        const { id, color } = iconPath as unknown as ThemeIcon & { color: { id: string } };
        return `${id} ${color.id}`;
      }),
    );
    const expected = ['book', 'lightbulb', 'search', 'target'].flatMap((icon) => [
      `${icon} charts.green`,
      `${icon} list.warningForeground`,
      `${icon} list.warningForeground`,
      `${icon} charts.blue`,
    ]);
    assert.deepEqual(icons, expected);
  });

  it('says how old it is while nobody works on it', () => {
    const shown = (hours: number) => {
      const createdAt = Number.isNaN(hours) ? 'once' : new Date(Date.now() - hours * 3_600_000).toISOString();
      const search = sampleSearch({
        state: 'finished',
        file: fileOf('research', { createdAt }),
        progress: { done: 60, open: 0, failed: 0 },
      });
      return searchItem(searchElement(search)).description;
    };
    assert.equal(shown(2.5), '2h ago · 60 topics');
    const [createdAt, record] = [new Date(Date.now() - 3 * 3_600_000).toISOString(), begun()];
    const stands = (state: 'paused' | 'running') =>
      searchItem(searchElement(sampleSearch({ state, record, file: fileOf('research', { createdAt }) }))).description;
    assert.deepEqual([stands('paused'), stands('running')], ['paused · 3h ago', 'running']);
    assert.equal(shown(75), '3d ago · 60 topics');
    assert.equal(shown(Number.NaN), '60 topics', 'nobody knows');
  });

  it('shows the note of a person last, speaks it, and offers to change it', () => {
    const note = 'Look at `timeouts`,\nnot at retries. '.repeat(4);
    const progress = { done: 60, open: 0, failed: 0 };
    const file = fileOf('research');
    const item = searchItem(searchElement(sampleSearch({ state: 'paused', record: begun(), progress, file, note })));
    assert.match(String(item.description), /^paused · 60 topics · ✎ Look at timeouts, not at retries.{0,40}…$/);
    assert.match(item.accessibilityInformation?.label ?? '', /60 topics, Note: Look at timeouts, not at retries/);
    assert.ok(flagsOf(item.contextValue).includes('noted'));
    const plain = searchItem(searchElement(sampleSearch({ state: 'paused', record: begun(), progress, file })));
    assert.equal(plain.description, 'paused · 60 topics');
    assert.ok(!flagsOf(plain.contextValue).includes('noted') && flagsOf(plain.contextValue).includes('note'));
  });

  it('shows that it has failed where all that it tried did', () => {
    const progress = { done: 0, open: 0, failed: 2 };
    const reason = foreign({ text: 'The search has failed.' });
    const item = searchItem(searchElement(sampleSearch({ state: 'finished', progress, reason })));
    assert.equal((item.iconPath as unknown as ThemeIcon).id, 'error');
    assert.match(String(item.description), /The search has failed\./);
  });

  it('says what is wrong with it', () => {
    const item = searchItem(searchElement(sampleSearch({ problem: foreign({ text: 'search.json, line 3: no.' }) })));
    assert.equal(item.description, 'search.json, line 3: no.');
    assert.equal(item.contextValue, 'broken');
  });

  it('says first how it stands, then how far it is, in the words of its kind', () => {
    const research = { version: 1, kind: 'research', title: 'p', prompt: 'p', options: {} };
    const progress = { done: 21, open: 18, failed: 0 };
    const shown = (more: Parameters<typeof sampleSearch>[0]) =>
      searchItem(searchElement(sampleSearch({ file: research, progress, state: 'paused', isDivided: true, ...more })))
        .description;
    const paused = (reason: string, cause?: string) =>
      recordOf({ type: 'search-paused', reason, ...(cause && { cause }) });
    const reason = foreign({ text: 'The key was refused by the server, and so on and so on and so on.' });
    assert.equal(shown({ state: 'finished' }), '21 topics done, 18 open');
    assert.equal(shown({ state: 'running', spend: { usd: 0.4 } }), 'running · 21 topics done, 18 open · $0.40');
    assert.equal(
      shown({ record: restingAt('calls', 50), reason }),
      'limit of 50 calls reached · 21 topics done, 18 open',
    );
    assert.equal(
      shown({ state: 'interrupted', record: begun(), reason: endedUnderWay() }),
      'interrupted: What ran it ended before it was done. · 21 topics done, 18 open',
    );
    assert.equal(shown({ record: paused('user'), reason }), 'paused · 21 topics done, 18 open');
    assert.match(
      String(shown({ record: paused('person', 'key-refused'), reason })),
      /^paused: The key was refused by the server.{0,30}… · 21 topics/,
    );
    assert.equal(shown({ isRead: false }), 'being read');
  });

  it('says what a puzzle came to', () => {
    const file = { version: 1, kind: 'thoughts', title: 'p', prompt: 'p', options: {} };
    const shown = (thoughts: object) => {
      const record = recordOf({ type: 'search-finished', reason: 'complete' }, { thoughts });
      return searchItem(searchElement(sampleSearch({ file, record, state: 'finished' }))).description;
    };
    const none = { solved: false, finishedPath: [], bestPath: ['a'], callsByPurpose: {} };
    assert.equal(shown(none), 'no solution');
    const solved = { ...none, solved: true, finishedPath: ['a', 'a/b'] };
    assert.equal(shown(solved), 'solved');
    assert.equal(shown({ ...solved, answer: '(13 - 9) * (10 - 4)' }), 'solved: (13 - 9) * (10 - 4)');
  });

  it('names its folder where there are several', () => {
    const search = sampleSearch({ state: 'finished', workspace: '/home/me/mocha' });
    const shown = () => [
      searchItem(searchElement(search)).description,
      (searchTooltip(searchElement(search), available) as unknown as MarkdownString).value,
    ];
    assert.equal(shown()[0], '');
    const folder = (name: string) => ({ name, uri: { fsPath: `/home/me/${name.toLowerCase()}` } });
    workspace.workspaceFolders = [folder('Mocha'), folder('Express')];
    try {
      assert.equal(shown()[0], 'Mocha');
      assert.match(String(shown()[1]), /\| Folder \| Mocha \|/);
    } finally {
      workspace.workspaceFolders = [];
    }
  });

  it('tells in a short table how it stands and what it used', () => {
    const file = { version: 1, kind: 'research', title: 'p', prompt: 'How does `retry` work?', options: {} };
    const spend = { calls: 1, prompt: 900, completion: 100, minutes: 1 };
    const progress = { done: 2, open: 0, failed: 0 };
    const search = sampleSearch({ file, state: 'finished', spend, progress, model: 'workspace/quotes' });
    const { value } = searchTooltip(searchElement(search), available) as unknown as MarkdownString;
    assert.equal(
      value.replaceAll('\\', ''),
      [
        'How does retry work?\n',
        '| State | finished |',
        '| :-- | :-- |',
        '| Topics | 2 topics |',
        '| Used | 1 call, 1K tokens, 1 min 0 s |',
        '| Model | workspace/quotes |',
      ].join('\n'),
    );
  });

  it('shows hostile texts as texts', () => {
    const file = { version: 1, kind: 'research', title: HOSTILE, prompt: HOSTILE, options: {} };
    assertInert(
      searchTooltip(
        searchElement(sampleSearch({ file, reason: foreign({ text: HOSTILE }), model: HOSTILE, note: HOSTILE })),
        available,
      ),
    );
  });
});
