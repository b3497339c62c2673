import assert from 'node:assert/strict';
import { isThoughtTreeError } from '../../../../src/core/search/errors.ts';
import { Unserved } from '../../../../src/fleet/leader/fleet-leader.ts';
import { queueOf } from '../../../../src/fleet/names.ts';
import type { WorkerRegistration } from '../../../../src/fleet/protocol.ts';
import { ANSWER, callFor, FakeFleet, modelOf, NAME, requestFor, said } from '../../../support/fleet/fake-fleet.ts';
import { until } from '../../../support/until.ts';

describe('a search whose workers leave', () => {
  let fleet: FakeFleet;
  beforeEach(() => {
    fleet = new FakeFleet();
  });
  afterEach(() => fleet.close());

  it('says once that there is none any more, and that one is there again', async () => {
    const worker = await fleet.worker(modelOf(async () => ANSWER));
    const leader = fleet.leader();
    fleet.model(leader);
    await leader.meet(1000);
    assert.deepEqual(fleet.notices, []);
    await worker.drain();
    await until(() => fleet.notices.length > 0);
    await fleet.worker(modelOf(async () => ANSWER));
    await until(() => fleet.notices.length > 1);
    assert.match(fleet.notices.join('\n'), /^No worker of the fleet serves .+\nA worker of the fleet serves [^\n]+$/);
  });

  it('says nothing where workers only have to show themselves again, as after a time without the database', () => {
    const told: string[] = [];
    const unserved = new Unserved(({ text }) => void told.push(text));
    const models = [{ name: NAME, origin: undefined, price: undefined, seconds: 60 }];
    const served = { queue: queueOf(NAME, undefined), name: NAME, free: false, tools: false, warmsCache: false };
    const workers = [{ slots: 1, state: 'working', models: [served] } as unknown as WorkerRegistration];
    for (const look of [workers, [], workers, []]) unserved.tell(models, look);
    assert.deepEqual(told, []);
    unserved.tell(models, []);
    assert.equal(told.length, 1);
  });

  it('takes back what nobody has taken once it is to pause, and nothing else', async () => {
    let answer: (() => void) | undefined;
    const leader = fleet.leader();
    const model = fleet.model(leader);
    const worker = await fleet.worker(
      modelOf(() => new Promise((resolve) => (answer = () => resolve(ANSWER)))),
      {
        slots: 1,
      },
    );
    const taken = model.generate(requestFor('Why?'), callFor('q1'));
    await until(() => answer !== undefined);
    const isFree = (error: unknown): boolean => isThoughtTreeError(error, 'aborted') && error.details.charged === false;
    const waiting = model.generate(requestFor('How?'), callFor('q2'));
    await until(() => fleet.board.jobs.size === 2);
    leader.takeBack();
    await assert.rejects(waiting, isFree);
    await assert.rejects(model.generate(requestFor('Who?'), callFor('q3')), isFree);
    answer?.();
    assert.deepEqual(said(await taken), ANSWER);
    assert.equal(worker.underWay, 0);
    leader.hear({ type: 'search-resumed' });
    answer = undefined;
    const again = model.generate(requestFor('How?'), callFor('q4'));
    await until(() => answer !== undefined);
    (answer as unknown as () => void)();
    assert.deepEqual(said(await again), ANSWER);
  });
});
