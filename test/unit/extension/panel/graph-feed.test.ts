import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { GraphFeed } from '../../../../src/extension/panel/graph-feed.ts';
import type { GraphNode, GraphSearch } from '../../../../src/protocol/graph-node.ts';
import type { HostMessage } from '../../../../src/protocol/host-message.ts';

const node: GraphNode = { path: 'a', title: 'A', status: 'leaf', index: 0 };

/** A search that says it changed in every node it is asked about. */
function feed() {
  const posted: HostMessage[] = [];
  const looked: string[][] = [];
  const search = { state: 'running', calls: 1 } as Record<string, unknown>;
  const made = new GraphFeed({
    folder: '/f',
    source: {
      open: async () => [node],
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
  return { made, posted, looked, search };
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
