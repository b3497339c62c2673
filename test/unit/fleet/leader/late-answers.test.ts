import assert from 'node:assert/strict';
import type { Model, UnaskedUse } from '../../../../src/core/ports/model.ts';
import type { Delivery } from '../../../../src/core/search/events.ts';
import { jobOf, queueOf } from '../../../../src/fleet/names.ts';
import type { Result } from '../../../../src/fleet/protocol.ts';
import { type CallPlace, pack } from '../../../../src/fleet/queue.ts';
import {
  ANSWER,
  answerTo,
  callFor,
  FakeFleet,
  modelOf,
  NAME,
  requestFor,
  said,
} from '../../../support/fleet/fake-fleet.ts';
import { until } from '../../../support/until.ts';

const GOOD = { outcome: 'answer', ...ANSWER } as Result;
const SEARCH = 'ab12';
/** In seconds: nobody lives to see a call that is waited for until it is late. */
const HOUR = 3600;

describe('an answer to a call that an earlier process sent again and again', () => {
  let fleet: FakeFleet;
  beforeEach(() => {
    fleet = new FakeFleet();
  });
  afterEach(() => fleet.close());

  const told = async (place: CallPlace): Promise<void> =>
    fleet.queue().answer(place, SEARCH, await answerTo(place.id, GOOD), 'w');

  /** An earlier process sent a call again, as its workers had put it off; what they said is deleted. */
  async function sentAgain(call: string, times: number): Promise<CallPlace> {
    const place = { id: jobOf(SEARCH, call, queueOf(NAME, undefined), times), queue: queueOf(NAME, undefined) };
    await fleet.queue().openSearch(SEARCH);
    await fleet.queue().send({ ...place, payload: await pack({}), seconds: 60 });
    return place;
  }

  for (const [what, times, isEarly] of [
    ['came while no leader lived', 6, true],
    ['is still to come', 6, false],
    ['is one to the last sending', 1000, true],
  ] as const)
    it(`is used where it ${what}`, async () => {
      const { call } = callFor('q1');
      const last = await sentAgain(call, times);
      if (isEarly) await told(last);
      const late = fleet.model().late?.([{ call }], requestFor('Why?'), new AbortController().signal);
      if (!isEarly) await told(last);
      const found = await late;
      assert.deepEqual([found?.call, said(found?.answer)], [call, ANSWER]);
    });

  it('is not used for a model of the same name at another server', async () => {
    const { signal } = new AbortController();
    const at = (origin: string): Model =>
      fleet.leader(SEARCH).model({ name: NAME, origin, price: undefined, seconds: 60 });
    const former = at('https://one.example');
    const [open, given] = [callFor('q1'), callFor('q2')];
    const asked = [former.generate(requestFor('Why?'), open), former.generate(requestFor('How?'), given)];
    await until(() => fleet.board.jobs.size === 2);
    const jobs = [...fleet.board.jobs.values()];
    for (const each of jobs) await fleet.queue().answer(each, SEARCH, await answerTo(each.id, GOOD), 'w');
    const { making } = (await asked[1]) ?? {};
    const late = (model: Model): ReturnType<NonNullable<Model['late']>> =>
      model.late?.(
        [{ call: open.call }, { call: given.call, ...(making && { making }) }],
        requestFor('How?'),
        signal,
      ) ?? Promise.resolve(undefined);
    const [other, same] = [at('https://two.example'), at('https://one.example')];
    assert.equal(await late(other), undefined);
    assert.deepEqual(said((await late(same))?.answer), ANSWER);
    for (const each of [former, other, same]) await each.close?.();
  });

  it('is not used for another question that an earlier process asked, too', async () => {
    const [a, b] = [callFor('qa').call, callFor('qb').call];
    const [first, second] = [await sentAgain(a, 0), await sentAgain(b, 0)];
    // Both are taken; the first one's worker does not move.
    for (const place of [first, second]) {
      const job = fleet.board.jobs.get(place.id);
      assert.ok(job);
      Object.assign(job, { state: 'taken', beatAt: performance.now() + 1e9 });
    }
    const model = fleet.model();
    const stop = new AbortController();
    const lateA = model.late?.([{ call: a }], requestFor('Question A?'), stop.signal);
    const lateB = model.late?.([{ call: b }], requestFor('Question B?'), stop.signal);
    await until(() => fleet.board.jobs.size === 2);
    Object.assign(fleet.board.jobs.get(first.id) ?? {}, { state: 'lost' });
    assert.equal(await lateA, undefined);
    const text = (say: string): Result => ({ ...GOOD, text: say }) as Result;
    await fleet.queue().answer(first, SEARCH, await answerTo(first.id, text('of A')), 'v');
    await fleet.queue().answer(second, SEARCH, await answerTo(second.id, text('of B')), 'w');
    assert.equal((await lateB)?.answer.text, 'of B');
  });
});

describe('an answer that an earlier process was given, which was killed before it had written its words', () => {
  let fleet: FakeFleet;
  beforeEach(() => {
    fleet = new FakeFleet();
  });
  afterEach(() => fleet.close());

  const { signal } = new AbortController();

  /** A process asks, and is killed right after the answer. */
  async function killed(): Promise<{ call: string; making: Delivery }> {
    await fleet.worker(modelOf(async () => ANSWER));
    const call = callFor('q1');
    const { making } = await fleet.model().generate(requestFor('Why?'), call);
    assert.ok(making);
    return { call: call.call, making };
  }

  function resumed(makings: readonly Delivery[]): { model: Model; used: UnaskedUse[] } {
    const used: UnaskedUse[] = [];
    const model = fleet.model(fleet.leader(), HOUR);
    model.onUnasked?.((use) => used.push(use), { makings, further: [], most: { tokens: 0, usd: 0 } });
    return { model, used };
  }

  it('is given to the next one as well, and counted once', async () => {
    const made = await killed();
    for (const process of ['the second', 'the third']) {
      const { model, used } = resumed([made.making]);
      const again = await model.late?.([made], requestFor('Why?'), signal);
      assert.deepEqual([again?.call, said(again?.answer), used], [made.call, ANSWER, []], process);
    }
    assert.equal(fleet.board.jobs.size, 1);
  });

  it('is given to that one once, also where its queue is read again after it was away', async () => {
    const made = await killed();
    const { model, used } = resumed([made.making]);
    const again = async (): Promise<string | undefined> =>
      (await model.late?.([made], requestFor('Why?'), signal))?.answer.text;
    assert.deepEqual([await again(), await again()], [ANSWER.text, undefined]);
    fleet.isAway = true;
    await until(() => fleet.refused > 0);
    fleet.isAway = false;
    // Its answer is read together with the first one.
    await model.generate(requestFor('How?'), callFor('q2'));
    assert.equal(await again(), undefined);
    assert.deepEqual(used, []);
  });

  it('is not waited for where it is not there any more', async () => {
    const made = await killed();
    fleet.board.answers.get(SEARCH)?.clear();
    const { model } = resumed([made.making]);
    assert.equal(await model.late?.([made], requestFor('Why?'), signal), undefined);
  });
});
