import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { GraphFeed } from '../../../../src/extension/panel/graph-feed.ts';
import type { GraphNode, GraphSearch } from '../../../../src/protocol/graph-node.ts';
import type { HostMessage } from '../../../../src/protocol/host-message.ts';

const node: GraphNode = { path: 'a', title: 'A', status: 'leaf', index: 0 };

/** A search that says it changed in every node it is asked about. @param portions of its nodes */
function feed(portions: readonly GraphNode[][] = [[node]], isWhole = true) {
  const posted: HostMessage[] = [];
  const looked: string[][] = [];
  const search = { state: 'running', calls: 1 } as Record<string, unknown>;
  const views: unknown[] = [];
  const moments: unknown[] = [];
  const files = { ...Promise.withResolvers<void>(), reads: 0, onRead: (_nodes: number): void => undefined };
  const source = {
    isWhole,
    size: portions.flat().length,
  };
  const made = new GraphFeed({
    folder: '/f',
    source: {
      get isWhole() {
        return source.isWhole;
      },
      get isPast() {
        return moments.at(-1) !== undefined;
      },
      show: (moment) => moments.push(moment),
      size: source.size,
      open: async () => undefined,
      *portions(view) {
        views.push(view);
        yield* portions.map((each) => [...each]);
      },
      read: (onRead) => {
        files.reads++;
        if (onRead) files.onRead = onRead;
        return files.promise;
      },
      adopt: () => {
        source.isWhole = true;
      },
      *changes() {
        yield { upserts: [{ ...node, title: 'From its file' }], removals: [] };
      },
      look: async (paths) => {
        looked.push([...paths]);
        return { upserts: [...paths].map((path) => ({ ...node, path })), removals: [] };
      },
      inProgress: () => ['busy'],
      get summary() {
        return { ...search } as unknown as GraphSearch;
      },
    },
    post: (message) => posted.push(message),
    actions: () => [],
    onError: (error) => assert.fail(String(error)),
  });
  return { made, posted, looked, search, views, files, moments };
}

describe('the messages to a panel', () => {
  it('is one snapshot, then numbered changes, close ones together', async () => {
    const { made, posted, looked } = feed();
    await made.begin();
    made.touch(['a']);
    made.touch(['a', 'b']);
    await sleep(250);
    made.touch(['c']);
    await sleep(250);
    assert.deepEqual(
      posted.map((message) => [message.type, 'seq' in message ? message.seq : undefined]),
      [
        ['snapshot', 0],
        ['change', 1],
        ['change', 2],
      ],
    );
    assert.deepEqual(looked, [['a', 'b'], ['c']]);
    made.pause();
  });

  it('is what was, while that is shown: what happens meanwhile is sent on the way back to now', async () => {
    const { made, posted, looked, search } = feed();
    await made.begin();
    search['calls'] = 2;
    await made.show({ seq: 3 } as never);
    const then = posted.at(-1);
    assert.ok(then?.type === 'change' && then.upserts[0]?.title === 'From its file' && then.search.calls === 2);
    made.touch(['a']);
    await sleep(250);
    assert.deepEqual(looked.flat(), []);
    assert.equal(posted.at(-1), then);
    await made.show(undefined);
    await sleep(250);
    assert.deepEqual(looked.flat(), ['a']);
    made.pause();
  });

  it('is the last of several moments, when they are wanted at once', async () => {
    const { made, moments } = feed();
    await made.begin();
    await Promise.all([1, 2, 3].map((seq) => made.show({ seq } as never)));
    assert.deepEqual(moments, [{ seq: 3 }]);
    made.pause();
  });

  it('is nothing while it is hidden, and a snapshot when it is shown again', async () => {
    const { made, posted, looked } = feed();
    made.touch(['a']);
    await made.begin();
    made.pause();
    made.touch(['a']);
    await sleep(250);
    assert.equal(posted.length, 1);
    assert.deepEqual(looked, []);
    await made.begin();
    assert.equal(posted.at(-1)?.type, 'snapshot');
    made.pause();
  });

  it('is what was kept when it is shown again, then what was touched meanwhile, and nothing is read anew', async () => {
    const { made, posted, looked, files } = feed();
    await made.begin();
    made.pause();
    made.touch(['a']);
    made.touch(['b']);
    await made.begin();
    assert.equal(posted.at(-1)?.type, 'snapshot');
    await sleep(250);
    assert.deepEqual(looked, [['a', 'b']]);
    const last = posted.at(-1);
    assert.deepEqual(last?.type === 'change' && last.upserts.map(({ path }) => path), ['a', 'b']);
    assert.equal(files.reads, 0);
    made.pause();
  });

  it('comes in portions, with a count of what is there until all of it is', async () => {
    const many = (from: number): GraphNode[] =>
      [0, 1, 2].map((i) => ({ ...node, path: `n${from + i}`, index: from + i }));
    const { made, posted, views } = feed([many(0), many(3), many(6)]);
    await made.begin({ levels: 2, opened: ['a'] });
    await sleep(250);
    assert.deepEqual(views, [{ levels: 2, opened: ['a'] }]);
    const seen = posted.map((message) => {
      if (message.type === 'snapshot') return [message.seq, message.nodes.length, message.search.reading];
      return message.type === 'change' ? [message.seq, message.upserts.length, message.search.reading] : [];
    });
    assert.deepEqual(seen, [
      [0, 3, { done: 3, all: 9 }],
      [1, 3, { done: 6, all: 9 }],
      [2, 3, null],
    ]);
    made.pause();
  });

  it('begins with what the journal tells, then says how many files are read, then what they say', async () => {
    const { made, posted, looked, files } = feed([[node], [{ ...node, path: 'b' }]], false);
    await made.begin();
    assert.equal(files.reads, 1);
    made.touch(['b']);
    files.onRead(1);
    await sleep(250);
    const reading = posted.at(-1);
    assert.deepEqual(reading?.type === 'change' && reading.search.reading, { done: 1, all: 2 });
    assert.deepEqual(looked.flat(), [], 'what is touched while it is read is read again afterwards');
    files.resolve();
    await sleep(400);
    const titles = posted
      .flatMap((message) => (message.type === 'change' ? message.upserts : []))
      .map(({ title }) => title);
    assert.ok(titles.includes('From its file'), `${titles}`);
    assert.deepEqual(looked.flat(), ['b']);
    made.pause();
    await made.begin();
    assert.equal(files.reads, 1, 'it is kept');
    made.pause();
  });

  it('is read anew where anything may have changed, also while nobody looked', async () => {
    const { made, files } = feed();
    await made.begin();
    made.pause();
    made.touch(undefined);
    assert.equal(files.reads, 0);
    await made.begin();
    assert.equal(files.reads, 1);
    made.pause();
  });

  it('contain only what is new about the search as a whole', async () => {
    const { made, posted, search } = feed();
    await made.begin();
    search['calls'] = 2;
    made.touch([]);
    await sleep(250);
    const last = posted.at(-1);
    assert.deepEqual(last?.type === 'change' && last.search, { calls: 2 });
    made.pause();
  });

  it('is null for a figure that is gone', async () => {
    const { made, posted, search } = feed();
    search['forecast'] = { unit: 'usd', low: 1, likely: 2, high: 3 };
    await made.begin();
    delete search['forecast'];
    made.touch([]);
    await sleep(250);
    const last = posted.at(-1);
    assert.deepEqual(last?.type === 'change' && last.search, { forecast: null });
    made.pause();
  });

  it('is one snapshot for a page that asks again before it is answered', async () => {
    const { made, posted } = feed();
    await Promise.all([made.begin(), made.begin()]);
    assert.equal(posted.length, 1);
    made.pause();
  });

  it('is what was in progress, once nobody works on it any more', async () => {
    const { made, posted, search } = feed();
    await made.begin();
    search['state'] = 'paused';
    made.touch([]);
    await sleep(250);
    const last = posted.at(-1);
    assert.deepEqual(last?.type === 'change' && last.upserts.map(({ path }) => path), ['busy']);
    made.pause();
  });
});
