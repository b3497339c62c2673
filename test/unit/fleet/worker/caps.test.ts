import assert from 'node:assert/strict';
import { foreign } from '../../../../src/core/messages/message.ts';
import type { Model } from '../../../../src/core/ports/model.ts';
import { isThoughtTreeError, ThoughtTreeError } from '../../../../src/core/search/errors.ts';
import { ANSWER, callFor, FakeFleet, modelOf, NAME, requestFor, said } from '../../../support/fleet/fake-fleet.ts';
import { until } from '../../../support/until.ts';

describe('caps of workers and of a fleet', () => {
  let fleet: FakeFleet;
  beforeEach(() => {
    fleet = new FakeFleet();
  });
  afterEach(() => fleet.close());

  it('leaves calls alone that its cap has no room for, so that others take them', async () => {
    let dear = 0;
    const caps = { tokens: 100, usd: 1e9 };
    await fleet.worker(
      modelOf(async () => {
        dear++;
        return ANSWER;
      }),
      { caps },
    );
    const asked = fleet.model().generate(requestFor('Why?'), callFor('q1'));
    await until(() => fleet.states.includes('capped'));
    assert.deepEqual(
      [...fleet.board.jobs.values()].map(({ state }) => state),
      ['waiting'],
    );
    await fleet.worker(modelOf(async () => ANSWER));
    assert.deepEqual(said(await asked), ANSWER);
    assert.equal(dear, 0);
  });

  it('makes a call when one before it left room in the cap, of which it had booked more than it used', async () => {
    const gates: (() => void)[] = [];
    // Each may use some 900 tokens.
    const worker = await fleet.worker(
      modelOf(() => new Promise((resolve) => gates.push(() => resolve(ANSWER)))),
      { caps: { tokens: 1200, usd: 1 } },
    );
    const model = fleet.model();
    const asked = ['q1', 'q2'].map((question) => model.generate(requestFor('Why?'), callFor(question)));
    for (const count of [1, 2]) {
      await until(() => gates.length === count);
      assert.equal(worker.underWay, 1);
      gates[count - 1]?.();
    }
    assert.deepEqual((await Promise.all(asked)).map(said), [ANSWER, ANSWER]);
    assert.deepEqual(fleet.states, []);
  });

  it('obeys the cap of a model with all workers together, while other models go on', async () => {
    const other = 'openai-compatible/large';
    const open: Record<string, number> = { [NAME]: 0, [other]: 0 };
    const most: Record<string, number> = {};
    const gates: (() => void)[] = [];
    const busy = (name: string): Model =>
      modelOf(
        async () => {
          open[name] = (open[name] ?? 0) + 1;
          most[name] = Math.max(most[name] ?? 0, open[name]);
          await new Promise<void>((resolve) => gates.push(resolve));
          open[name] = (open[name] ?? 0) - 1;
          return ANSWER;
        },
        { name },
      );
    await fleet.queue().setCap({ model: NAME, calls: 2 });
    for (let nth = 0; nth < 2; nth++) await fleet.worker(busy(NAME), { slots: 3, others: [busy(other)] });
    const leader = fleet.leader();
    const [capped, free] = [fleet.model(leader), fleet.model(leader, 60, other)];
    await leader.meet(1000);
    const alone = fleet.leader();
    fleet.model(alone);
    await alone.meet(1000);
    assert.deepEqual([leader.slots, alone.slots], [6, 2], 'nobody chooses calls that would have to wait');
    const ask = (model: Model): Promise<unknown>[] =>
      Array.from({ length: 5 }, (_, nth) => model.generate(requestFor('Why?'), callFor(`${model.name} ${nth}`)));
    const asked = ask(capped);
    // Workers that have just begun wait until others have said which calls are under way.
    await until(() => open[NAME] === 2);
    asked.push(...ask(free));
    await until(() => open[NAME] === 2 && open[other] === 4);
    for (let ended = 0; ended < asked.length; ended++) {
      await until(() => gates.length > 0);
      gates.shift()?.();
    }
    await Promise.all(asked);
    assert.equal(most[NAME], 2);
  });

  it('obeys a cap of money a minute with all workers together', async () => {
    let asked = 0;
    const dear = modelOf(
      async () => {
        asked++;
        return { ...ANSWER, usage: { prompt: 100_000, cached: 0, completion: 0 } };
      },
      { price: { prompt: 10, cached: 10, completion: 10 } },
    );
    await fleet.queue().setCap({ model: NAME, usdAMinute: 2.5 });
    for (let nth = 0; nth < 2; nth++) await fleet.worker(dear, { slots: 3 });
    const model = fleet.model();
    const request = { ...requestFor('Why?'), prompt: 'word '.repeat(25_000) };
    const stop = new AbortController();
    const calls = Array.from({ length: 5 }, (_, nth) => model.generate(request, callFor(`q${nth}`, stop.signal)));
    const ended = Promise.allSettled(calls);
    await until(() => asked === 2 && fleet.board.taken.size === 2);
    await until(() => [...fleet.board.taken.values()].every(({ isOver }) => isOver));
    assert.deepEqual(await fleet.queue().counted({ model: NAME, usdAMinute: 2.5 }), { calls: 0, usd: 2 });
    stop.abort();
    await ended;
    assert.equal(asked, 2);
  });

  it('is told of a refused key only when no other worker serves the model', async () => {
    const refused = modelOf(async () => {
      throw new ThoughtTreeError('key-refused', foreign({ text: 'No.' }), { charged: false });
    });
    await fleet.worker(refused);
    const leader = fleet.leader();
    const model = fleet.model(leader);
    await leader.meet(1000);
    const ask = (question: string) => model.generate(requestFor('Why?'), callFor(question));
    await assert.rejects(ask('q1'), (error: unknown) => isThoughtTreeError(error, 'key-refused'));
    await fleet.worker(refused);
    await fleet.worker(modelOf(async () => ANSWER));
    await leader.meet(1000);
    assert.deepEqual(said(await ask('q2')), ANSWER);
  });
});
