import assert from 'node:assert/strict';
import { nodeAt } from '../../../../src/core/tree/tree.ts';
import { createMemoryStore } from '../../../support/memory-store.ts';
import { answer, take } from '../../../support/toy-kind/errands-acts.ts';
import { runErrands } from '../../../support/toy-kind/errands-client.ts';
import { FIRST, offersOf, typesOf, withErrands } from '../../../support/toy-kind/offered-errands.ts';
import { handsOf, MOVE_HOUSE, simulateErrands } from '../../../support/toy-kind/simulated-errands.ts';

describe('a search whose work is done from outside', () => {
  it('waits for its offers instead of coming to its end, and is finished when all are answered', async () => {
    const { search, run, store } = await simulateErrands();
    const outcome = await run();
    assert.equal(outcome.state, 'waiting');
    assert.deepEqual(
      offersOf(outcome).map(({ kind, nodes, ask }) => ({ kind, nodes, ask })),
      [{ kind: 'propose', nodes: [''], ask: { question: 'Move house', most: 5 } }],
    );
    assert.equal(await runErrands(handsOf(search, run)), 9);
    assert.equal(search.state, 'finished');
    assert.deepEqual(
      nodeAt(search.tree, 'pack-boxes/kitchen')?.children.map(({ slug, status }) => [slug, status]),
      [
        ['plates', 'leaf'],
        ['plates-2', 'leaf'],
      ],
    );
    assert.match((await store.readDocument('pack-boxes/衣服')) ?? '', /衣服 is done\./);
  });

  it('offers what links to other work once that is done, and keeps the links where a process died', async () => {
    const { search, ids, files, run } = await withErrands();
    const [, packing = ''] = ids;
    const inOrder = { errands: ['Books', { title: 'Kitchen', after: ['Books'] }] };
    const wrong = { errands: [{ title: 'Kitchen', after: ['Books'] }, 'Books'] };
    await assert.rejects(answer(search, [{ offer: packing, result: wrong }], 'client'), { reason: 'bad-input' });
    await answer(search, [{ offer: packing, result: inOrder }], 'client');
    const offered = offersOf(await run()).flatMap(({ nodes }) => nodes);
    assert.deepEqual(offered, ['rent-a-van', 'drive', 'pack-boxes/books']);
    await search.close();
    const again = await simulateErrands(createMemoryStore(MOVE_HOUSE, files), 7);
    const kitchen = nodeAt(again.search.tree, 'pack-boxes/kitchen');
    const links = kitchen && again.search.tree.links.from(kitchen);
    assert.deepEqual(
      links?.map(({ type, to }) => [type, to?.title]),
      [['after', 'Books']],
    );
    const books = offersOf(await again.run()).find(({ nodes }) => nodes[0] === 'pack-boxes/books');
    await answer(again.search, [{ offer: books?.id ?? '', result: { done: 'packed' } }], 'client');
    assert.equal(offersOf(await again.run()).at(-1)?.nodes[0], 'pack-boxes/kitchen');
    await again.search.act({ action: 'prune', node: 'pack-boxes' }, 'person');
    assert.equal(offersOf(await again.run()).length, 2);
  });

  it('is the same when the one who answers is there while it runs', async () => {
    const { search, clock, events } = await simulateErrands();
    const over = search.run({ wait: true });
    search.listen((event) => {
      if (event.type !== 'search-waiting') return;
      const answers = search.record.offers.open.map(({ offer: { id, kind, ask } }) => {
        const { errand } = ask as { errand?: string };
        return { offer: id, result: kind === 'propose' ? FIRST : { done: `${errand} is done.` } };
      });
      void answer(search, answers, 'client');
    });
    const outcome = await clock.run(over);
    assert.equal(outcome.state, 'finished');
    assert.equal(search.tree.counts.leaf, 3);
    assert.equal(typesOf(events).filter((type) => type === 'search-running').length, 2);
  });

  it('counts no minutes while it waits', async () => {
    const { search, run, clock } = await simulateErrands();
    const [first] = offersOf(await run());
    await clock.run(clock.sleep(3_600_000));
    await take(search, first?.id ?? '', 'client', true);
    assert.equal(search.results.minutes, 0);
    const over = search.run({ wait: true });
    await clock.run(clock.sleep(3_600_000));
    assert.equal(search.state, 'waiting');
    await answer(search, [{ offer: first?.id ?? '', result: { errands: [] } }], 'client');
    assert.equal((await clock.run(over)).state, 'finished');
    assert.equal(search.results.minutes, 0);
  });

  it('counts no minutes between a kill while it waits and the process that takes it up', async () => {
    const { files, clock } = await withErrands();
    await clock.run(clock.sleep(3_600_000));
    const again = await simulateErrands(createMemoryStore(MOVE_HOUSE, files), 7);
    await again.clock.run(again.clock.sleep(clock.now() - again.clock.now() + 3_600_000));
    assert.equal((await again.run()).state, 'waiting');
    assert.equal(again.search.results.minutes, 0);
  });

  it('can be paused while it waits', async () => {
    const { search, clock, events } = await simulateErrands();
    const over = search.run({ wait: true });
    await clock.run(clock.sleep(1000));
    search.pause();
    assert.equal((await clock.run(over)).state, 'paused');
    assert.equal(typesOf(events).at(-1), 'search-paused');
  });

  it('finds its offers again under the same names', async () => {
    const { files, offers, search } = await withErrands();
    await search.close();
    const again = await simulateErrands(createMemoryStore(MOVE_HOUSE, files), 7);
    assert.deepEqual(offersOf(await again.run()), offers);
  });

  it('withdraws the offer of a node that a person prunes, and offers it again when it is restored', async () => {
    const { search, run, ids } = await withErrands();
    await search.act({ action: 'prune', node: 'drive' }, 'person');
    await assert.rejects(answer(search, [{ offer: ids[2] ?? '', result: { done: 'yes' } }], 'client'), {
      reason: 'offer-gone',
    });
    assert.deepEqual(
      offersOf(await run()).map(({ id }) => id),
      ids.slice(0, 2),
    );
    await search.act({ action: 'restore', node: 'drive' }, 'person');
    const again = offersOf(await run());
    assert.equal(again.length, 3);
    assert.ok(!ids.includes(again[2]?.id ?? ''));
  });

  it('drops the offer of a node whose folder a person removed', async () => {
    const { search, files, ids } = await withErrands();
    files.drop('drive');
    files.put(
      'children.json',
      JSON.stringify([
        { title: 'Rent a van', slug: 'rent-a-van' },
        { title: 'Pack boxes', slug: 'pack-boxes' },
      ]),
    );
    await assert.rejects(answer(search, [{ offer: ids[2] ?? '', result: { done: 'yes' } }], 'client'), {
      reason: 'offer-gone',
    });
    assert.equal(search.tree.size, 2);
  });
});
