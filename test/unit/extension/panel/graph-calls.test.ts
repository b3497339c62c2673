import '../use-fake-vscode.ts';
import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { kept, type Message, plain } from '../../../../src/core/messages/message.ts';
import { KINDS } from '../../../../src/kinds/kinds.ts';
import type { HostMessage } from '../../../../src/protocol/host-message.ts';
import { SearchReader } from '../../../../src/searches/reader/search-reader.ts';
import { graphSearchOf } from '../../../../src/searches/search-graph.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const { GraphCalls } = await import('../../../../src/extension/panel/graph-calls.ts');

const BEGUN = Date.UTC(2026, 0, 1);
const at = (seconds: number): string => new Date(BEGUN + 1000 * seconds).toISOString();
const limits = { size: 'small', maxDepth: 4, guards: {} };
const BEGINS = { type: 'call-started', purpose: 'document', model: 'm', attempt: 1, worst: { tokens: 9 } };
const USAGE = { prompt: 10, cached: 4, completion: 5, usd: 0.5 };
const ENDS = { type: 'call-ended', purpose: 'document', outcome: 'ok', ms: 1000, charged: true, usage: USAGE };
const begins = (call: string, node: string, seconds: number, more: object = {}): object => ({
  ...BEGINS,
  call,
  node,
  time: at(seconds),
  ...more,
});
const ends = (call: string, node: string, seconds: number, more: object = {}): object => ({
  ...ENDS,
  call,
  node,
  time: at(seconds),
  ...more,
});

const TOKENS = { prompt: 0, cached: 0, completion: 0, worstCase: 0 };
const NODES = { expanded: 0, leaves: 0, skipped: 0, failed: 0, pruned: 0, open: 1 };
const RESULTS = { ...NODES, calls: 1, tokens: TOKENS, usd: 0, usdComplete: true, minutes: 0 };

type CallsMessage = Extract<HostMessage, { type: 'calls' }>;

describe('the calls that a panel is told of', () => {
  let folder: string;
  let count: number;
  let search: SearchReader;
  let posted: CallsMessage[];
  let calls: InstanceType<typeof GraphCalls>;

  function happens(...events: readonly object[]): void {
    const lines = events.map((event) => `${JSON.stringify({ seq: ++count, time: at(0), ...event })}\n`);
    appendFileSync(join(folder, '.search/journal.jsonl'), lines.join(''));
  }

  beforeEach(async () => {
    folder = temporaryFolder('graph-calls');
    count = 0;
    mkdirSync(join(folder, '.search'));
    const file = { version: 1, kind: 'research', title: 'T', prompt: 'Why?', options: {} };
    writeFileSync(join(folder, 'search.json'), JSON.stringify(file));
    happens({ type: 'search-started', model: 'm', limits }, begins('1', 'a', 1), ends('1', 'a', 2));
    search = new SearchReader(folder, folder);
    await search.refresh();
    posted = [];
    const post = (message: HostMessage): void => void posted.push(message as CallsMessage);
    calls = new GraphCalls({ search, post, onError: (error) => assert.fail(String(error)) });
  });
  afterEach(() => calls.dispose());

  /** What is told of what happened since. */
  async function told(): Promise<CallsMessage> {
    await search.refresh();
    const before = posted.length;
    calls.touch();
    while (posted.length === before) await new Promise((resolve) => setTimeout(resolve, 20));
    return posted.at(-1) as CallsMessage;
  }

  it('are all of them at first, each with its node, its number there, and when it ended; then what is new', async () => {
    await calls.set(true);
    const [first] = posted;
    assert.equal(first?.isAnew, true);
    const { id, node, number, time, end, prompt, cached, completion, usd, ms, outcome } =
      first?.calls[0] ?? assert.fail();
    assert.deepEqual([id, node, number, time, end], [0, 'a', 1, at(1), BEGUN + 2000]);
    assert.deepEqual([prompt, cached, completion, usd, ms, outcome], [10, 4, 5, 0.5, 1000, 'ok']);
    happens(begins('2', 'b', 3, { about: ['a'] }), begins('3', 'a', 4));
    const { isAnew, calls: more } = await told();
    assert.equal(isAnew, false);
    assert.deepEqual(
      more.map((call) => [call.id, call.node, call.number, call.outcome, call.end]),
      [
        [1, 'b', 1, 'under-way', undefined],
        [2, 'a', 3, 'under-way', undefined],
      ],
    );
    // The numbers are those by which the words of a call are asked for.
    const { story } = await search.details('a');
    assert.deepEqual(
      story.calls.map((call) => [call.number, call.call, call.node]),
      [
        [1, '1', 'a'],
        [2, '2', 'b'],
        [3, '3', 'a'],
      ],
    );
    happens(ends('3', 'a', 6, { outcome: 'timed-out', usage: undefined }));
    assert.deepEqual(
      (await told()).calls.map((call) => [call.id, call.outcome]),
      [[2, 'timed-out']],
    );
  });

  it('end where a process ended, follow a node that is moved, and take an answer that came late', async () => {
    happens(begins('2', 'a', 3), begins('3', 'a/b', 4));
    await calls.set(true);
    await search.refresh();
    happens(
      { type: 'steered', by: 'me', action: 'note', ...kept(plain('Noted.')), time: at(50) },
      { type: 'lease-taken', epoch: 2, pid: 2, host: 'h', time: at(90) },
      { type: 'search-resumed', model: 'm', limits, time: at(90) },
    );
    const cut = (await told()).calls;
    assert.deepEqual(
      cut.map((call) => [call.id, call.outcome, call.end]),
      [
        [1, 'killed', BEGUN + 4000],
        [2, 'killed', BEGUN + 4000],
      ],
    );
    happens(ends('3', 'a/b', 91, { late: true, ms: 0 }), { type: 'node-moved', node: 'c', from: 'a', by: 'me', at: 0 });
    assert.deepEqual(
      (await told()).calls.map((call) => [call.id, call.node, call.number, call.outcome]),
      [
        [0, 'c', 1, 'ok'],
        [1, 'c', 2, 'killed'],
        [2, 'c/b', 1, 'ok'],
      ],
    );
  });

  it('are told anew where the page asks once more or the journal is another one, and not at all once it asks no more', async () => {
    await calls.set(true);
    await calls.set(true);
    assert.deepEqual(
      posted.map((message) => [message.isAnew, message.calls.length]),
      [
        [true, 1],
        [true, 1],
      ],
    );
    writeFileSync(join(folder, '.search/journal.jsonl'), '');
    count = 0;
    happens({ type: 'search-started', model: 'm', limits });
    assert.deepEqual(await told(), { type: 'calls', isAnew: true, calls: [] });
    await calls.set(false);
    happens(begins('9', 'a', 9));
    await search.refresh();
    calls.touch();
    await new Promise((resolve) => setTimeout(resolve, 700));
    assert.equal(posted.length, 3);
  });

  it('are those of real dates: one that began at none is left out, an end that is none is not told', async () => {
    happens(
      begins('2', 'a', 3),
      ends('2', 'a', 4, { ms: 1e17 }),
      begins('3', 'a', 5, { time: 'yesterday' }),
      begins('4', 'a', 5, { time: '+275760-09-13T00:00:00.001Z' }),
      begins('5', 'a', 6),
      ends('5', 'a', 7, { ms: -5000 }),
      begins('6', 'a', 8),
    );
    await search.refresh();
    await calls.set(true);
    assert.deepEqual(
      posted[0]?.calls.map(({ id, end }) => [id, end]),
      [
        [0, BEGUN + 2000],
        [1, undefined],
        [4, undefined],
        [5, undefined],
      ],
    );
  });

  it('are the latest, also when older ones change', async () => {
    happens(...Array.from({ length: 20_000 }, (_, i) => begins(`m${i}`, 'a', 10 + i)));
    await search.refresh();
    await calls.set(true);
    assert.deepEqual([posted[0]?.calls[0]?.id, posted.at(-1)?.calls.at(-1)?.id], [1, 20_000]);
    happens(begins('new', 'a', 30_000), ends('m0', 'a', 30_001), ends('m1', 'a', 30_001));
    const { calls: more } = await told();
    assert.deepEqual(
      more.map(({ id }) => id),
      [2, 20_001],
    );
  });

  it('are forgotten once nobody looks at them', async () => {
    await calls.set(true);
    const known = await search.calls();
    assert.equal(await search.calls(), known);
    await calls.set(false);
    assert.notEqual(await search.calls(), known);
  });

  it('are under way where a process that lives asks for them, also in a search at rest', async () => {
    happens(
      { type: 'search-paused', reason: 'user', ...kept(plain('Paused.')), results: RESULTS, time: at(3) },
      begins('2', 'a', 4),
    );
    await search.refresh();
    const parts = { kinds: KINDS, show: ({ text }: Message) => text };
    const told = async () => {
      const { story } = await search.details('a');
      return [search.state, graphSearchOf(search, undefined, parts).isHeld, story.calls.at(-1)?.outcome];
    };
    assert.deepEqual(await told(), ['paused', false, 'killed']);
    search.holder = { state: 'alive', epoch: 1, silentMs: 0 } as typeof search.holder;
    assert.deepEqual(await told(), ['paused', true, 'under-way']);
  });

  it('are sent in portions, so that a page is not held up', async () => {
    happens(...Array.from({ length: 2500 }, (_, i) => begins(`m${i}`, 'a', 10 + i)));
    await search.refresh();
    await calls.set(true);
    assert.deepEqual(
      posted.map((message) => [message.isAnew, message.calls.length]),
      [
        [true, 1000],
        [false, 1000],
        [false, 501],
      ],
    );
  });
});
