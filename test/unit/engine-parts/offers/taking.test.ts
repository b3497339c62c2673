import assert from 'node:assert/strict';
import { nodeAt } from '../../../../src/core/tree/tree.ts';
import { createMemoryStore } from '../../../support/memory-store.ts';
import { answer, giveBack, take } from '../../../support/toy-kind/errands-acts.ts';
import { ERRAND_MS } from '../../../support/toy-kind/errands-offers.ts';
import { offersOf, typesOf, withErrands } from '../../../support/toy-kind/offered-errands.ts';
import { MOVE_HOUSE, simulateErrands } from '../../../support/toy-kind/simulated-errands.ts';

describe('an offer', () => {
  it('belongs to whoever took it, until they give it back', async () => {
    const { search, ids } = await withErrands();
    const [offer = ''] = ids;
    const taken = await take(search, offer, 'one');
    assert.equal(taken.offer.id, offer);
    assert.equal(search.record.offers.find(offer)?.taking?.by, 'one');
    const done = [{ offer, result: { done: 'yes' } }];
    await assert.rejects(take(search, offer, 'two'), { reason: 'offer-taken' });
    await assert.rejects(giveBack(search, offer, 'two'), { reason: 'offer-taken' });
    await assert.rejects(answer(search, done, 'two'), { reason: 'offer-taken' });
    await giveBack(search, offer, 'one');
    await take(search, offer, 'two');
    await answer(search, done, 'two');
    await assert.rejects(answer(search, done, 'two'), { reason: 'offer-answered' });
    await assert.rejects(take(search, offer, 'one'), { reason: 'offer-answered' });
    await assert.rejects(take(search, 'nothing', 'one'), { reason: 'offer-gone' });
  });

  it('is free again when its time is over, counted from the taking, also across a restart', async () => {
    const { search, ids, files, clock } = await withErrands();
    const [offer = ''] = ids;
    await clock.run(clock.sleep(10 * ERRAND_MS));
    await take(search, offer, 'one');
    await clock.run(clock.sleep(ERRAND_MS / 2));
    await search.close();
    const again = await simulateErrands(createMemoryStore(MOVE_HOUSE, files), 7);
    const { clock: later } = again;
    await later.run(later.sleep(clock.now() - later.now() + ERRAND_MS / 4));
    await assert.rejects(take(again.search, offer, 'two'), { reason: 'offer-taken' });
    await later.run(later.sleep(ERRAND_MS / 4));
    assert.deepEqual(typesOf(again.events).slice(-1), ['offer-expired']);
    await assert.rejects(answer(again.search, [{ offer, result: { done: 'late' } }], 'one'), {
      reason: 'offer-expired',
    });
    await take(again.search, offer, 'one');
    await answer(again.search, [{ offer, result: { done: 'after all' } }], 'one');
    assert.equal(nodeAt(again.search.tree, 'rent-a-van')?.status, 'leaf');
  });

  it('does not expire in the hands of a person', async () => {
    const { search, ids, clock } = await withErrands();
    const [offer = ''] = ids;
    await take(search, offer, 'one', true);
    await clock.run(clock.sleep(100 * ERRAND_MS));
    await assert.rejects(take(search, offer, 'two'), { reason: 'offer-taken' });
    await answer(search, [{ offer, result: { done: 'in time' } }], 'one');
  });

  it('is kept by whoever takes it again in time', async () => {
    const { search, ids, clock } = await withErrands();
    const [offer = ''] = ids;
    for (let times = 0; times < 3; times++) {
      await take(search, offer, 'one');
      await clock.run(clock.sleep(ERRAND_MS * 0.7));
    }
    await assert.rejects(take(search, offer, 'two'), { reason: 'offer-taken' });
  });

  it('follows its node where a person renames the folder, while the search is open and while it is not', async () => {
    const { search, ids, files } = await withErrands();
    const [, packing = ''] = ids;
    const rename = (from: string, to: string): void => {
      files.put(`${to}/node.json`, files.readNow(`${from}/node.json`) ?? '');
      files.drop(from);
    };
    await take(search, packing, 'one', true);
    rename('pack-boxes', 'pack');
    await search.reconcile('');
    assert.deepEqual(search.record.offers.find(packing)?.offer.nodes, ['pack']);
    await search.close();
    rename('pack', '打包');
    const again = await simulateErrands(createMemoryStore(MOVE_HOUSE, files), 7);
    const offered = offersOf(await again.run());
    assert.deepEqual(new Set(offered.map(({ id }) => id)), new Set(ids));
    assert.equal(again.search.record.offers.find(packing)?.taking?.by, 'one');
    await answer(again.search, [{ offer: packing, result: { done: 'packed' } }], 'one');
    assert.equal(nodeAt(again.search.tree, '打包')?.status, 'leaf');
  });
});
