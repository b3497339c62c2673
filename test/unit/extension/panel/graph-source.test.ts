import '../use-fake-vscode.ts';
import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeTree } from '../../../../bench/trees/write-tree.ts';
import { isWithin } from '../../../../src/core/tree/slug.ts';
import { FollowedSearch } from '../../../../src/extension/library/followed-search.ts';
import type { GraphSource as Source } from '../../../../src/extension/panel/graph-source.ts';
import type { NodeElement } from '../../../../src/extension/sidebar/tree-element.ts';
import { TreeReader } from '../../../../src/extension/sidebar/tree-reader.ts';
import { KINDS } from '../../../../src/kinds/kinds.ts';
import type { GraphNode } from '../../../../src/protocol/graph-node.ts';

const { GraphSource } = await import('../../../../src/extension/panel/graph-source.ts');

const LIMITS = { size: 'small', maxDepth: 4, guards: {} };
const time = '2026-01-01T00:00:00.000Z';

describe('a search as the panel draws it', () => {
  let folder: string;
  let seq: number;
  let search: FollowedSearch;
  let source: Source;
  const write = (file: string, content: unknown): void => {
    mkdirSync(join(folder, file, '..'), { recursive: true });
    writeFileSync(join(folder, file), JSON.stringify(content));
  };
  const node = (path: string, score: number, status: string, ...children: string[]): void => {
    const slug = path.split('/').at(-1);
    write(`${path}/node.json`, { title: slug, slug, status, evaluation: { score } });
    writeFileSync(join(folder, path, 'document.md'), '# D\n');
    const list = children.map((each) => ({ title: each, slug: each }));
    if (status !== 'unexpanded') write(`${path}/children.json`, list);
  };
  const tell = async (...events: object[]): Promise<void> => {
    const lines = events.map((event) => `${JSON.stringify({ seq: ++seq, time, ...event })}\n`);
    appendFileSync(join(folder, '.search/journal.jsonl'), lines.join(''));
    await search.refresh();
  };

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'thought-tree-source-'));
    seq = 0;
    write('search.json', { version: 1, kind: 'thoughts', title: 'T', prompt: 'Why?', options: {} });
    write(
      'children.json',
      ['a', 'b', 'c'].map((slug) => ({ title: slug, slug })),
    );
    node('a', 9, 'expanded', 'x');
    node('a/x', 8, 'unexpanded');
    node('b', 5, 'expanded', 'y');
    node('b/y', 10, 'leaf');
    node('c', 1, 'unexpanded');
    mkdirSync(join(folder, '.search'));
    search = new FollowedSearch(folder, folder);
    source = new GraphSource(search, KINDS);
    await tell({ type: 'search-started', model: 'm', limits: LIMITS });
    await source.open();
    show();
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** What a page gets at its beginning. */
  function show(): GraphNode[] {
    return [...source.portions()].flat();
  }

  /** The paths that the sidebar marks. */
  async function starred(): Promise<string[]> {
    const reader = new TreeReader();
    const marked: string[] = [];
    const waiting: (NodeElement | ReturnType<TreeReader['searchElement']>)[] = [reader.searchElement(search, true)];
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const { nodes } = await reader.list(next, 100);
      for (const each of nodes) if (each.isBest) marked.push(each.path);
      waiting.push(...nodes);
    }
    return marked.sort();
  }

  it('has the best path that the sidebar has: that of the best scores, and the one the search names at its end', async () => {
    assert.deepEqual(source.summary.bestPath, ['a', 'a/x']);
    assert.deepEqual(await starred(), ['a', 'a/x']);
    const thoughts = { solved: true, finishedPath: ['b', 'b/y'], bestPath: ['a'], backtracks: 0, callsByPurpose: {} };
    await tell({ type: 'search-finished', reason: 'solved', results: { ...FIGURES, thoughts } });
    assert.deepEqual(source.summary.bestPath, ['b', 'b/y']);
    assert.deepEqual(await starred(), ['b', 'b/y']);
    await tell({ type: 'search-resumed', model: 'm', limits: LIMITS });
    assert.deepEqual(source.summary.bestPath, ['a', 'a/x']);
  });

  it('says at the end whether it is solved, and the answer: as it was written down, else the last thought', async () => {
    assert.deepEqual([source.summary.isSolved, source.summary.answer], [undefined, undefined]);
    const thoughts = { solved: true, finishedPath: ['b', 'b/y'], bestPath: ['a'], backtracks: 0, callsByPurpose: {} };
    const finished = { type: 'search-finished', reason: 'solved' };
    await tell({ ...finished, results: { ...FIGURES, thoughts } });
    assert.deepEqual([source.summary.isSolved, source.summary.answer], [true, 'y']);
    await tell({ ...finished, results: { ...FIGURES, thoughts: { ...thoughts, answer: '6 * 4 = 24' } } });
    assert.deepEqual([source.summary.isSolved, source.summary.answer], [true, '6 * 4 = 24']);
    const none = { ...thoughts, solved: false, finishedPath: [] };
    await tell({ ...finished, reason: 'complete', results: { ...FIGURES, thoughts: none } });
    assert.deepEqual([source.summary.isSolved, source.summary.answer], [false, undefined]);
    assert.deepEqual(source.summary.order, [], 'nothing is in line any more');
    await tell({ type: 'search-resumed', model: 'm', limits: LIMITS });
    assert.equal(source.summary.isSolved, undefined, 'it goes on');
  });

  it('has what the calls for each node have cost', async () => {
    const call = { call: 'k', purpose: 'document', node: 'c' };
    await tell({ type: 'call-started', ...call, model: 'm', attempt: 1, worst: { tokens: 1000, usd: 0.5 } });
    const usage = { prompt: 100, cached: 0, completion: 20, usd: 0.0123 };
    await tell({ type: 'call-ended', ...call, outcome: 'ok', ms: 1, charged: true, usage });
    const [told] = (await source.look(['c'])).upserts;
    assert.deepEqual([told?.path, told?.usd, told?.tokens], ['c', 0.0123, 120]);
  });

  it('has the same queue as the engine: documents that a person wants rewritten are next, too', async () => {
    assert.deepEqual(source.summary.order, ['c']);
    const steered = { type: 'steered', by: 'p', message: '' };
    await tell({ ...steered, action: 'redo', node: 'a/x' });
    assert.deepEqual(source.summary.order, ['c'], 'a thought is judged again in its place');
    write('search.json', { version: 1, kind: 'research', title: 'T', prompt: 'Why?', options: {} });
    await search.refresh();
    assert.deepEqual(source.summary.order, ['a/x', 'c']);
    await tell({ ...steered, action: 'expand', node: 'c' }, { type: 'picked', ranking: ['a/x'] });
    assert.deepEqual(source.summary.order, ['a/x', 'c']);
    await tell({ type: 'node-status', node: 'a/x', status: 'failed' });
    assert.deepEqual(source.summary.order, ['c', 'a/x']);
  });

  it('reports what is new, and what is gone', async () => {
    node('c', 1, 'expanded', 'z');
    node('c/z', 2, 'leaf');
    const { upserts, removals } = await source.look(['c']);
    assert.deepEqual([upserts.map(({ path }) => path), removals], [['c', 'c/z'], []]);
    assert.deepEqual((await source.look(['c'])).upserts, []);
    rmSync(join(folder, 'c'), { recursive: true });
    assert.deepEqual((await source.look(['c'])).removals, ['c']);
  });

  it('has the calls under way, as long as somebody works on it', async () => {
    const worst = { tokens: 1 };
    await tell({ type: 'call-started', call: 'k', purpose: 'pick', node: '', model: 'm', attempt: 1, worst });
    search.state = 'running';
    assert.deepEqual(source.summary.slots, [{ node: '', purpose: 'pick', since: Date.parse(time) }]);
    search.state = 'interrupted';
    assert.deepEqual(source.summary.slots, []);
  });

  it('keeps apart what was used and what is only booked', async () => {
    const call = { call: 'k', purpose: 'pick', node: '' };
    await tell({ type: 'call-started', ...call, model: 'm', attempt: 1, worst: { tokens: 1000, usd: 0.5 } });
    search.state = 'running';
    assert.equal(source.summary.booked, undefined, 'it may still end');
    await tell({ type: 'call-ended', ...call, outcome: 'cut-off', ms: 1, charged: true });
    const { tokens, usd, booked } = source.summary;
    assert.deepEqual([tokens, usd, booked], [1000, 0.5, { calls: 1, tokens: 1000, usd: 0.5 }]);
  });
});

describe('a large search as the panel draws it', () => {
  let folder: string;
  let source: Source;
  const sent = (): Map<string, GraphNode> => new Map([...source.portions()].flat().map((node) => [node.path, node]));

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'thought-tree-large-'));
    writeTree(folder, [6, 6, 5, 3]);
    const search = new FollowedSearch(folder, folder);
    await search.refresh();
    source = new GraphSource(search, KINDS);
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('begins as the journal tells, and becomes what its files say', async () => {
    const file = join(folder, 'a-topic-2/node.json');
    const edited = { ...JSON.parse(readFileSync(file, 'utf8')), title: 'By hand' };
    writeFileSync(file, JSON.stringify(edited));
    rmSync(join(folder, 'a-topic-6'), { recursive: true });
    await source.open();
    assert.equal(source.isWhole, false);
    const first = sent();
    assert.equal(first.size, 1 + 6 + 36 + 180 + 540);
    assert.equal(first.get('a-topic-2')?.title, 'A topic 2');
    assert.equal(first.get('a-topic-3/a-subtopic-1')?.score !== undefined, true);
    const counts: number[] = [];
    await source.read((nodes) => counts.push(nodes));
    assert.ok(counts.length > 5 && (counts.at(-1) as number) > 600, `${counts}`);
    source.adopt();
    const changes = [...source.changes()];
    assert.deepEqual(
      changes.flatMap(({ removals }) => removals),
      ['a-topic-6'],
    );
    const upserts = changes.flatMap((change) => change.upserts);
    assert.deepEqual(
      upserts.map(({ path, title }) => [path, title]),
      [['a-topic-2', 'By hand']],
      'nothing else is another',
    );
    assert.equal(source.isWhole, true);
  });

  it('takes back first what is in sight, and all of it also where only a part was sent', async () => {
    await source.open();
    const drawn = new Set(sent().keys());
    const become = async (folders: readonly string[], portions: number): Promise<(readonly string[])[]> => {
      for (const gone of folders) rmSync(join(folder, gone), { recursive: true });
      await source.read();
      source.adopt();
      const taken: (readonly string[])[] = [];
      for (const { upserts, removals } of source.changes({ levels: 1, opened: [] })) {
        for (const path of drawn) if (removals.some((top) => isWithin(path, top))) drawn.delete(path);
        for (const { path } of upserts) drawn.add(path);
        if (taken.push(removals) === portions) break;
      }
      return taken;
    };
    const deep = 'a-topic-1/a-subtopic-1/a-subtopic-1/a-subtopic-1';
    assert.deepEqual(await become(['a-topic-6', deep], 1), [['a-topic-6']]);
    assert.ok(drawn.has(deep), 'the rest is still to come');
    const rest = await become(['a-topic-5', 'a-topic-1/a-subtopic-1/a-subtopic-2'], Number.POSITIVE_INFINITY);
    assert.deepEqual(rest[0], ['a-topic-5']);
    assert.deepEqual(rest.flat().slice(1), ['a-topic-1/a-subtopic-1/a-subtopic-2', deep]);
    assert.deepEqual([...drawn].sort(), [...sent().keys()].sort());
  });

  it('is kept while the panel exists: shown again, it reads no file', async () => {
    await source.open();
    await source.read();
    source.adopt();
    const first = sent();
    rmSync(folder, { recursive: true });
    await source.open();
    assert.deepEqual([...sent()].sort(), [...first].sort());
  });

  it('sends those in sight first, each after the one above it, in portions', async () => {
    await source.open();
    const view = { levels: 2, opened: ['a-topic-4', 'a-topic-4/a-subtopic-4', 'a-topic-4/a-subtopic-4/a-subtopic-4'] };
    const portions = [...source.portions(view)].map((nodes) => nodes.map(({ path }) => path));
    assert.ok(portions.every(({ length }) => length <= 2000));
    const [first = []] = portions;
    assert.equal(first.length, 1 + 6 + 36 + 5 + 3);
    assert.ok(first.includes('a-topic-4/a-subtopic-4/a-subtopic-4/a-subtopic-3'));
    const seen = new Set<string>();
    for (const path of portions.flat()) {
      assert.ok(path === '' || seen.has(path.split('/').slice(0, -1).join('/')), path);
      seen.add(path);
    }
    assert.equal(seen.size, 763);
  });
});

const FIGURES = {
  ...{ expanded: 0, leaves: 0, skipped: 0, failed: 0, pruned: 0, open: 0, minutes: 0, usd: 0, usdComplete: true },
  calls: 0,
  tokens: { prompt: 0, cached: 0, completion: 0, worstCase: 0 },
};
