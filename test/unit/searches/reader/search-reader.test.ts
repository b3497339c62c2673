import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathOf } from '../../../../src/core/tree/tree.ts';
import { KINDS } from '../../../../src/kinds/kinds.ts';
import { overviewOf } from '../../../../src/searches/reader/search-overview.ts';
import { SearchReader } from '../../../../src/searches/reader/search-reader.ts';

const LIMITS = { size: 'small', maxDepth: 4, guards: {} };
const time = '2026-01-01T00:00:00.000Z';
const started = { type: 'search-started', model: 'some/model', limits: LIMITS };
const status = (node: string, to: string, more: object = {}): object => ({
  type: 'node-status',
  node,
  status: to,
  ...more,
});
const call = (id: string, node: string): object[] => [
  { type: 'call-started', call: id, purpose: 'document', node, model: 'm', attempt: 1, worst: { tokens: 100 } },
  { type: 'call-ended', call: id, purpose: 'document', node, outcome: 'ok', ms: 5, charged: true, usage: USAGE },
];
const USAGE = { prompt: 10, cached: 0, completion: 5, usd: 0.5 };

/** Journal lines, numbered from 1. */
function lines(...events: readonly object[]): string {
  return events.map((event, i) => `${JSON.stringify({ seq: i + 1, time, ...event })}\n`).join('');
}

describe('a search that others may be writing, read', () => {
  let folder: string;
  const write = (file: string, content: unknown): void => {
    mkdirSync(join(folder, file, '..'), { recursive: true });
    writeFileSync(join(folder, file), typeof content === 'string' ? content : JSON.stringify(content));
  };
  const journal = (text: string): void => write('.search/journal.jsonl', text);
  const more = (text: string): void => appendFileSync(join(folder, '.search/journal.jsonl'), text);
  const node = (path: string, fields: object, children: readonly string[] = []): void => {
    const slug = path.split('/').at(-1);
    write(`${path}/node.json`, { title: slug, slug, ...fields });
    write(`${path}/document.md`, '# D\n');
    write(
      `${path}/children.json`,
      children.map((each) => ({ title: each, slug: each })),
    );
  };

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'thought-tree-reader-'));
    write('search.json', { version: 1, kind: 'research', title: 'T', prompt: 'Why?', options: {} });
    write(
      'children.json',
      ['cache', 'network'].map((slug) => ({ title: slug, slug })),
    );
    node('cache', { status: 'expanded' }, ['deep']);
    node('cache/deep', { status: 'unexpanded' });
    node('network', { status: 'pruned' });
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  const reader = (): SearchReader => new SearchReader(folder, folder);

  it('starts over if the journal does', async () => {
    const search = reader();
    journal(lines(started, status('cache', 'expanded'), status('network', 'failed')));
    await search.refresh();
    const { record } = search;
    assert.equal(record.seq, 3);
    assert.deepEqual([search.count('failed'), search.count('expanded'), search.state], [1, 1, 'interrupted']);
    journal(lines(started, status('cache', 'leaf')));
    assert.equal((await search.refresh()).length, 2);
    assert.deepEqual([search.count('failed'), search.count('leaf')], [0, 1]);
    assert.notEqual(search.record, record);
    assert.equal((await search.refresh()).length, 0);
  });

  it('leaves a torn last line for later, and sees what came while it read', async () => {
    const search = reader();
    const whole = lines(status('cache', 'expanded'), status('network', 'failed'));
    journal(whole.slice(0, -20));
    await search.refresh();
    assert.deepEqual([search.count('expanded'), search.count('failed')], [1, 0]);
    const first = search.refresh();
    more(whole.slice(-20));
    await Promise.all([first, search.refresh()]);
    assert.equal(search.count('failed'), 1);
  });

  it('has its name before its journal is read, and loses no event to requests for details', async () => {
    journal(lines(started, ...call('one', 'cache')));
    const search = reader();
    await search.open();
    assert.deepEqual([search.title, search.isRead, search.record.seq], ['T', false, 0]);
    await search.details('cache');
    await search.refresh();
    assert.deepEqual([search.isRead, search.record.seq, search.record.model], [true, 3, 'some/model']);
  });

  it('reads a clone from its files alone, and notices a person’s changes there', async () => {
    const search = reader();
    await search.refresh();
    assert.deepEqual([search.size, search.count('unexpanded'), search.state], [3, 1, 'interrupted']);
    node('added', { status: 'expanded' });
    node('added/below', { status: 'failed' });
    assert.deepEqual(new Set(await search.takeIn(['added'])), new Set(['added', 'added/below']));
    assert.deepEqual([search.size, search.count('failed')], [5, 1]);
    rmSync(join(folder, 'added'), { recursive: true });
    await search.takeIn(['added']);
    assert.equal(search.size, 3);
  });

  it('knows the beginning of a person’s note for all of it, as it is now', async () => {
    const search = reader();
    await search.open();
    assert.equal(search.note, undefined);
    write('notes.md', ` \n${'Mind the cache. '.repeat(1000)}`);
    await search.refresh();
    assert.match(search.note ?? '', /^Mind the cache\. Mind.{900,1000}$/);
    write('notes.md', '\n');
    await search.refresh();
    assert.equal(search.note, undefined);
  });

  it('no longer counts open nodes below a pruned one as open', async () => {
    node('cache', { status: 'pruned' }, ['deep']);
    journal(lines(started));
    const { tree, results, state } = await overviewOf(KINDS, folder);
    assert.deepEqual([tree.counts.unexpanded, tree.counts.pruned, results.open, state], [0, 3, 0, 'interrupted']);
    rmSync(join(folder, '.search'), { recursive: true });
    assert.equal((await overviewOf(KINDS, folder)).state, 'finished', 'of a clone, where nothing is open');
  });

  it('has the usual limits of its kind, and is shown even if its kind is unknown', async () => {
    const file = { version: 1, title: 'T', prompt: 'Why?' };
    write('search.json', { ...file, kind: 'thoughts', options: { preset: 'planning' } });
    assert.equal((await overviewOf(KINDS, folder)).limits.maxDepth, 5);
    write('search.json', { ...file, kind: 'of-a-later-version', options: {} });
    assert.deepEqual((await overviewOf(KINDS, folder)).limits.maxDepth, 4);
  });

  it('keeps one tree, and rereads it on request', async () => {
    const search = await SearchReader.read({ folder, workspace: folder });
    const tree = await search.tree();
    assert.equal(await search.tree(), tree);
    node('cache/deep', { status: 'expanded' }, ['deeper']);
    node('cache/deep/deeper', { status: 'leaf' });
    const touched = await search.look(['cache/deep', 'network/gone']);
    assert.deepEqual(
      new Set([...touched].map(pathOf)),
      new Set(['cache', 'cache/deep', 'cache/deep/deeper', 'network', '']),
    );
    assert.deepEqual([tree.size, tree.counts.expanded, tree.counts.leaf], [4, 2, 1]);
  });

  it('tells the story of a node, and the words of its calls', async () => {
    const rest = { type: 'steered', by: 'p', action: 'note', node: 'cache', message: 'Noted.' };
    const shortened = { type: 'context-shortened', node: 'cache', purpose: 'document', documents: [], lists: [] };
    journal(
      lines(started, ...call('one', 'cache'), ...call('other', 'network'), rest, { ...shortened, tokens: 9, room: 1 }),
    );
    const search = await SearchReader.read({ folder, workspace: folder });
    write('.search/calls/one.json', { id: 'one', system: 'S', turns: [], prompt: 'P', answer: 'A' });
    const details = await search.details('cache');
    assert.deepEqual(
      [details.story.calls.map((each) => each.call), details.story.steered.length, details.story.shortened.length],
      [['one'], 1, 1],
    );
    assert.deepEqual([details.document, details.file?.title, details.note], ['# D\n', 'cache', undefined]);
    const words = await search.exchange('cache', 1);
    assert.ok(words && 'exchange' in words.found && words.found.exchange.answer === 'A');
    assert.equal(await search.exchange('cache', 2), undefined);
    assert.deepEqual((await search.details('')).story.calls, []);
    assert.deepEqual(search.spentOn('cache'), { calls: 1, tokens: 15, usd: 0.5, ms: 5 });
  });

  it('counts the calls of a dead search at their worst case, everywhere', async () => {
    journal(lines(started, call('one', 'cache')[0] as object));
    const search = await SearchReader.read({ folder, workspace: folder });
    assert.deepEqual([search.state, search.spend.worstCase, search.callsUnderWay], ['interrupted', 100, 0]);
    assert.equal((await overviewOf(KINDS, folder)).results.tokens.worstCase, 100);
  });

  it('is a problem if it cannot be read, and is read again once it can', async () => {
    write('search.json', '{');
    const search = reader();
    assert.deepEqual(await search.refresh(), []);
    assert.ok(search.problem?.text.includes('search.json') && !search.isResumable);
    await assert.rejects(SearchReader.read({ folder, workspace: folder }), { reason: 'damaged' });
    write('search.json', { version: 1, kind: 'research', title: 'T', prompt: 'Why?', options: {} });
    await search.refresh();
    assert.deepEqual([search.problem, search.title], [undefined, 'T']);
  });

  it('has the links of a node in both directions, and keeps one whose other end is gone', async () => {
    node('cache', {
      status: 'expanded',
      id: 'a',
      links: [
        { type: 'depends-on', to: 'b' },
        { type: 'like', to: 'lost' },
      ],
    });
    node('network', { status: 'leaf', id: 'b' });
    const { tree, reader: read } = await overviewOf(KINDS, folder);
    assert.deepEqual(
      tree.links.broken.map(({ type, id }) => [type, id]),
      [['like', 'lost']],
    );
    assert.deepEqual((await read.details('cache')).links, [
      { type: 'depends-on', id: 'b', isIncoming: false, other: { path: 'network', title: 'network' } },
      { type: 'like', id: 'lost', isIncoming: false, other: undefined },
    ]);
    assert.deepEqual((await read.details('network')).links, [
      { type: 'depends-on', id: 'b', isIncoming: true, other: { path: 'cache', title: 'cache' } },
    ]);
  });
});
