import assert from 'node:assert/strict';
import { isThoughtTreeError } from '../../../../src/core/search/errors.ts';
import { ANSWER, callFor, FakeFleet, modelOf, requestFor, said } from '../../../support/fleet/fake-fleet.ts';
import { until } from '../../../support/until.ts';

describe('a search that pauses while its database is away', () => {
  let fleet: FakeFleet;
  beforeEach(() => {
    fleet = new FakeFleet();
  });
  afterEach(() => fleet.close());

  const isFree = (error: unknown): boolean => isThoughtTreeError(error, 'aborted') && error.details.charged === false;
  const isCharged = (error: unknown): boolean =>
    isThoughtTreeError(error, 'aborted') && error.details.charged !== false;

  it('ends what it had not begun to send, at no cost, and goes on when it is resumed', async () => {
    fleet.isAway = true;
    const leader = fleet.leader();
    const model = fleet.model(leader);
    const asked = model.generate(requestFor('Why?'), callFor('q1'));
    asked.catch(() => undefined);
    await until(() => fleet.refused > 0);
    leader.takeBack();
    await assert.rejects(asked, isFree);
    leader.hear({ type: 'search-resumed' });
    const again = model.generate(requestFor('Why?'), callFor('q1'));
    fleet.isAway = false;
    await fleet.worker(modelOf(async () => ANSWER));
    assert.deepEqual(said(await again), ANSWER);
  });

  it('ends what may have been sent, counted', async () => {
    const leader = fleet.leader();
    const model = fleet.model(leader);
    void model.generate(requestFor('Why?'), callFor('q1')).catch(() => undefined);
    await until(() => fleet.board.jobs.size === 1);
    fleet.isAway = true;
    const asked = model.generate(requestFor('How?'), callFor('q2'));
    asked.catch(() => undefined);
    await until(() => fleet.refused > 0);
    leader.takeBack();
    await assert.rejects(asked, isCharged);
  });

  it('looks for the answers of earlier processes no longer', async () => {
    const call = callFor('q1');
    void fleet
      .model()
      .generate(requestFor('Why?'), call)
      .catch(() => undefined);
    await until(() => fleet.board.jobs.size === 1);
    const leader = fleet.leader('ab12', () => 2);
    const model = fleet.model(leader);
    const late = (signal: AbortSignal): Promise<unknown> | undefined =>
      model.late?.([{ call: call.call }], requestFor('Why?'), signal);
    await model.late?.([], requestFor('Why?'), new AbortController().signal);
    fleet.isAway = true;
    const [stop, { signal }] = [new AbortController(), new AbortController()];
    const [stopped, pausing] = [late(stop.signal), late(signal)];
    for (const each of [stopped, pausing]) each?.catch(() => undefined);
    await until(() => fleet.refused > 1);
    stop.abort();
    await assert.rejects(stopped ?? Promise.resolve(), isFree);
    leader.takeBack();
    await assert.rejects(pausing ?? Promise.resolve(), isFree);
  });
});
