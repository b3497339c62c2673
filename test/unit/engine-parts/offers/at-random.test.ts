import assert from 'node:assert/strict';
import type { Offer } from '../../../../src/core/offers/offer.ts';
import { SearchRecord } from '../../../../src/core/search/record/search-record.ts';
import type { Outcome } from '../../../../src/engine/loop.ts';
import type { Search } from '../../../../src/engine/search.ts';
import { forEverySeed } from '../../../support/effort.ts';
import { createMemoryStore, MemoryFiles } from '../../../support/memory-store.ts';
import { snapshotOf } from '../../../support/searches/search-snapshot.ts';
import { answer, giveBack, take } from '../../../support/toy-kind/errands-acts.ts';
import { resultFor, runErrands } from '../../../support/toy-kind/errands-client.ts';
import { ERRAND_MS } from '../../../support/toy-kind/errands-offers.ts';
import { withErrands } from '../../../support/toy-kind/offered-errands.ts';
import { handsOf, MOVE_HOUSE, simulateErrands } from '../../../support/toy-kind/simulated-errands.ts';
import { seededRandom, type VirtualClock } from '../../../support/virtual-clock.ts';

describe('random acts on offers, with restarts', () => {
  it('answer each of them once, and come to the same tree', async () => {
    const expected = await treeOf(async (search, run) => void (await runErrands(handsOf(search, run))));
    await forEverySeed(40, async (seed) => {
      const random = seededRandom(seed);
      const files = new MemoryFiles();
      for (let isOver = false, opened = 0; !isOver; opened++) {
        const { search, run, clock, store } = await simulateErrands(
          createMemoryStore(MOVE_HOUSE, files),
          seed * 100 + opened,
        );
        for (let acts = 0; !isOver && acts < 6; acts++) {
          const outcome = await run();
          isOver = outcome.state === 'finished';
          if (outcome.state === 'waiting') await actAtRandom(search, outcome.offers, random.next, clock);
        }
        const read = SearchRecord.of(await store.readJournal());
        assert.deepEqual(read.offers, search.record.offers, `seed ${seed}`);
        await search.close();
      }
      assert.deepEqual(await snapshotOf(files), expected, `seed ${seed}`);
    });
  });

  const CLIENTS = ['one', 'two', 'three'];

  async function treeOf(work: (search: Search, run: () => Promise<Outcome>) => Promise<void>) {
    const files = new MemoryFiles();
    const { search, run } = await simulateErrands(createMemoryStore(MOVE_HOUSE, files));
    await work(search, run);
    return await snapshotOf(files);
  }

  /** Takes, gives back, lets time pass or answers some of the offers; what is refused is refused. */
  async function actAtRandom(
    search: Search,
    offers: readonly Offer[],
    next: () => number,
    clock: VirtualClock,
  ): Promise<void> {
    const one = <T>(from: readonly T[]): T => from[Math.floor(next() * from.length)] as T;
    const by = one(CLIENTS);
    const some = offers.filter(() => next() < 0.5);
    const refused = (error: { reason?: string }): void => assert.match(error.reason ?? '', /^offer-/);
    const dice = next();
    if (dice < 0.3) await take(search, one(offers).id, by, next() < 0.2).catch(refused);
    else if (dice < 0.4) await giveBack(search, one(offers).id, by).catch(refused);
    else if (dice < 0.5) await clock.run(clock.sleep(next() * 2 * ERRAND_MS));
    else if (some.length > 0) {
      const answers = some.map((offer) => ({ offer: offer.id, result: resultFor(offer) }));
      await answer(search, answers, by).catch(refused);
    }
  }
});

describe('the record of offers', () => {
  it('is the same for whoever reads the journal', async () => {
    const { search, ids, store } = await withErrands();
    await take(search, ids[0] ?? '', 'one');
    await answer(search, [{ offer: ids[1] ?? '', result: { done: 'yes' } }], 'two');
    const read = SearchRecord.of(await store.readJournal());
    assert.deepEqual(read.offers, search.record.offers);
    assert.equal(read.offers.size, 2);
    assert.equal(read.offers.settled(ids[1] ?? ''), 'answered');
    assert.equal(read.offers.find(ids[0] ?? '')?.taking?.by, 'one');
  });
});
