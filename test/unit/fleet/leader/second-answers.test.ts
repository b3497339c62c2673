import assert from 'node:assert/strict';
import type { MadeBefore, Model, UnaskedUse, Usage } from '../../../../src/core/ports/model.ts';
import { isThoughtTreeError } from '../../../../src/core/search/errors.ts';
import type { Delivery } from '../../../../src/core/search/events.ts';
import { consequenceOf } from '../../../../src/engine/loop.ts';
import type { FleetLeader } from '../../../../src/fleet/leader/fleet-leader.ts';
import { queueOf } from '../../../../src/fleet/names.ts';
import type { Result } from '../../../../src/fleet/protocol.ts';
import { pack } from '../../../../src/fleet/queue.ts';
import {
  ANSWER,
  answerFrom,
  answerTo,
  callFor,
  FakeFleet,
  NAME,
  requestFor,
  said,
} from '../../../support/fleet/fake-fleet.ts';
import { until } from '../../../support/until.ts';

const GOOD = { outcome: 'answer', ...ANSWER } as Result;
const NOTHING: MadeBefore = { makings: [], further: [], most: { tokens: 0, usd: 0 } };

const usagesOf = (used: readonly UnaskedUse[]): Usage[] => used.map(({ usage }) => usage);
/** A failure that the server was paid for. */
const PAID_FAILURE: Result = {
  ...{ outcome: 'failure', reason: 'bad-answer', message: 'Bad.', charged: true },
  say: { key: 'fleet.stopped', args: {} },
};
/** One that cost nothing. */
const FREE_FAILURE: Result = { ...PAID_FAILURE, reason: 'bad-request', charged: false };

describe('a second answer to a call, which was paid for as well', () => {
  let fleet: FakeFleet;
  beforeEach(() => {
    fleet = new FakeFleet();
  });
  afterEach(() => fleet.close());

  /** A model, and what nobody asked it for. */
  function modelAfter(before = NOTHING, leader = fleet.leader()): { model: Model; used: UnaskedUse[] } {
    const model = fleet.model(leader);
    const used: UnaskedUse[] = [];
    model.onUnasked?.((use) => used.push(use), before);
    return { model, used };
  }

  async function answers(...all: readonly (readonly [job: string, payload: object, by: string])[]): Promise<void> {
    for (const [id, payload, by] of all)
      await fleet.queue().answer({ id, queue: queueOf(NAME, undefined) }, 'ab12', payload as never, by);
  }

  async function sent(): Promise<string> {
    await until(() => fleet.board.jobs.size === 1);
    return [...fleet.board.jobs.keys()][0] as string;
  }

  it('is counted, and no answer twice', async () => {
    const { model, used } = modelAfter();
    const asked = model.generate(requestFor('Why?'), callFor('q1'));
    const job = await sent();
    const [first, second] = [await answerTo(job, GOOD), await answerTo(job, GOOD)];
    await answers([job, first, 'first']);
    assert.deepEqual(said(await asked), ANSWER);
    await answers([job, first, 'again'], [job, first, 'and again'], [job, second, 'b'], [job, second, 'b again']);
    await until(() => used.length > 0);
    await until(() => fleet.board.answers.get('ab12')?.size === 5);
    assert.deepEqual(usagesOf(used), [ANSWER.usage]);
  });

  it('is counted however often a call was made, and lets the search pause where that cannot be in good faith', async () => {
    const { model, used } = modelAfter();
    const asked = model.generate(requestFor('Why?'), callFor('q1'));
    const job = await sent();
    await answers([job, await answerTo(job, GOOD), 'a']);
    await asked;
    await answers(
      ...(await Promise.all(['b', 'c', 'd'].map(async (by) => [job, await answerTo(job, GOOD), by] as const))),
    );
    await until(() => used.length === 3);
    const next = model.generate(requestFor('How?'), callFor('q2'));
    await until(() => fleet.board.jobs.size === 2);
    await answers([job, await answerTo(job, GOOD), 'e']);
    await until(() => used.length === 4);
    await assert.rejects(
      model.generate(requestFor('Who?'), callFor('q3')),
      (error: unknown) => consequenceOf(error) === 'person' && /answers came to one call/.test(String(error)),
    );
    await answers([job, await answerTo(job, GOOD), 'f']);
    await until(() => used.length === 5);
    const second = [...fleet.board.jobs.keys()][1] as string;
    await answers([second, await answerTo(second, GOOD), 'a']);
    assert.deepEqual(said(await next), ANSWER, 'what is under way is not lost');
  });

  it('is counted by a process that resumes the search, as far as the call can have used it', async () => {
    const first = modelAfter();
    const asked = first.model.generate(requestFor('Why?'), callFor('q1'));
    const job = await sent();
    const used = { prompt: 9_000_000, cached: 0, completion: 4, usd: 900 };
    const [known, second] = [await answerTo(job, GOOD), await answerTo(job, { ...GOOD, usage: used } as Result)];
    await answers([job, known, 'a']);
    const { making } = await asked;
    assert.equal(making?.job, job);
    // It dies before the answer is deleted, and before the other one comes.
    const resumed = modelAfter({ ...NOTHING, makings: [making], most: { tokens: 700, usd: 0.5 } });
    void resumed.model.generate(requestFor('How?'), callFor('q2')).catch(() => undefined);
    await answers([job, second, 'b'], [job, second, 'b again']);
    await until(() => resumed.used.length > 0);
    const [{ usage } = { usage: undefined }] = resumed.used;
    assert.ok(usage && usage.prompt >= 700 && usage.prompt < 2000 && usage.completion === 4, JSON.stringify(usage));
    assert.equal(resumed.used.length, 1);
  });

  it('is counted where both came while nobody was there', async () => {
    const dead = fleet.model();
    const call = callFor('q1');
    void dead.generate(requestFor('Why?'), call).catch(() => undefined);
    const job = await sent();
    await answers([job, await answerTo(job, GOOD), 'a'], [job, await answerTo(job, GOOD), 'b']);
    const { model, used } = modelAfter({ ...NOTHING, most: { tokens: 700, usd: 0.5 } });
    const late = await model.late?.([{ call: call.call }], requestFor('Why?'), new AbortController().signal);
    assert.deepEqual(said(late?.answer), ANSWER);
    assert.deepEqual(usagesOf(used), [ANSWER.usage]);
  });

  it('is counted by every process that resumes the search, the one before as little as the first', async () => {
    const first = modelAfter();
    const asked = first.model.generate(requestFor('Why?'), callFor('q1'));
    const job = await sent();
    const [a, b, c, d] = await Promise.all(Array.from({ length: 4 }, () => answerTo(job, GOOD)));
    assert.ok(a && b && c && d);
    await answers([job, a, 'a']);
    const { making } = await asked;
    assert.ok(making);
    const further: Delivery[] = [];
    const before = { ...NOTHING, makings: [making] };
    // Each of them dies before what it has counted is deleted.
    for (const [by, payload] of [
      ['b', b],
      ['c', c],
      ['d', d],
    ] as const) {
      const { model, used } = modelAfter({ ...before, further: [...further] });
      void model.generate(requestFor('How?'), callFor(`then ${by}`)).catch(() => undefined);
      await answers([job, payload, by]);
      await until(() => used.length > 0);
      const next = model.generate(requestFor(`Who, ${by}?`), callFor(`last ${by}`));
      void next.catch(() => undefined);
      assert.deepEqual(usagesOf(used), [ANSWER.usage], by);
      further.push(...used.map((use) => use.making));
    }
    assert.equal(new Set(further.map(({ taken }) => taken)).size, 3);
  });

  it('is used where the first one was counted besides by a process that did not use it', async () => {
    const dead = fleet.model();
    const call = callFor('q1');
    void dead.generate(requestFor('Why?'), call).catch(() => undefined);
    const job = await sent();
    const counted = answerFrom(job, GOOD);
    const { taken } = counted;
    await answers([job, await pack(counted), 'a'], [job, await answerTo(job, GOOD), 'b']);
    const { model, used } = modelAfter({ ...NOTHING, further: [{ job, taken }] });
    const late = await model.late?.([{ call: call.call }], requestFor('Why?'), new AbortController().signal);
    assert.deepEqual(said(late?.answer), ANSWER);
    assert.notEqual(late?.answer.making?.taken, taken);
    assert.deepEqual(used, []);
  });

  it('is counted by the model that made it', async () => {
    const leader = fleet.leader();
    const [first, second] = [modelAfter(NOTHING, leader), fleet.model(leader, 60, 'openai-compatible/other')];
    const used: UnaskedUse[] = [];
    second.onUnasked?.((use) => used.push(use), NOTHING);
    const asked = second.generate(requestFor('Why?'), callFor('q1'));
    const job = await sent();
    await answers([job, await answerTo(job, GOOD), 'a']);
    await asked;
    await answers([job, await answerTo(job, GOOD), 'b']);
    await until(() => used.length > 0);
    assert.deepEqual([usagesOf(used), used[0]?.isOfAnother, first.used], [[ANSWER.usage], undefined, []]);
  });

  it('counts at the most that any call was booked with where its search has another model by now', async () => {
    const former = fleet.model(fleet.leader(), 60, 'openai-compatible/former');
    const asked = former.generate(requestFor('Why?'), callFor('q1'));
    const job = await sent();
    const second = await answerTo(job, GOOD);
    await answers([job, await answerTo(job, GOOD), 'a']);
    const { making } = await asked;
    assert.ok(making);
    const { model, used } = modelAfter({ ...NOTHING, makings: [making], most: { tokens: 700, usd: 0.5 } });
    void model.generate(requestFor('How?'), callFor('q2')).catch(() => undefined);
    await answers([job, second, 'b']);
    await until(() => used.length > 0);
    assert.deepEqual([usagesOf(used), used[0]?.isOfAnother], [[{ ...ANSWER.usage, usd: 0.5 }], true]);
  });

  it('is one to an earlier sending of a call, too, which its worker had put off, also for a later process', async () => {
    const first = modelAfter();
    const asked = first.model.generate(requestFor('Why?'), callFor('q1'));
    const putOff = await sent();
    await answers([putOff, await answerTo(putOff, { ...FREE_FAILURE, reason: 'rate-limited' } as Result), 'a']);
    await until(() => fleet.board.jobs.size === 2);
    const job = [...fleet.board.jobs.keys()][1] as string;
    await answers([job, await answerTo(job, GOOD), 'a']);
    const { making } = await asked;
    assert.ok(making?.job === job);
    const { model, used } = modelAfter({ ...NOTHING, makings: [making] });
    void model.generate(requestFor('How?'), callFor('q2')).catch(() => undefined);
    await answers([putOff, await answerTo(putOff, GOOD), 'b']);
    await until(() => used.length > 0);
    assert.deepEqual(usagesOf(used), [ANSWER.usage]);
  });

  it('is used, and the first one counted, where that was a failure that came while nobody was there', async () => {
    const dead = fleet.model();
    const call = callFor('q1');
    void dead.generate(requestFor('Why?'), call).catch(() => undefined);
    const job = await sent();
    await answers([job, await answerTo(job, PAID_FAILURE), 'a'], [job, await answerTo(job, GOOD), 'b']);
    const { model, used } = modelAfter({ ...NOTHING, most: { tokens: 700, usd: 0.5 } });
    const late = await model.late?.([{ call: call.call }], requestFor('Why?'), new AbortController().signal);
    assert.deepEqual(said(late?.answer), ANSWER);
    assert.ok(used.length === 1 && (used[0]?.usage.prompt ?? 0) >= 700, JSON.stringify(used));
  });

  for (const [what, failed] of [
    ['was paid for', PAID_FAILURE],
    ['cost nothing', FREE_FAILURE],
  ] as const)
    it(`is counted, also by a later process, where the first one was a failure that ${what}`, async () => {
      const first = modelAfter();
      const asked = first.model.generate(requestFor('Why?'), callFor('q1'));
      const job = await sent();
      await answers([job, await answerTo(job, failed), 'a']);
      const failure: unknown = await asked.catch((error: unknown) => error);
      assert.ok(isThoughtTreeError(failure) && failure.details.making?.job === job);
      const { model, used } = modelAfter({ ...NOTHING, makings: [failure.details.making] });
      void model.generate(requestFor('How?'), callFor('q2')).catch(() => undefined);
      await answers([job, await answerTo(job, GOOD), 'b']);
      await until(() => used.length > 0);
      assert.deepEqual(usagesOf(used), [ANSWER.usage]);
    });

  for (const [what, takeBack] of [
    ['was stopped before anybody took it', (stop: AbortController) => stop.abort()],
    ['was taken back untaken as the search was to pause', (_: unknown, leader: FleetLeader) => leader.takeBack()],
  ] as const)
    it(`is every one to a call that ${what}, where the queue was put back to before that`, async () => {
      const leader = fleet.leader();
      const { model, used } = modelAfter(NOTHING, leader);
      const stop = new AbortController();
      const asked = model.generate(requestFor('Why?'), callFor('q1', stop.signal));
      const job = await sent();
      takeBack(stop, leader);
      const untaken: unknown = await asked.catch((error: unknown) => error);
      assert.ok(isThoughtTreeError(untaken) && untaken.details.charged === false);
      assert.equal(fleet.board.jobs.size, 0);
      leader.hear({ type: 'search-resumed' });
      const same = model.generate(requestFor('Why?'), callFor('q1'));
      const next = await sent();
      await answers([job, await answerTo(job, GOOD), 'a'], [job, await answerTo(job, FREE_FAILURE), 'b']);
      await until(() => used.length > 0);
      assert.ok(fleet.board.jobs.has(next), 'its answer is not for another call as well');
      await answers([next, await answerTo(next, GOOD), 'a']);
      const { making } = await same;
      assert.equal(making?.job, next);
      assert.deepEqual(usagesOf(used), [ANSWER.usage]);
      const makings = [untaken.details.making ?? making, making];
      const later = modelAfter({ ...NOTHING, makings, further: used.map((use) => use.making) });
      void later.model.generate(requestFor('How?'), callFor('q2')).catch(() => undefined);
      await answers([job, await answerTo(job, GOOD), 'c']);
      await until(() => later.used.length > 0);
      assert.deepEqual(usagesOf(later.used), [ANSWER.usage], 'a later process counts it, too');
    });

  it('is not one if it cost nothing', async () => {
    const { model, used } = modelAfter();
    const asked = model.generate(requestFor('Why?'), callFor('q1'));
    const job = await sent();
    const say = { key: 'fleet.stopped', args: {} };
    const failed = { outcome: 'failure', reason: 'aborted', message: 'Stopped.', say, charged: false } as never;
    await answers([job, await answerTo(job, GOOD), 'a']);
    await asked;
    await answers([job, await answerTo(job, failed), 'b'], [job, await answerTo(job, GOOD), 'c']);
    await until(() => used.length > 0);
    assert.deepEqual(usagesOf(used), [ANSWER.usage]);
  });

  it('is counted at its most where nobody says what it used, and with all of its parts where somebody does', async () => {
    const { model, used } = modelAfter();
    const asked = model.generate(requestFor('Why? '.repeat(1000)), callFor('q1'));
    const job = await sent();
    await answers([job, await answerTo(job, GOOD), 'a']);
    await asked;
    const { usage: _, ...silent } = ANSWER;
    const usage = { prompt: 3000, cached: 0, completion: 3, written: 2900 };
    await answers(
      [job, await answerTo(job, { outcome: 'answer', ...silent } as Result), 'b'],
      [job, await answerTo(job, { ...GOOD, usage } as Result), 'c'],
    );
    await until(() => used.length === 2);
    assert.ok((used[0]?.usage.prompt ?? 0) >= 5000 && (used[0]?.usage.completion ?? 0) >= 500, JSON.stringify(used[0]));
    assert.deepEqual(used[1]?.usage, usage);
  });
});
