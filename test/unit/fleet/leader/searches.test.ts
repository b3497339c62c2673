import assert from 'node:assert/strict';
import { ANSWER, callFor, FakeFleet, modelOf, requestFor } from '../../../support/fleet/fake-fleet.ts';
import { until } from '../../../support/until.ts';

describe('searches of one fleet', () => {
  let fleet: FakeFleet;
  beforeEach(() => {
    fleet = new FakeFleet();
  });
  afterEach(() => fleet.close());

  it('deletes the queue for the answers of a search that is finished, and of no other', async () => {
    await fleet.worker(modelOf(async () => ANSWER));
    for (const [search, isFinished] of [
      ['aa', false],
      ['bb', true],
    ] as const) {
      const leader = fleet.leader(search);
      const model = fleet.model(leader);
      await model.generate(requestFor('Why?'), callFor('q1'));
      leader.hear({ type: isFinished ? 'search-finished' : 'search-paused' });
      await model.close?.();
    }
    assert.deepEqual([...fleet.board.answers.keys()], ['aa']);
  });

  it('are named by their cards before their queues of answers are asked for, so that nobody deletes those as abandoned', async () => {
    const did: string[] = [];
    const { queue } = fleet;
    fleet.queue = () => {
      const side = queue.call(fleet);
      const { register, openSearch } = side;
      side.register = async (card) => {
        if (card.kind === 'leader' && card.search) did.push(`card of ${card.search}`);
        await register.call(side, card);
      };
      side.openSearch = async (search) => {
        did.push(`queue of ${search}`);
        await openSearch.call(side, search);
      };
      return side;
    };
    const { signal } = new AbortController();
    await fleet.model(fleet.leader('ab')).late?.([], requestFor('Why?'), signal);
    assert.deepEqual(did.slice(0, 2), ['card of ab', 'queue of ab']);
  });

  it('shares its slots among searches', async () => {
    let answer = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await fleet.worker(
      modelOf(() => gate.then(() => ANSWER)),
      { slots: 9 },
    );
    const [busy, idle] = [fleet.leader('ab'), fleet.leader('cd')];
    const model = fleet.model(busy);
    fleet.model(idle);
    await busy.meet(5000);
    assert.equal(busy.slots, 9);
    const asked = Array.from({ length: 9 }, (_, n) => model.generate(requestFor('Why?'), callFor(`q${n}`)));
    await until(() => fleet.board.jobs.size === 9);
    await idle.meet(5000);
    await busy.meet(5000);
    await idle.meet(5000);
    // Whichever of both is the first may have the ninth.
    assert.ok([4, 5].includes(idle.slots), `${idle.slots} for the second`);
    assert.equal(busy.slots, 9, 'the second one asks for nothing yet');
    answer();
    await Promise.all(asked);
  });
});
