import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { mock } from 'node:test';
import { writeTree } from '../../../../bench/trees/write-tree.ts';
import type { JournalEvent } from '../../../../src/core/search/events.ts';
import { NodesSeen } from '../../../../src/core/search/record/nodes-seen.ts';
import { SearchRecord } from '../../../../src/core/search/record/search-record.ts';
import { pathOf, putToRest, type Tree, walk } from '../../../../src/core/tree/tree.ts';
import { TreeRecord } from '../../../../src/core/tree/tree-record.ts';
import { KINDS } from '../../../../src/kinds/kinds.ts';
import { forkSearch } from '../../../../src/searches/history/history.ts';
import { readLog } from '../../../../src/searches/history/past-overview.ts';
import { Timeline } from '../../../../src/searches/history/timeline.ts';
import { forget, openForReading } from '../../../../src/store/open-store.ts';
import { systemClock, systemRandom, textHash } from '../../../../src/store/system-ports.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const LIMITS = { size: 'small', maxDepth: 4, guards: {} };
const MINUTE = 60_000;
const WORST = { tokens: 10 };
const NOTHING = { kind: undefined, workspace: '/w' };

const events = (folder: string): JournalEvent[] =>
  readFileSync(join(folder, '.search/journal.jsonl'), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as JournalEvent);

const nodesOf = (tree: Tree): object[] =>
  Array.from(walk(tree.root), (node) => ({
    path: pathOf(node),
    status: node.status,
    score: node.evaluation?.score,
    index: node.index,
    listed: node.listed,
  }));

describe('the timeline of a search', () => {
  let folder: string;
  let seq: number;
  let now: number;

  /** Adds events to the journal, each so many milliseconds after the one before. */
  const tell = (ms: number, ...happened: object[]): void => {
    for (const event of happened) {
      now += ms;
      const line = { seq: ++seq, time: new Date(now).toISOString(), ...event };
      appendFileSync(join(folder, '.search/journal.jsonl'), `${JSON.stringify(line)}\n`);
    }
  };
  const open = (): Promise<Timeline> => Timeline.open({ folder, title: 'T', ...NOTHING });
  const call = (number: number, usage: object): object[] => [
    { type: 'call-started', call: `c${number}`, purpose: 'p', node: 'a', model: 'm', attempt: 1, worst: WORST },
    { type: 'call-ended', call: `c${number}`, node: 'a', purpose: 'p', outcome: 'ok', ms: 1, charged: true, usage },
  ];
  const usage = (tokens: number, usd?: number): object => ({ prompt: tokens, cached: 0, completion: 0, usd });

  beforeEach(() => {
    folder = temporaryFolder('timeline');
    mkdirSync(join(folder, '.search'), { recursive: true });
    writeFileSync(
      join(folder, 'search.json'),
      JSON.stringify({ version: 1, kind: 'thoughts', title: 'T', prompt: 'Why?', options: {} }),
    );
    writeFileSync(join(folder, '.search/journal.jsonl'), '');
    seq = 0;
    now = Date.UTC(2026, 0, 1);
  });

  /** Kinds and words of the events of interest. */
  async function interest(): Promise<string[]> {
    const timeline = await open();
    const found: string[] = [];
    for (const mark of timeline.graph.marks) found.push(`${mark.kind}: ${(await timeline.at(mark))?.said?.text}`);
    return found;
  }

  it('marks results, jumps of scores, prunes, money, what people do, failures and runs, each in words', async () => {
    const scored = (node: string, score: number): object => ({
      ...{ type: 'node-status', node, status: 'unexpanded', evaluation: { score } },
    });
    const status = (node: string, to: string, more: object = {}): object => ({
      ...{ type: 'node-status', node, status: to, was: 'unexpanded', ...more },
    });
    const child = (slug: string): object => ({ slug, title: slug.toUpperCase() });
    tell(
      1000,
      { type: 'search-started', model: 'm', limits: LIMITS },
      { type: 'node-added', node: '', children: ['a', 'b', 'c'].map(child) },
      scored('a', 6),
      scored('b', 6.2),
      scored('c', 6.9),
      scored('c', 2),
      ...call(1, usage(9000)),
      ...call(2, usage(2000)),
      ...call(3, usage(10, 0.03)),
      ...call(4, usage(10, 0.001)),
      { type: 'steered', by: 'vscode', action: 'prune', node: 'b', message: 'Pruned.', say: undefined },
      status('b', 'pruned', { prunedBy: 'user', by: 'vscode' }),
      status('a', 'failed', { failure: { reason: 'network', message: 'No answer.' } }),
      { type: 'node-status', node: 'a', status: 'unexpanded', document: textHash('x'), by: 'hand' },
      { type: 'search-waiting', reason: 'network', message: 'The model cannot be reached.', say: undefined },
      { type: 'budget-changed', by: 'vscode', limits: LIMITS },
      status('c', 'leaf', { leafReason: 'solved' }),
      { type: 'search-finished', reason: 'solved', results: RESULTS },
    );
    assert.deepEqual(await interest(), [
      'run: Began with m.',
      'score: “A” has the best score so far: 6 of 10.',
      'score: “C” has the best score so far: 6.9 of 10.',
      'score: The score of “C” went from 6.9 to 2.',
      'money: 10,000 tokens were used by now.',
      'money: $0.0200 were spent by now.',
      'act: Pruned.',
      'pruned: “B” was pruned.',
      'failure: “A” failed. No answer.',
      'act: The document of “A” was changed by hand.',
      'failure: The model cannot be reached.',
      'money: The limits were changed.',
      'result: “C” is a solution.',
      'result: Finished.',
    ]);
  });

  it('counts a pause of more than a minute as one, and tells long ones', async () => {
    const mark = { type: 'steered', by: 'terminal', action: 'note', message: 'Noted.', say: undefined };
    tell(1000, mark, mark);
    tell(3 * MINUTE, mark);
    tell(90 * MINUTE, mark);
    tell(-5 * MINUTE, mark);
    const { marks, pauses, first, last } = (await open()).graph;
    const places = marks.map(({ at }) => at);
    assert.deepEqual(places, [0, 1001, 1001 + MINUTE + 1, 1001 + 2 * (MINUTE + 1), 1001 + 2 * (MINUTE + 1) + 1]);
    assert.deepEqual(pauses, [{ at: places[3], ms: 90 * MINUTE }]);
    assert.deepEqual([first.seq, last.seq, last.at], [1, 5, places[4]]);
  });

  it('keeps a bounded number of marks, evenly, and counts all', async () => {
    const act = { type: 'steered', by: 'terminal', action: 'note', message: 'Noted.', say: undefined };
    tell(10, ...Array.from({ length: 4500 }, () => act));
    const { marks, counts } = (await open()).graph;
    assert.deepEqual(counts, { act: 4500 });
    assert.ok(marks.length > 1000 && marks.length <= 2000, `${marks.length}`);
    const steps = new Set(marks.slice(1).map((mark, index) => mark.seq - (marks[index]?.seq ?? 0)));
    assert.deepEqual([...steps], [4]);
  });

  it('steps to every event of interest, also to those of which no mark is kept', async () => {
    const act = { type: 'steered', by: 'terminal', action: 'note', message: 'Noted.', say: undefined };
    const other = { type: 'lease-taken', epoch: 1, pid: 1, host: 'h' };
    // An act at every even number, and one change of the limits among them.
    tell(10, ...Array.from({ length: 9001 }, (_, at) => (at % 2 === 1 ? act : other)));
    tell(10, { type: 'budget-changed', by: 'vscode', limits: LIMITS }, other, act);
    const timeline = await open();
    const { marks, last } = timeline.graph;
    assert.ok(marks.length < 2002);
    const step = async (from: number, by: number, kind?: 'act' | 'money'): Promise<number | undefined> =>
      (await timeline.at({ seq: from, step: { by, kind } }))?.seq;
    const now = Number.MAX_SAFE_INTEGER;
    for (const from of [2, 500, 4446, 8998]) {
      assert.deepEqual([await step(from, 1), await step(from, -1)], [from + 2, Math.max(2, from - 2)], `from ${from}`);
      assert.deepEqual([await step(from + 1, 1), await step(from + 1, -1)], [from + 2, from], `from ${from + 1}`);
    }
    assert.deepEqual([await step(9000, 1), await step(9000, 1, 'act'), await step(9000, 10)], [9002, 9004, undefined]);
    assert.deepEqual([await step(now, -1), await step(now, -2), await step(now, -1, 'money')], [last.seq, 9002, 9002]);
    assert.deepEqual([await step(9002, 1, 'money'), await step(9002, -1, 'money')], [undefined, 9002]);
    assert.equal(await step(now, -100_000), 2);
    const { at } = (await timeline.at({ seq: 600 })) ?? assert.fail();
    assert.equal((await timeline.at({ at, step: { by: 1 } }))?.seq, 602);
  });

  it('shows at every moment what the journal tells up to then, also between checkpoints', async () => {
    writeTree(folder, [6, 8, 12]);
    const journal = events(folder);
    assert.ok(journal.length > 4000, `${journal.length} events`);
    const timeline = await open();
    for (let at = 1; at <= journal.length; at += 331) {
      const moment = await timeline.at({ seq: at });
      const told = new TreeRecord('T');
      const nodes = new NodesSeen();
      const record = SearchRecord.at(journal, at, nodes, told);
      if (!moment?.reader.isActive) putToRest(told.tree);
      assert.deepEqual(nodesOf(moment?.tree as Tree), nodesOf(told.tree), `event ${at}`);
      assert.deepEqual(moment?.reader.spend, record.spend, `event ${at}`);
      assert.equal(moment?.reader.record.seq, at);
      for (const path of ['a-topic-1', 'a-topic-3/a-subtopic-2'])
        assert.deepEqual(moment?.reader.spentOn(path), nodes.spentOn(path));
    }
  });

  it('tells how far it is, while a long journal is read', async () => {
    writeTree(folder, [6, 8, 12]);
    let past = 0;
    // Each look at the clock finds a second gone by.
    const clock = mock.method(performance, 'now', () => (past += 1000));
    const lasts: number[] = [];
    try {
      await Timeline.open({ folder, title: 'T', ...NOTHING }, ({ last }) => lasts.push(last.seq));
    } finally {
      clock.mock.restore();
    }
    assert.ok(lasts.length > 10, `${lasts}`);
    assert.deepEqual(
      lasts,
      lasts.toSorted((a, b) => a - b),
    );
  });

  it('finds the last event at a place, and none before the first', async () => {
    tell(1000, ...Array.from({ length: 3 }, () => ({ type: 'lease-taken', epoch: 1, pid: 1, host: 'h' })));
    const timeline = await open();
    assert.equal((await timeline.at({ at: 0 }))?.seq, 1);
    assert.equal((await timeline.at({ at: 1500 }))?.seq, 2);
    assert.equal((await timeline.at({ at: 1e9 }))?.seq, 3);
    assert.equal(await timeline.at({ seq: 0 }), undefined);
  });

  it('shows a document as it was then, and the calls made by then', async () => {
    const [before, after] = ['Before.', 'After.'];
    const line = { hash: textHash(before), text: before };
    mkdirSync(join(folder, '.search/objects'));
    writeFileSync(join(folder, '.search/objects/texts.jsonl'), `${JSON.stringify(line)}\n`);
    mkdirSync(join(folder, 'a'));
    writeFileSync(join(folder, 'a/document.md'), after);
    tell(
      1000,
      { type: 'search-started', model: 'm', limits: LIMITS },
      { type: 'node-added', node: '', children: [{ slug: 'a', title: 'A' }] },
      ...call(1, usage(10)),
      { type: 'node-status', node: 'a', status: 'leaf', was: 'unexpanded', document: textHash(before) },
      ...call(2, usage(10)),
      { type: 'node-status', node: 'a', status: 'leaf', document: textHash(after) },
    );
    const timeline = await open();
    const then = await (await timeline.at({ seq: 5 }))?.reader.details('a');
    assert.deepEqual([then?.document, then?.story.calls.length], [before, 1]);
    const later = await (await timeline.at({ seq: 8 }))?.reader.details('a');
    assert.deepEqual([later?.document, later?.story.calls.length], [after, 2]);
    assert.equal((await timeline.at({ seq: 1 }))?.reader.state, 'running');
  });

  it('shows the tree of the event that it names, also while it grows', async () => {
    const add = (): object => ({
      type: 'node-added',
      node: '',
      children: [{ slug: `n${seq + 1}`, title: 'T'.repeat(200) }],
    });
    tell(1000, add());
    const timeline = await open();
    const lines = Array.from({ length: 4000 }, () => {
      const line = { time: new Date(now).toISOString(), ...add() };
      return `${JSON.stringify({ seq: ++seq, ...line })}\n`;
    });
    appendFileSync(join(folder, '.search/journal.jsonl'), lines.join(''));
    let isGrowing = true;
    const growing = timeline.grow().finally(() => {
      isGrowing = false;
    });
    const seen: (readonly [number | undefined, number | undefined])[] = [];
    while (isGrowing) {
      const moment = await timeline.at({ at: Number.MAX_SAFE_INTEGER });
      seen.push([moment?.seq, moment?.tree.size]);
    }
    await growing;
    assert.deepEqual(
      seen.filter(([named, nodes]) => named !== nodes),
      [],
    );
    assert.equal((await timeline.at({ at: Number.MAX_SAFE_INTEGER }))?.tree.size, 4001);
  });

  it('grows with the journal, and says when that is another one', async () => {
    tell(1000, { type: 'search-started', model: 'm', limits: LIMITS });
    const timeline = await open();
    assert.equal(await timeline.grow(), false);
    tell(1000, { type: 'search-resumed', model: 'n', limits: LIMITS });
    assert.equal(await timeline.grow(), true);
    assert.deepEqual(timeline.graph.counts, { run: 2 });
    assert.equal((await timeline.at({ seq: 2 }))?.said?.text, 'Continued with n.');
    writeFileSync(join(folder, '.search/journal.jsonl'), '');
    assert.equal(await timeline.grow(), 'replaced');
  });

  it('notices a journal that a text of the same length was forgotten in', async () => {
    const note = { type: 'steered', by: 'terminal', action: 'note', say: undefined };
    tell(1000, { type: 'search-started', model: 'm', limits: LIMITS }, { ...note, message: '12345678901' });
    const timeline = await open();
    const before = statSync(join(folder, '.search/journal.jsonl'));
    const ports = { clock: systemClock, random: systemRandom, sealKey: undefined };
    await forget(folder, { text: '12345678901' }, 'terminal', ports);
    const rest = readFileSync(join(folder, '.search/journal.jsonl')).subarray(0, before.size).toString();
    assert.ok(rest.endsWith('\n') && rest.includes('"[forgotten]"'), 'the same lines are as long as before');
    assert.equal(await timeline.grow(), 'replaced');
    const said = (await (await open()).at({ seq: 2 }))?.said;
    assert.equal(said?.text, '[forgotten]');
  });

  describe('of a hostile journal', () => {
    const added = (node: string, ...slugs: string[]): object => ({
      ...{ type: 'node-added', node },
      children: slugs.map((slug) => ({ slug, title: slug })),
    });

    it('says so where its numbers go down: no moment has a number then', async () => {
      tell(1, added('', 'a'), added('a', 'b'));
      seq = 0;
      tell(1, added('a/b', 'c'));
      const message = /journal\.jsonl: event 1 comes after event 2\. Its numbers go down/;
      await assert.rejects(open(), message);
      await assert.rejects(openForReading(`${folder}@1`), message);
      assert.equal((await readLog(folder)).entries.length, 3, 'the log needs no numbers');
    });

    it('leaves out events of nodes that are 20,000 levels deep, and says so', async () => {
      const deep = Array.from({ length: 20_000 }, () => 'a').join('/');
      const status = { type: 'node-status', node: `${deep}/b`, status: 'leaf', was: 'unexpanded' };
      tell(1, added('', 'a'), added(deep, 'b'), status, added('a', 'c'));
      const moment = await (await open()).at({ seq: 4 });
      assert.deepEqual([moment?.seq, moment?.tree.size], [4, 2]);
      const store = await openForReading(folder);
      await store.readJournal();
      const found = store.problems.filter(({ file }) => file === '.search/journal.jsonl');
      assert.deepEqual(
        found.map(({ line, message }) => [line, /\((.*)\)/.exec(message)?.[1]]),
        [2, 3].map((line) => [line, 'its path is more than 128 levels deep']),
      );
    });

    it('reads a branch that moves made 20,000 levels deep, and makes no fork of it', async () => {
      const down = Array.from({ length: 126 }, () => 'a').join('/');
      for (let at = 0; at < 160; at++) {
        tell(1, added(`n${at}/${down}`, 'z'));
        if (at > 0) tell(1, { type: 'node-moved', from: `n${at - 1}`, node: `n${at}/${down}/n${at - 1}`, at: 0 });
      }
      const moment = await (await open()).at({ seq });
      assert.equal(moment?.tree.size, 160 * 128);
      let deepest = 0;
      for (const { depth } of walk((moment as { tree: Tree }).tree.root)) deepest = Math.max(deepest, depth);
      assert.ok(deepest > 20_000, `${deepest}`);
      const from = { folder: `${folder}@${seq}`, workspace: folder };
      const fork = forkSearch(from, { kinds: KINDS, by: 'terminal', dir: `${folder}-fork` });
      await assert.rejects(fork, /this is 128 levels deep/);
    });
  });
});

const RESULTS = {
  ...{ expanded: 0, leaves: 0, skipped: 0, failed: 0, pruned: 0, open: 0, minutes: 0, usd: 0, usdComplete: true },
  calls: 0,
  tokens: { prompt: 0, cached: 0, completion: 0, worstCase: 0 },
};
