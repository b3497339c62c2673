import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdirSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { isThoughtTreeError } from '../../../../src/core/search/errors.ts';
import { checkModel } from '../../../../src/engine/kind.ts';
import type { AgentPlace } from '../../../../src/fleet/agents.ts';
import { queueOf } from '../../../../src/fleet/names.ts';
import { Answer, Call, PROTOCOL } from '../../../../src/fleet/protocol.ts';
import { pack, unpack } from '../../../../src/fleet/queue.ts';
import { ServedModels } from '../../../../src/fleet/worker/calls.ts';
import { workGraphDescriptor } from '../../../../src/kinds/work-graph/descriptor.ts';
import { AGENT, agentFolder, agentPlace, fakeAgent, MOST, SAID } from '../../../support/fleet/fake-agent.ts';
import { callFor, FakeFleet, requestFor, said } from '../../../support/fleet/fake-fleet.ts';
import { until } from '../../../support/until.ts';

const SEARCH = 'ab12';
const SESSION = String(SAID.session);

describe('agents of a fleet', () => {
  let fleet: FakeFleet;
  let folder: string;
  let place: AgentPlace;
  beforeEach(async () => {
    fleet = new FakeFleet();
    folder = agentFolder();
    place = await agentPlace(folder);
  });
  afterEach(() => fleet.close());

  /** A call as its search sends it. */
  async function sent(prompt: string): Promise<Call> {
    const stop = new AbortController();
    const before = new Set(fleet.board.jobs.keys());
    const asked = fleet.agent(AGENT, place).generate(requestFor(prompt), callFor(prompt, stop.signal));
    await until(() => fleet.board.jobs.size > before.size);
    const job = [...fleet.board.jobs.values()].find(({ id }) => !before.has(id));
    const call = await unpack(Call, job?.payload);
    stop.abort();
    await assert.rejects(asked);
    assert.ok(call);
    return call;
  }

  async function send(call: Call, queue = queueOf(AGENT, place.origin(AGENT))): Promise<void> {
    await fleet.queue().openSearch(SEARCH);
    await fleet.queue().send({ id: call.id, queue, payload: await pack(call), seconds: 60 });
  }

  async function answers(): Promise<Answer[]> {
    const found = await fleet.queue().answers(SEARCH, true);
    return (await Promise.all(found.map(({ payload }) => unpack(Answer, payload)))).filter(
      (each) => each !== undefined,
    );
  }

  it('are asked by searches of the same user for the same folder, and go on from their own sessions', async () => {
    const worker = fakeAgent();
    await fleet.worker(worker, { agents: place });
    const model = fleet.agent(AGENT, await agentPlace(folder));
    assert.deepEqual([model.most, model.worksByItself, model.tools, model.price], [MOST, true, false, undefined]);
    assert.deepEqual(said(await model.generate(requestFor('Why?'), callFor('q1'))), SAID);
    const turns = [
      { role: 'user' as const, text: 'Why?' },
      { role: 'assistant' as const, text: 'An answer.', session: SESSION },
      { role: 'user' as const, text: 'How?', session: '../../evil' },
    ];
    await model.generate({ ...requestFor('How?'), turns }, callFor('q2'));
    const { session: _, ...last } = turns[2] as (typeof turns)[number];
    assert.deepEqual(worker.asked[1]?.turns, [turns[0], turns[1], last]);
  });

  it('are named by the folder itself, however its path is typed, by nobody else and for no other folder', async () => {
    const link = join(folder, '..', 'link');
    symlinkSync(folder, link);
    const other = join(folder, '..', 'other');
    mkdirSync(other);
    const origin = place.origin(AGENT);
    for (const same of [`${folder}/../workspace/`, link]) assert.equal((await agentPlace(same)).origin(AGENT), origin);
    for (const more of [{ folder: other }, { key: 'another' }, { host: 'elsewhere' }])
      assert.notEqual((await agentPlace(folder, more)).origin(AGENT), origin);
    assert.notEqual(place.origin('claude/opus'), origin);
    await assert.rejects(agentPlace(join(folder, 'none')), { reason: 'bad-input' });
  });

  it('carry nothing that anybody else could answer or change', async () => {
    const call = await sent('Why?');
    assert.equal(call.token, undefined);
    assert.ok(place.isProven(call));
    for (const forged of [
      { ...call, id: randomUUID() },
      { ...call, search: 'cd34' },
      { ...call, seconds: 61 },
      { ...call, model: 'claude/opus' },
      { ...call, request: { ...call.request, prompt: 'Evil?' } },
      { ...call, request: { ...call.request, turns: [{ role: 'user' as const, text: '', session: SESSION }] } },
      { ...call, proof: 'a'.repeat(64) },
    ])
      assert.equal(place.isProven(forged), false);
    const { proof: _, ...bare } = call;
    assert.equal(place.isProven(bare), false);
    assert.equal((await agentPlace(folder, { key: 'another' })).isProven(call), false);
  });

  it('do nothing for a leader who has not the key, and tell it why', async () => {
    const worker = fakeAgent();
    const call = await sent('Why?');
    await fleet.worker(worker, { agents: place });
    const token = 'b'.repeat(64);
    const evil = { ...call, token, request: { ...call.request, prompt: 'Evil?' } };
    const more = { workplace: { folder: '/', rights: 'write' }, allowedTools: ['Bash'] };
    await send({ ...evil, ...more, id: randomUUID() });
    const { proof: _, ...bare } = evil;
    await send({ ...bare, id: randomUUID() });
    // Whoever asks for the token of a call by sending another one under its name gets none.
    await send({ ...call, id: randomUUID() });
    await until(() => [...fleet.board.jobs.values()].every(({ state }) => state !== 'waiting'));
    await until(() => fleet.board.answers.get(SEARCH)?.size === 2);
    const told = (await answers()).map(({ result, token: named }) => [
      result.outcome,
      'message' in result && result.message,
      named,
    ]);
    const why = /searches of its own user on its own computer/;
    for (const [outcome, text, named] of told) {
      assert.deepEqual([outcome, named], ['failure', token]);
      assert.match(String(text), why);
    }
    assert.equal(worker.asked.length, 0);
  });

  it('make a call once, whoever puts it into the queue again', async () => {
    const worker = fakeAgent();
    const call = await sent('Why?');
    await fleet.worker(worker, { agents: place });
    await send(call);
    await until(() => fleet.board.answers.get(SEARCH)?.size === 1);
    fleet.board.jobs.delete(call.id);
    await send(call);
    await until(() => fleet.board.answers.get(SEARCH)?.size === 2);
    assert.equal(worker.asked.length, 1);
    const [, again] = (await answers()).map(({ result }) => result);
    assert.deepEqual(
      [again?.outcome, again?.outcome === 'failure' && [again.reason, again.charged]],
      ['failure', ['aborted', false]],
    );
  });

  it('do not work in a folder that has taken the place of theirs', async () => {
    const worker = fakeAgent();
    await fleet.worker(worker, { agents: place });
    renameSync(folder, `${folder}-old`);
    mkdirSync(folder);
    await assert.rejects(
      fleet.agent(AGENT, place).generate(requestFor('Why?'), callFor('q1')),
      (error: unknown) => isThoughtTreeError(error, 'unreachable') && /taken its place/.test(error.message),
    );
    assert.equal(worker.asked.length, 0);
  });

  it('are answered for by nobody without the key, and go on from no session that somebody else names', async () => {
    const stop = new AbortController();
    const asked = fleet.agent(AGENT, place).generate(requestFor('Why?'), callFor('q1', stop.signal));
    await until(() => fleet.board.jobs.size === 1);
    const [taken] = await fleet.queue().take(queueOf(AGENT, place.origin(AGENT)), 1);
    const call = await unpack(Call, taken?.payload);
    assert.ok(taken && call);
    const give = async (token: string, text: string, proof: string): Promise<void> => {
      const result = { outcome: 'answer', text, finish: 'stop', agentSession: { id: SESSION, proof } };
      const head = { protocol: PROTOCOL, id: call.id, token, worker: 'w', taken: randomUUID(), received: 0 };
      await fleet.queue().answer(taken, SEARCH, await pack({ ...head, result }), randomUUID());
    };
    await give('0'.repeat(64), 'Evil.', 'a'.repeat(64));
    await give(call.proof ?? '', 'Evil.', 'a'.repeat(64));
    await give(place.token(call.id), 'Good.', place.kept(randomUUID(), SESSION).proof);
    assert.deepEqual(said(await asked), { text: 'Good.', finish: 'stop' });
    stop.abort();
  });

  it('have no work elsewhere, and none with tools of the search', async () => {
    const model = fleet.agent(AGENT, place);
    const request = { ...requestFor('Why?'), workplace: { folder: '/', rights: 'write' as const } };
    await assert.rejects(
      model.generate(request, callFor('q1')),
      (error: unknown) => isThoughtTreeError(error, 'bad-input') && error.details.charged === false,
    );
    assert.equal(fleet.board.jobs.size, 0);
    assert.throws(() => checkModel(workGraphDescriptor, model), /Run it without a queue/);
    assert.throws(() => checkModel(workGraphDescriptor, fakeAgent(), model), /Run it without a queue/);
    checkModel(workGraphDescriptor, fakeAgent());
  });

  it('that may change the folder work one at a time', async () => {
    let underWay = 0;
    let peak = 0;
    const worker = fakeAgent({
      changesWorkspace: true,
      generate: async () => {
        peak = Math.max(peak, ++underWay);
        await new Promise((resolve) => setTimeout(resolve, 20));
        underWay--;
        return SAID;
      },
    });
    await fleet.worker(worker, { agents: place, slots: 4 });
    const models = [fleet.agent(AGENT, place, fleet.leader('ab12')), fleet.agent(AGENT, place, fleet.leader('cd34'))];
    const asked = models.flatMap((model) => [1, 2].map((n) => model.generate(requestFor(`${n}?`), callFor(`q${n}`))));
    await Promise.all(asked);
    assert.equal(peak, 1);
  });

  it("count at their limits until it is known what they used, within the worker's own caps", async () => {
    const worker = fakeAgent();
    // Each uses 94,000 tokens, and could use 300,000.
    await fleet.worker(worker, { agents: place, caps: { tokens: 450_000, usd: 1e9 } });
    const model = fleet.agent(AGENT, place);
    for (const prompt of ['Why?', 'How?']) await model.generate(requestFor(prompt), callFor(prompt));
    const stop = new AbortController();
    const third = model.generate(requestFor('Who?'), callFor('Who?', stop.signal));
    await until(() => fleet.states.includes('capped'));
    stop.abort();
    await assert.rejects(third);
    assert.equal(worker.asked.length, 2);
  });

  it('count in dollars, too', async () => {
    const worker = fakeAgent();
    await fleet.worker(worker, { agents: place, caps: { tokens: 1e9, usd: 0.4 } });
    const stop = new AbortController();
    const asked = fleet.agent(AGENT, place).generate(requestFor('Why?'), callFor('Why?', stop.signal));
    await until(() => fleet.states.includes('capped'));
    stop.abort();
    await assert.rejects(asked);
    assert.equal(worker.asked.length, 0);
  });

  it('are opened for searches whose folder is theirs alone', async () => {
    const opened: string[] = [];
    const models = new ServedModels(async (name, origin) => {
      opened.push(`${name} ${origin}`);
      return undefined;
    });
    const other = await agentPlace(folder, { key: 'another' });
    const ask = (name: string, origin: string) => ({ name, origin });
    const wanted = [
      ask(AGENT, other.origin(AGENT)),
      ask('claude/--evil', place.origin(AGENT)),
      ask(AGENT, place.origin(AGENT)),
    ];
    const card = { kind: 'leader' as const, protocol: PROTOCOL, id: 'l', title: '', underWay: 0, models: wanted };
    await models.addWanted([card], (name, origin) => origin === place.origin(name));
    assert.deepEqual(opened, [`${AGENT} ${place.origin(AGENT)}`]);
  });
});
