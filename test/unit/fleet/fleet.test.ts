import assert from 'node:assert/strict';
import { foreign } from '../../../src/core/messages/message.ts';
import type { ModelRequest } from '../../../src/core/ports/model.ts';
import { isThoughtTreeError, ThoughtTreeError } from '../../../src/core/search/errors.ts';
import { jobOf, queueOf } from '../../../src/fleet/names.ts';
import type { Result } from '../../../src/fleet/protocol.ts';
import { pack } from '../../../src/fleet/queue.ts';
import {
  ANSWER,
  answerFrom,
  answerTo,
  callFor,
  FakeFleet,
  modelOf,
  NAME,
  requestFor,
  said,
} from '../../support/fleet/fake-fleet.ts';
import { until } from '../../support/until.ts';

describe('a fleet', () => {
  let fleet: FakeFleet;
  beforeEach(() => {
    fleet = new FakeFleet();
  });
  afterEach(() => fleet.close());

  it('carries out a call with what was asked, and nothing else', async () => {
    const asked: ModelRequest[] = [];
    await fleet.worker(
      modelOf(async (request) => {
        asked.push(request);
        return ANSWER;
      }),
    );
    const turns = [
      { role: 'user' as const, text: 'Before?', session: 's' },
      { role: 'assistant' as const, text: 'Before.', session: 's' },
    ];
    const request = {
      ...requestFor('Why?'),
      turns,
      shared: 1,
      data: { question: 'secret' },
      workplace: undefined as never,
    };
    const answer = await fleet.model().generate(request, callFor('q1'));
    assert.deepEqual(said(answer), ANSWER);
    const { data: _, workplace: _place, ...rest } = request;
    const plain = turns.map(({ role, text }) => ({ role, text }));
    assert.deepEqual(asked, [{ ...rest, turns: plain, data: { question: '' } }]);
  });

  it('tells why a call failed, and whether it cost anything', async () => {
    await fleet.worker(
      modelOf(async () => {
        throw new ThoughtTreeError('server-error', foreign({ text: 'It broke.' }), { charged: false, retryAfterMs: 3 });
      }),
    );
    await assert.rejects(fleet.model().generate(requestFor('Why?'), callFor('q1')), (error: unknown) => {
      assert.ok(isThoughtTreeError(error, 'server-error'));
      assert.deepEqual([error.message, error.details.charged, error.details.retryAfterMs], ['It broke.', false, 3]);
      return true;
    });
  });

  it('takes back a call that nobody took, which then cost nothing', async () => {
    const stop = new AbortController();
    const asked = fleet.model().generate(requestFor('Why?'), callFor('q1', stop.signal));
    await until(() => fleet.board.jobs.size === 1);
    stop.abort();
    await assert.rejects(
      asked,
      (error: unknown) => isThoughtTreeError(error, 'aborted') && error.details.charged === false,
    );
    assert.equal(fleet.board.jobs.size, 0);
  });

  it('stops a call under way', async () => {
    const stop = new AbortController();
    let isStopped = false;
    await fleet.worker(
      modelOf(
        (_request, { signal }) =>
          new Promise((_, reject) => {
            signal.addEventListener('abort', () => {
              isStopped = true;
              reject(new Error('stopped'));
            });
          }),
      ),
    );
    const asked = fleet.model().generate(requestFor('Why?'), callFor('q1', stop.signal));
    await until(() => [...fleet.board.jobs.values()].some(({ state }) => state === 'taken'));
    stop.abort();
    await assert.rejects(
      asked,
      (error: unknown) => isThoughtTreeError(error, 'aborted') && error.details.charged !== false,
    );
    await until(() => isStopped);
  });

  it('leaves a server alone that asks for it, and goes on with a worker that has another key', async () => {
    let refused = 0;
    const limited = modelOf(async () => {
      refused++;
      throw new ThoughtTreeError('rate-limited', foreign({ text: 'Too many.' }), {
        charged: false,
        retryAfterMs: 60_000,
      });
    });
    await fleet.worker(limited, { account: 'a' });
    const model = fleet.model();
    const first = model.generate(requestFor('Why?'), callFor('q1'));
    await until(() => refused === 1);
    await fleet.worker(limited, { account: 'a' });
    const second = model.generate(requestFor('How?'), callFor('q2'));
    await fleet.worker(
      modelOf(async () => ANSWER),
      { account: 'b' },
    );
    assert.deepEqual([said(await first), said(await second)], [ANSWER, ANSWER]);
    assert.equal(refused, 1);
  });

  it('ends a worker whose fleet has become one of another version', async () => {
    await fleet.worker(modelOf(async () => ANSWER));
    await fleet.queue().setVersion({ protocol: 2, program: '9.8.7' });
    await until(() => fleet.states.includes('not of 9.8.7'));
  });

  it('finishes what it has begun before it goes, and takes nothing new', async () => {
    let answer: (() => void) | undefined;
    const worker = await fleet.worker(modelOf(() => new Promise((resolve) => (answer = () => resolve(ANSWER)))));
    const model = fleet.model();
    const first = model.generate(requestFor('Why?'), callFor('q1'));
    await until(() => answer !== undefined);
    const drained = worker.drain();
    const stop = new AbortController();
    const second = model.generate(requestFor('How?'), callFor('q2', stop.signal));
    answer?.();
    assert.deepEqual(said(await first), ANSWER);
    await drained;
    stop.abort();
    await assert.rejects(
      second,
      (error: unknown) => isThoughtTreeError(error, 'aborted') && error.details.charged === false,
    );
  });

  it('gives calls back as failed if it has to go at once', async () => {
    const worker = await fleet.worker(
      modelOf(
        (_, { signal }) =>
          new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('x')))),
      ),
    );
    const asked = fleet.model().generate(requestFor('Why?'), callFor('q1'));
    await until(() => [...fleet.board.jobs.values()].some(({ state }) => state === 'taken'));
    worker.stop();
    await assert.rejects(asked, (error: unknown) => isThoughtTreeError(error, 'cut-off'));
  });

  it('says once that the queue is away, and that it is back, however busy it is', async () => {
    let answer: (() => void) | undefined;
    await fleet.worker(
      modelOf(() => new Promise((resolve) => (answer = () => resolve(ANSWER)))),
      { slots: 1 },
    );
    const asked = fleet.model().generate(requestFor('Why?'), callFor('q1'));
    await until(() => answer !== undefined);
    fleet.isAway = true;
    await until(() => fleet.refused >= 8);
    assert.deepEqual(fleet.states, ['away']);
    fleet.isAway = false;
    await until(() => fleet.states.length > 1);
    answer?.();
    assert.deepEqual(said(await asked), ANSWER);
    assert.deepEqual(fleet.states, ['away', 'back']);
  });

  it('notices a call whose worker is gone, and uses its answer for the next that asks the same', async () => {
    const model = fleet.model();
    const asked = model.generate(requestFor('Why?'), callFor('q1'));
    await until(() => fleet.board.jobs.size === 1);
    const queue = fleet.queue();
    const [taken] = await queue.take(queueOf(NAME, undefined), 1);
    assert.ok(taken);
    fleet.board.now = () => performance.now() + 11_000;
    await assert.rejects(
      asked,
      (error: unknown) => isThoughtTreeError(error, 'cut-off') && error.details.charged !== false,
    );
    const again = model.generate(requestFor('Why?'), callFor('q1'));
    await until(() => fleet.board.jobs.size === 2);
    await queue.answer(taken, 'ab12', await answerTo(taken.id, { outcome: 'answer', ...ANSWER } as Result), 'frozen');
    assert.deepEqual(said(await again), ANSWER);
    assert.equal((await queue.take(queueOf(NAME, undefined), 1)).length, 0, 'the second call was withdrawn');
  });

  it('adopts an answer that came while no leader lived, and one that is still to come', async () => {
    const dead = fleet.model();
    const [first, second] = [callFor('q1'), callFor('q2')];
    for (const [prompt, call] of [
      ['Why?', first],
      ['How?', second],
    ] as const)
      void dead.generate(requestFor(prompt), call).catch(() => undefined);
    const queue = fleet.queue();
    await until(() => fleet.board.jobs.size === 2);
    await queue.take(queueOf(NAME, undefined), 2);
    const job = (call: string): { id: string; queue: string } => ({
      id: jobOf('ab12', call, queueOf(NAME, undefined)),
      queue: queueOf(NAME, undefined),
    });
    const told = async (call: string): Promise<void> => {
      const place = job(call);
      await queue.answer(place, 'ab12', await answerTo(place.id, { outcome: 'answer', ...ANSWER } as Result), 'w');
    };
    const resumed = fleet.model();
    const { signal } = new AbortController();
    await told(first.call);
    const early = await resumed.late?.([{ call: first.call }], requestFor('Why?'), signal);
    assert.deepEqual([early?.call, said(early?.answer)], [first.call, ANSWER]);
    const later = resumed.late?.([{ call: second.call }], requestFor('How?'), signal);
    await told(second.call);
    const late = await later;
    assert.deepEqual([late?.call, said(late?.answer)], [second.call, ANSWER]);
    assert.equal(await resumed.late?.([{ call: callFor('q3').call }], requestFor('Who?'), signal), undefined);
    const third = callFor('q4');
    void dead.generate(requestFor('Where?'), third).catch(() => undefined);
    await until(() => fleet.board.jobs.has(job(third.call).id));
    Object.assign(fleet.board.jobs.get(job(third.call).id) ?? {}, { state: 'answered' });
    const justNow = fleet.model().late?.([{ call: third.call }], requestFor('Where?'), signal);
    await new Promise((resolve) => setTimeout(resolve, 50));
    await told(third.call);
    const found = await justNow;
    assert.deepEqual([found?.call, said(found?.answer)], [third.call, ANSWER]);
  });

  const good = { outcome: 'answer', ...ANSWER } as Result;
  for (const [what, forged] of [
    [
      'somebody who did not take the call',
      async (id: string) => pack({ ...answerFrom(id, good), token: '0'.repeat(64) }),
    ],
    ['a worker of another version', async (id: string) => pack({ ...answerFrom(id, good), protocol: 2 })],
    ['nobody that knows the form', async () => ({ packed: 'AAAA' })],
    [
      'a worker that says it used less than nothing',
      async (id: string) => answerTo(id, { ...good, usage: { prompt: -1, cached: 0, completion: 4 } } as Result),
    ],
  ] as const)
    it(`waits for the answer of a worker, not of ${what}`, async () => {
      const asked = fleet.model().generate(requestFor('Why?'), callFor('q1'));
      await until(() => fleet.board.jobs.size === 1);
      const [job] = fleet.board.jobs.values();
      assert.ok(job);
      await fleet.queue().answer(job, 'ab12', await forged(job.id), 'hostile');
      await fleet.worker(modelOf(async () => ({ ...ANSWER, text: 'The right one.' })));
      assert.equal((await asked).text, 'The right one.');
    });

  it('counts at its worst what a worker says that cannot be right, and uses no answer without end', async () => {
    const text = 'word '.repeat(300);
    await fleet.worker(
      modelOf(async ({ prompt }) => ({ ...ANSWER, text: prompt === 'Long?' ? text.repeat(10) : text })),
    );
    const model = fleet.model();
    const { usage, doubts } = await model.generate(requestFor('Why?'), callFor('q1'));
    assert.deepEqual([usage, doubts], [undefined, ['nothing']]);
    await assert.rejects(model.generate(requestFor('Long?'), callFor('q2')), (error: unknown) =>
      isThoughtTreeError(error, 'bad-answer'),
    );
  });

  it('has room for as many calls as its workers, at the dearest of their prices', async () => {
    const leader = fleet.leader();
    const model = fleet.model(leader);
    await leader.meet(0);
    assert.equal(leader.slots, 1);
    assert.match(fleet.notices.join(), /No worker of the fleet serves openai-compatible\/small/);
    const rates = (prompt: number, completion: number): object => ({ price: { prompt, cached: 1, completion } });
    await fleet.worker(
      modelOf(async () => ANSWER, rates(5, 6)),
      { slots: 3 },
    );
    await fleet.worker(
      modelOf(async () => ANSWER, rates(3, 9)),
      { slots: 2 },
    );
    await leader.meet(1000);
    assert.equal(leader.slots, 5);
    assert.deepEqual(model.price, { prompt: 5, cached: 1, completion: 9 });
  });

  it('has plans made for all of its slots, and for the usual number while there are few', async () => {
    const leader = fleet.leader();
    fleet.model(leader);
    await leader.meet(0);
    assert.equal(leader.planned, 4);
    for (let nth = 0; nth < 2; nth++)
      await fleet.worker(
        modelOf(async () => ANSWER),
        { slots: 500 },
      );
    await leader.meet(1000);
    assert.equal(leader.planned, 1000);
  });
});
