import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { pack, unpack } from '../../../../src/fleet/payload.ts';
import { Call, PROTOCOL } from '../../../../src/fleet/protocol.ts';
import { runSql, TestFleet } from '../../../support/fleet/test-fleet.ts';
import { endsWith, removeSearches, TestSearch } from '../../../support/searches/e2e-search.ts';
import { scriptedTree } from '../../../support/servers/server-tree.ts';

const { answer } = scriptedTree({ fanout: (_path, depth) => [4, 4][depth] ?? 0, documentWords: 40 });
const NODES = 4 + 4 * 4;
const MOST = { calls: 300, tokens: 20_000_000, usd: 50 };
const GIANT = 8 * 1024 * 1024;
const LIMITS = ['--price', '1,1,10', '--max-usd', `${MOST.usd}`, '--max-calls', `${MOST.calls}`];

/** A call that somebody else may have taken, as the role can read it. */
interface Seen {
  readonly id: string;
  readonly name: string;
  readonly call: Call;
}

describe('a search with somebody who has the role for workers and a way to write SQL', () => {
  let fleet: TestFleet;
  let url: string;
  /** Nodes in whose place it answered. */
  let forged: Set<string>;
  let done: Map<string, number>;
  let succeeded: Set<string>;
  before(async () => {
    fleet = await TestFleet.make({ own: true });
    await fleet.view();
    const [, sql] = /```sql\n(.*?)```/s.exec(readFileSync('doc/fleet.md', 'utf8')) ?? [];
    await runSql(fleet.url, sql ?? '');
    url = fleet.url.replace('//tree@', '//tree_worker@');
  });
  afterEach(removeSearches);
  after(() => fleet.remove());

  const job = (set: string, { id, name }: Seen): string =>
    `update thought_tree.job set ${set} where name = '${name}' and id = '${id}' and state < 'completed'`;
  const put = ({ call }: Seen, data: object): string =>
    `insert into thought_tree.job (id, name, data, policy, retry_limit, expire_seconds, deletion_seconds, keep_until)
      values ('${randomUUID()}', 'answers.${call.search}', '${JSON.stringify(data)}', 'standard', 0, 900, 600000, now() + interval '1 day')`;

  async function answered({ call }: Seen, more: object = {}): Promise<object> {
    const usage = { prompt: 10, cached: 0, completion: 5 };
    const result = { outcome: 'answer', text: 'EVIL: this is not what was asked.\n', finish: 'stop', usage };
    const about = { protocol: PROTOCOL, id: call.id, token: call.token, worker: randomUUID(), taken: randomUUID() };
    return await pack({ ...about, received: 40, result, ...more });
  }

  const inPlace = (seen: Seen): void => void forged.add(seen.call.request.node);

  /** What it does to a call of others. */
  const DEEDS: Record<string, (seen: Seen) => Promise<readonly string[]>> = {
    'ends a call, so that nobody makes it': async (seen) => [job("state = 'completed', completed_on = now()", seen)],
    'makes its worker look dead': async (seen) => [
      job("state = 'active', started_on = now() - interval '1 day', heartbeat_on = now() - interval '1 day'", seen),
    ],
    'answers in place of its worker, twice': async (seen) => {
      inPlace(seen);
      return [put(seen, await answered(seen)), put(seen, await answered(seen))];
    },
    'answers a question with the token of another': async (seen) => [
      put(seen, await answered(seen, { token: '0'.repeat(64) })),
      put(seen, await answered(seen, { id: randomUUID() })),
    ],
    'answers with rows without end': async (seen) => [
      put(seen, { packed: 'A'.repeat(GIANT) }),
      put(seen, { evil: 'A'.repeat(GIANT) }),
      put(seen, { packed: 'A'.repeat(2 * GIANT) }),
    ],
    'writes cards': async () => [
      'delete from thought_tree.fleet_cards',
      `insert into thought_tree.fleet_cards (id, card) values ('${randomUUID()}', '{"kind":"leader","evil":true}')`,
      `insert into thought_tree.fleet_cards (id, card) values ('${randomUUID()}', '"${'A'.repeat(GIANT)}"')`,
    ],
    'counts for caps what was not': async (seen) => [
      'delete from thought_tree.fleet_taken',
      `insert into thought_tree.fleet_taken (id, model, usd) values ('${randomUUID()}', '${seen.call.model}', 1e300)`,
    ],
    // As long as it likes: up to an hour, in which nobody with that key would ask.
    'asks for pauses of a server': async (seen) => [
      `insert into thought_tree.fleet_rates (account, model, until)
        select m->>'account', '${seen.call.model}', now() + interval '1 second'
        from thought_tree.fleet_cards, jsonb_path_query(card, '$.models[*]') m where m->>'account' is not null
        on conflict (account, model) do update set until = excluded.until`,
    ],
  };

  /** What the role refuses is not done: of these things nothing else is needed. */
  async function tryTo(deed: string, sql: string): Promise<void> {
    try {
      await runSql(url, sql);
      succeeded.add(deed);
    } catch (error) {
      // A search that has just ended has no queue for answers any more.
      assert.match(String(error), /row-level security|permission denied|check constraint|"q_fkey"/);
    }
  }

  /** Does one thing to each call that it sees; with lists of children it only delays. */
  async function attack(seen: ReadonlySet<string>): Promise<readonly string[]> {
    const rows = await runSql(
      url,
      "select id, name, data from thought_tree.job where name like 'calls.%' and state < 'completed' limit 3",
    );
    const found: string[] = [];
    for (const { id, name, data } of rows) {
      const call = await unpack(Call, data);
      const { purpose, node } = call?.request ?? {};
      const key = `${purpose} ${node}`;
      if (!call || seen.has(key)) continue;
      found.push(key);
      const names = Object.keys(DEEDS).filter((each) => purpose === 'document' || !each.includes('in place'));
      const deed = names.sort((a, b) => (done.get(a) ?? 0) - (done.get(b) ?? 0))[0] ?? '';
      done.set(deed, (done.get(deed) ?? 0) + 1);
      for (const sql of (await DEEDS[deed]?.({ id: String(id), name: String(name), call })) ?? [])
        await tryTo(deed, sql);
    }
    return found;
  }

  it('loses no node, passes no limit, and has false words only where that answered in place of a worker', async () => {
    forged = new Set();
    done = new Map();
    succeeded = new Set();
    const search = await TestSearch.make({ answer, latencyMs: 500 });
    const workers = await Promise.all(
      ['a', 'b'].map((name) => fleet.workerAt(url, search.server.baseUrl, name, '--slots', '2')),
    );
    const flags = ['--size', 'all', '--queue', fleet.url, '--concurrency', '6', '--max-tokens', `${MOST.tokens}`];
    const leader = search.start(...flags, ...LIMITS);
    const seen = new Set<string>();
    while (!leader.isOver) {
      for (const key of await attack(seen)) seen.add(key);
      await sleep(50);
    }
    await endsWith(0, leader);
    assert.deepEqual([...done.keys()].sort(), Object.keys(DEEDS).sort());
    const refused = Object.keys(DEEDS).filter((deed) => !succeeded.has(deed));
    assert.deepEqual(refused, [], 'some of each is allowed, and harms nobody');

    const { results, nodes, problems } = await search.status();
    assert.deepEqual([nodes.filter(({ path }) => path !== '').length, problems], [NODES, []]);
    assert.deepEqual(
      nodes.filter(({ status }) => status === 'failed'),
      [],
    );
    const tree = await search.tree();
    const spoilt = Object.keys(tree).filter((path) => path.endsWith('document.md') && tree[path]?.includes('EVIL'));
    for (const path of spoilt) assert.ok(forged.has(path.replace('/document.md', '')), path);

    const { log, billed } = search.server;
    assert.ok(results.calls <= MOST.calls && results.calls >= log.length, `${results.calls} calls of ${log.length}`);
    const counted = results.tokens.prompt + results.tokens.completion + results.tokens.worstCase;
    assert.ok(counted <= MOST.tokens && counted >= billed.prompt + billed.completion, `${counted} tokens`);
    assert.ok(results.usd <= MOST.usd, `${results.usd} dollars`);
    for (const worker of workers) worker.kill('SIGTERM');
    for (const worker of workers) await endsWith(0, worker);
  });
});
