import assert from 'node:assert/strict';
import { foreign } from '../../../../src/core/messages/message.ts';
import { isThoughtTreeError, ThoughtTreeError } from '../../../../src/core/search/errors.ts';
import type { CallPlace } from '../../../../src/fleet/queue.ts';
import { ANSWER, callFor, FakeFleet, modelOf, NAME, requestFor, said } from '../../../support/fleet/fake-fleet.ts';
import { MemoryQueue } from '../../../support/fleet/memory-queue.ts';
import { until } from '../../../support/until.ts';

describe('a call that is stopped', () => {
  let fleet: FakeFleet;
  beforeEach(() => {
    fleet = new FakeFleet();
  });
  afterEach(() => fleet.close());

  it('is not sent once more while it waits for a server that had put it off', async () => {
    await fleet.worker(
      modelOf(async () => {
        throw new ThoughtTreeError('rate-limited', foreign({ text: 'Too many.' }), { charged: false, retryAfterMs: 1 });
      }),
    );
    const stop = new AbortController();
    const asked = fleet.model().generate(requestFor('Why?'), callFor('q1', stop.signal));
    // From the third sending on it waits for at least a fifth of a second between two.
    await until(
      () => fleet.board.jobs.size >= 3 && [...fleet.board.jobs.values()].every(({ state }) => state !== 'taken'),
    );
    const sendings = fleet.board.jobs.size;
    stop.abort();
    const stopped: unknown = await asked.catch((error: unknown) => error);
    assert.ok(isThoughtTreeError(stopped, 'aborted') && stopped.details.charged === false);
    assert.equal(fleet.board.jobs.size, sendings);
    // Made once more, it is paid for: a later process has to know that it cost nothing before.
    assert.equal(stopped.details.making?.job, [...fleet.board.jobs.keys()].at(-1));
  });

  it('does not end others that wait for the database as well', async () => {
    fleet.isAway = true;
    const model = fleet.model();
    const stop = new AbortController();
    const stopped = model.generate(requestFor('Why?'), callFor('q1', stop.signal));
    const other = model.generate(requestFor('How?'), callFor('q2'));
    await until(() => fleet.refused > 0);
    stop.abort();
    await assert.rejects(
      stopped,
      (error: unknown) => isThoughtTreeError(error, 'aborted') && error.details.charged === false,
    );
    fleet.isAway = false;
    await fleet.worker(modelOf(async () => ANSWER));
    assert.deepEqual(said(await other), ANSWER);
  });

  for (const [what, first] of [
    ['is silent', () => new Promise<never>(() => undefined)],
    ['is cut', () => Promise.reject(new Error('cut'))],
  ] as const)
    it(`hears of it where a connection ${what}`, async () => {
      let asked = 0;
      class Cut extends MemoryQueue {
        override withdraw(calls: readonly CallPlace[]): Promise<ReadonlySet<string>> {
          return ++asked === 1 ? first() : super.withdraw(calls);
        }
      }
      fleet.queue = () => new Cut(fleet.board);
      const model = fleet.model();
      const stop = new AbortController();
      const stopped = Array.from({ length: 50 }, (_, index) =>
        model.generate(requestFor('Why?'), callFor(`q${index}`, stop.signal)).catch((error: unknown) => error),
      );
      await until(() => fleet.board.jobs.size === 50);
      const [taken] = [...fleet.board.jobs.values()];
      assert.ok(taken);
      Object.assign(taken, { state: 'taken', beatAt: performance.now() });
      stop.abort();
      await until(() => taken.state === 'withdrawn');
      const errors = await Promise.all(stopped);
      const free = errors.filter((error) => isThoughtTreeError(error, 'aborted') && error.details.charged === false);
      assert.deepEqual([errors.length, free.length, asked], [50, 49, 2], 'all are withdrawn together');
    });

  it('leaves a search that is closed soon, however long its looks take', async () => {
    let looks = 0;
    class Slow extends MemoryQueue {
      override async rules(): Promise<never> {
        looks++;
        await new Promise((resolve) => setTimeout(resolve, 5000));
        throw new Error('timeout');
      }
    }
    fleet.queue = () => new Slow(fleet.board);
    const leader = fleet.leader();
    const model = leader.model({ name: NAME, origin: undefined, price: undefined, seconds: 60 });
    void leader.meet(0);
    await until(() => looks === 1);
    await new Promise((resolve) => setTimeout(resolve, 4500)); // two looks are due meanwhile
    await model.close?.();
    assert.equal(looks, 1);
  });
});
