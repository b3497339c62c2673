import assert from 'node:assert/strict';
import { isThoughtTreeError } from '../../../../src/core/search/errors.ts';
import {
  ANSWER,
  callFor,
  FakeFleet,
  modelOf,
  NAME,
  requestFor,
  said,
  until,
} from '../../../support/fleet/fake-fleet.ts';

describe('caps of a fleet whose database was away', () => {
  let fleet: FakeFleet;
  beforeEach(() => {
    fleet = new FakeFleet();
  });
  afterEach(() => fleet.close());

  it('are obeyed before the workers have said again which calls go on', async () => {
    const gates: (() => void)[] = [];
    let open = 0;
    let most = 0;
    const busy = modelOf(async () => {
      most = Math.max(most, ++open);
      await new Promise<void>((resolve) => gates.push(resolve));
      open--;
      return ANSWER;
    });
    const { queue } = fleet;
    fleet.queue = () => {
      const side = queue.call(fleet);
      const { goOn } = side;
      // Later than every worker has looked for calls.
      side.goOn = async (ids) => {
        await new Promise((resolve) => setTimeout(resolve, 1500));
        await goOn.call(side, ids);
      };
      return side;
    };
    await fleet.queue().setCap({ model: NAME, calls: 1 });
    for (let n = 0; n < 2; n++) await fleet.worker(busy, { slots: 1 });
    const model = fleet.model();
    const asked = ['q1', 'q2'].map((question) => model.generate(requestFor('Why?'), callFor(question)));
    await until(() => gates.length === 1);

    const away = (): number => fleet.states.filter((state) => state === 'away').length;
    const back = (): number => fleet.states.filter((state) => state === 'back').length;
    fleet.isAway = true;
    // Both know it by the rules, which they ask for every two seconds.
    await until(() => away() === 2 && fleet.refused > 12);
    // By now, what is under way counts no more, as nobody could say that it goes on.
    for (const row of fleet.board.taken.values()) row.at -= 60_000;
    fleet.isAway = false;
    await until(() => back() === 2);
    const [first] = fleet.board.taken.values();
    await until(() => (first?.at ?? 0) > performance.now() - 10_000);
    assert.deepEqual([gates.length, most], [1, 1]);

    gates[0]?.();
    await until(() => gates.length === 2);
    gates[1]?.();
    assert.deepEqual((await Promise.all(asked)).map(said), [ANSWER, ANSWER]);
    assert.equal(most, 1);
  });
});

describe('an answer that is too long for the queue', () => {
  let fleet: FakeFleet;
  beforeEach(() => {
    fleet = new FakeFleet();
  });
  afterEach(() => fleet.close());

  it('is told to the search at once, as one that was paid for', async () => {
    let calls = 0;
    const worker = await fleet.worker(
      modelOf(async () => {
        calls++;
        return { ...ANSWER, text: 'x'.repeat(9 * 1024 * 1024) };
      }),
    );
    await assert.rejects(
      fleet.model().generate(requestFor('Why?'), callFor('q1')),
      (error: unknown) =>
        isThoughtTreeError(error, 'bad-answer') && error.details.charged === true && /too long/.test(error.message),
    );
    const [{ state } = { state: undefined }] = fleet.board.jobs.values();
    assert.deepEqual([calls, worker.underWay, state], [1, 0, 'answered']);
  });
});
