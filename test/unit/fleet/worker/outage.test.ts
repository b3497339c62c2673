import assert from 'node:assert/strict';
import type { Model, ModelAnswer } from '../../../../src/core/ports/model.ts';
import { isThoughtTreeError } from '../../../../src/core/search/errors.ts';
import { ANSWER, callFor, FakeFleet, modelOf, NAME, requestFor, said } from '../../../support/fleet/fake-fleet.ts';
import { until } from '../../../support/until.ts';

describe('caps of a fleet whose database was away', () => {
  let fleet: FakeFleet;
  let gates: (() => void)[];
  let most: number;
  let busy: Model;
  beforeEach(async () => {
    fleet = new FakeFleet();
    gates = [];
    most = 0;
    let open = 0;
    busy = modelOf(async () => {
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
      side.goOn = async (calls) => {
        await new Promise((resolve) => setTimeout(resolve, 1500));
        await goOn.call(side, calls);
      };
      return side;
    };
    await fleet.queue().setCap({ model: NAME, calls: 1 });
  });
  afterEach(() => fleet.close());

  const told = (state: string): number => fleet.states.filter((each) => each === state).length;

  function ask(): Promise<ModelAnswer>[] {
    const model = fleet.model();
    return ['q1', 'q2'].map((question) => model.generate(requestFor('Why?'), callFor(question)));
  }

  /** Until each worker knows it by the rules, which it asks for every two seconds. */
  async function away(workers: number): Promise<void> {
    fleet.isAway = true;
    await until(() => told('away') === workers && fleet.refused > 12);
    // By now, what is under way counts no more, as nobody could say that it goes on.
    for (const row of fleet.board.taken.values()) row.at -= 60_000;
    fleet.isAway = false;
  }

  /** The first call counts again, and is still the only one. */
  async function isAlone(): Promise<void> {
    const [first] = fleet.board.taken.values();
    await until(() => (first?.at ?? 0) > performance.now() - 10_000);
    assert.deepEqual([gates.length, most], [1, 1]);
  }

  async function bothEnd(asked: readonly Promise<ModelAnswer>[]): Promise<void> {
    gates[0]?.();
    await until(() => gates.length === 2);
    gates[1]?.();
    assert.deepEqual((await Promise.all(asked)).map(said), [ANSWER, ANSWER]);
    assert.equal(most, 1);
  }

  it('are obeyed before the workers have said again which calls go on', async () => {
    for (let n = 0; n < 2; n++) await fleet.worker(busy, { slots: 1 });
    const asked = ask();
    await until(() => gates.length === 1);
    await away(2);
    await until(() => told('back') === 2);
    await isAlone();
    await bothEnd(asked);
  });

  it('are obeyed by a worker that begins as soon as it is back', async () => {
    await fleet.worker(busy, { slots: 1 });
    const asked = ask();
    await until(() => gates.length === 1);
    await away(1);
    await fleet.worker(busy, { slots: 1 });
    await isAlone();
    await bothEnd(asked);
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
