import assert from 'node:assert/strict';
import { isThoughtTreeError } from '../../../../src/core/search/errors.ts';
import type { Result } from '../../../../src/fleet/protocol.ts';
import { ANSWER, answerTo, callFor, FakeFleet, requestFor, said } from '../../../support/fleet/fake-fleet.ts';
import { until } from '../../../support/until.ts';

const GOOD = { outcome: 'answer', ...ANSWER } as Result;
const SEARCH = 'ab12';

describe('a process that led a search, was frozen, and wakes when another one leads it', () => {
  let fleet: FakeFleet;
  beforeEach(() => {
    fleet = new FakeFleet();
  });
  afterEach(() => fleet.close());

  it('leaves the calls alone that its successor has adopted, when it stops them', async () => {
    const frozen = fleet.model(fleet.leader(SEARCH, () => 1));
    const stop = new AbortController();
    const [waits, works] = [callFor('q1', stop.signal), callFor('q2', stop.signal)];
    const asked = [frozen.generate(requestFor('Why?'), waits), frozen.generate(requestFor('How?'), works)];
    await until(() => fleet.board.jobs.size === 2);
    const [untaken, taken] = [...fleet.board.jobs.values()];
    assert.ok(untaken && taken);
    Object.assign(taken, { state: 'taken', beatAt: performance.now() });

    const successor = fleet.model(fleet.leader(SEARCH, () => 2));
    const { signal } = new AbortController();
    const late = [waits, works].map(({ call }, index) =>
      successor.late?.([{ call }], requestFor(index === 0 ? 'Why?' : 'How?'), signal),
    );
    await until(() => fleet.board.leads.get(SEARCH) === 2);
    stop.abort();
    for (const each of asked) await assert.rejects(each, { reason: 'aborted' });
    assert.deepEqual([untaken.state, taken.state, fleet.board.jobs.size], ['waiting', 'taken', 2]);

    for (const job of [untaken, taken]) await fleet.queue().answer(job, SEARCH, await answerTo(job.id, GOOD), 'w');
    for (const each of late) assert.deepEqual(said((await each)?.answer), ANSWER);
  });

  it('ends its calls at once, but leaves its answers alone, where that one has not come to the queue yet', async () => {
    let lease: number | undefined = 1;
    const frozen = fleet.model(fleet.leader(SEARCH, () => lease));
    const stop = new AbortController();
    const answered = frozen.generate(requestFor('Why?'), callFor('q1'));
    await until(() => fleet.board.jobs.size === 1);
    const [first] = [...fleet.board.jobs.values()];
    assert.ok(first);
    await fleet.queue().answer(first, SEARCH, await answerTo(first.id, GOOD), 'w');
    assert.deepEqual(said(await answered), ANSWER);
    const asked = frozen.generate(requestFor('How?'), callFor('q2', stop.signal));
    await until(() => fleet.board.jobs.size === 2);
    const taken = [...fleet.board.jobs.values()].find(({ id }) => id !== first.id);
    assert.ok(taken);
    Object.assign(taken, { state: 'taken', beatAt: performance.now() });

    lease = undefined;
    stop.abort();
    await assert.rejects(asked, { reason: 'aborted' });
    await frozen.close?.();
    assert.deepEqual([taken.state, fleet.board.jobs.size, fleet.board.answers.get(SEARCH)?.size], ['withdrawn', 2, 1]);
  });

  it('sends nothing more, and says that it does not lead the search', async () => {
    const frozen = fleet.model(fleet.leader(SEARCH, () => 1));
    void frozen.generate(requestFor('Why?'), callFor('q1')).catch(() => undefined);
    await until(() => fleet.board.jobs.size === 1);
    void fleet.model(fleet.leader(SEARCH, () => 2)).late?.([], requestFor('Why?'), new AbortController().signal);
    await until(() => fleet.board.leads.get(SEARCH) === 2);
    await assert.rejects(frozen.generate(requestFor('How?'), callFor('q2')), { reason: 'lease-lost' });
    assert.equal(fleet.board.jobs.size, 1);
  });

  it('does not take the lead when it wakes before its first call', async () => {
    await fleet.queue().lead({ search: SEARCH, epoch: 2 });
    let lease: number | undefined = 1;
    const model = fleet.model(
      fleet.leader(SEARCH, () => {
        const held = lease;
        lease = undefined;
        return held;
      }),
    );
    const lost = (error: unknown): boolean =>
      isThoughtTreeError(error, 'lease-lost') && error.details.charged === false;
    await assert.rejects(model.generate(requestFor('Why?'), callFor('q1')), lost);
    assert.equal(fleet.board.leads.get(SEARCH), 2);
  });

  it('leads a search again whose folder was put back to before its last leases', async () => {
    await fleet.queue().lead({ search: SEARCH, epoch: 7 });
    const model = fleet.model(fleet.leader(SEARCH, () => 3));
    void model.generate(requestFor('Why?'), callFor('q1')).catch(() => undefined);
    await until(() => fleet.board.jobs.size === 1);
    assert.equal(fleet.board.leads.get(SEARCH), 3);
  });

  it('says again that it leads where the database was made anew meanwhile', async () => {
    const leader = fleet.leader(SEARCH, () => 3);
    const model = fleet.model(leader);
    await leader.meet(0);
    void model.generate(requestFor('Why?'), callFor('q1')).catch(() => undefined);
    await until(() => fleet.board.jobs.size === 1);
    fleet.isAway = true;
    await until(() => fleet.notices.some((each) => /cannot be reached/.test(each)));
    fleet.board.leads.clear();
    fleet.isAway = false;
    await until(() => fleet.board.leads.get(SEARCH) === 3);
  });
});
