import assert from 'node:assert/strict';
import { foreign } from '../../../../src/core/messages/message.ts';
import type { Offer } from '../../../../src/core/offers/offer.ts';
import { ThoughtTreeError } from '../../../../src/core/search/errors.ts';
import type { JournalEvent } from '../../../../src/core/search/events.ts';
import { SearchRecord } from '../../../../src/core/search/record/search-record.ts';
import { nodeAt } from '../../../../src/core/tree/tree.ts';
import type { Outcome, Search } from '../../../../src/engine/search.ts';
import { MemoryFiles } from '../../../../src/store/files/memory-files.ts';
import { createMemoryStore } from '../../../../src/store/memory-store.ts';
import { snapshotOf } from '../../../support/search-snapshot.ts';
import { answer, giveBack, take } from '../../../support/toy-kind/errands-acts.ts';
import { resultFor, runErrands } from '../../../support/toy-kind/errands-client.ts';
import { ERRAND_MS } from '../../../support/toy-kind/errands-offers.ts';
import { handsOf, MOVE_HOUSE, simulateErrands } from '../../../support/toy-kind/simulated-errands.ts';
import { seededRandom, type VirtualClock } from '../../../support/virtual-clock.ts';

const FIRST = { errands: ['Rent a van', 'Pack boxes', 'Drive'] };
const types = (events: readonly JournalEvent[]): string[] => events.map(({ type }) => type);

function offersOf(outcome: Outcome): readonly Offer[] {
  assert.equal(outcome.state, 'waiting');
  return outcome.state === 'waiting' ? outcome.offers : [];
}

/** A search whose first level is answered and whose errands are offered. */
async function withErrands(files = new MemoryFiles()) {
  const simulation = await simulateErrands(createMemoryStore(MOVE_HOUSE, files));
  const [first] = offersOf(await simulation.run());
  await answer(simulation.search, [{ offer: first?.id ?? '', result: FIRST }], 'client');
  const offers = offersOf(await simulation.run());
  return { ...simulation, files, offers, ids: offers.map(({ id }) => id) };
}

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
    assert.equal(types(events).filter((type) => type === 'search-running').length, 2);
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

  it('can be paused while it waits', async () => {
    const { search, clock, events } = await simulateErrands();
    const over = search.run({ wait: true });
    await clock.run(clock.sleep(1000));
    search.pause();
    assert.equal((await clock.run(over)).state, 'paused');
    assert.equal(types(events).at(-1), 'search-paused');
  });

  it('finds its offers again under the same names', async () => {
    const { files, offers, search } = await withErrands();
    await search.close();
    const again = await simulateErrands(createMemoryStore(MOVE_HOUSE, files), 7);
    assert.deepEqual(offersOf(await again.run()), offers);
  });

  it('withdraws the offer of a node that a person prunes, and offers it anew when it is restored', async () => {
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
    const anew = offersOf(await run());
    assert.equal(anew.length, 3);
    assert.ok(!ids.includes(anew[2]?.id ?? ''));
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
    assert.deepEqual(types(again.events).slice(-1), ['offer-expired']);
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
});

describe('answers that hold together', () => {
  it('are taken in one record before any file is made, or not at all', async () => {
    const { search, ids, events, store } = await withErrands();
    const results = [{ done: 'rented' }, { errands: ['Books', 'Books'] }, { done: 'driven' }];
    const answers = ids.map((offer, i) => ({ offer, result: results[i] }));
    const before = events.length;
    await assert.rejects(
      answer(search, [...answers.slice(0, 2), { offer: ids[2] ?? '', result: { errands: 'none' } }], 'client'),
      (error: { reason?: string; details?: { problems?: { offer: string }[] } }) =>
        error.reason === 'bad-input' && error.details?.problems?.[0]?.offer === ids[2],
    );
    assert.equal(events.length, before);
    assert.equal(await store.readDocument('rent-a-van'), undefined);
    const { value, offers } = await answer(search, answers, 'client');
    assert.deepEqual(offers, ids);
    assert.deepEqual(value, { paths: ['rent-a-van', 'pack-boxes/books', 'pack-boxes/books-2', 'drive'] });
    const told = types(events.slice(before));
    assert.equal(told[0], 'offers-answered');
    assert.equal(told.at(-1), 'offers-applied');
    assert.equal(told.filter((type) => type === 'offers-answered').length, 1);
  });

  it('refuses an offer that is answered twice at once, and answers that are no plain data', async () => {
    const { search, ids } = await withErrands();
    const [offer = ''] = ids;
    const twice = [1, 2].map(() => ({ offer, result: { done: 'yes' } }));
    await assert.rejects(answer(search, twice, 'client'), { reason: 'bad-input' });
    const long = [{ offer, result: { done: 'x'.repeat(60_000) } }];
    await assert.rejects(answer(search, long, 'client'), { reason: 'bad-input' });
    await assert.rejects(answer(search, [], 'client'), { reason: 'bad-input' });
  });
});

describe('an answer', () => {
  /** Files that say in which order they were written and flushed. */
  class LoggingFiles extends MemoryFiles {
    readonly log: string[] = [];
    failsAt: string | undefined;

    override async append(...args: Parameters<MemoryFiles['append']>): Promise<void> {
      await super.append(...args);
      for (const line of args[1].trimEnd().split('\n')) this.log.push(JSON.parse(line).type);
    }
    override async flush(): Promise<void> {
      this.log.push('flush');
    }
    override async writeAtomic(...args: Parameters<MemoryFiles['writeAtomic']>): Promise<void> {
      if (this.failsAt === args[0]) throw new ThoughtTreeError('disk-full', foreign({ text: 'Full.' }));
      await super.writeAtomic(...args);
      this.log.push(`write ${args[0]}`);
    }
  }

  it('is on the disk itself before any file is made from it, and so is a taking when it is told', async () => {
    const files = new LoggingFiles();
    const { search, ids } = await withErrands(files);
    const answers = ids.map((offer) => ({ offer, result: { done: 'yes' } }));
    await take(search, ids[0] ?? '', 'client');
    assert.deepEqual(files.log.slice(-2), ['offer-taken', 'flush']);
    files.log.length = 0;
    await answer(search, answers, 'client');
    assert.deepEqual(files.log.slice(0, 2), ['offers-answered', 'flush']);
    assert.ok(files.log[2]?.startsWith('write '), files.log[2]);
    assert.equal(files.log.at(-1), 'offers-applied');
  });

  it('is taken in by the next run where its files could not be written', async () => {
    const files = new LoggingFiles();
    const { search, ids, run } = await withErrands(files);
    files.failsAt = 'pack-boxes/document.md';
    const answers = ids.map((offer) => ({ offer, result: { done: 'yes' } }));
    await assert.rejects(answer(search, answers, 'client'), { reason: 'disk-full' });
    await assert.rejects(answer(search, answers, 'client'), { reason: 'offer-answered' });
    assert.equal((await run()).state, 'paused');
    files.failsAt = undefined;
    assert.equal((await run()).state, 'finished');
    assert.equal(search.tree.counts.leaf, 3);
  });
});

describe('random acts on offers, with restarts', () => {
  it('answer each of them once, and come to the same tree', async () => {
    const expected = await treeOf(async (search, run) => void (await runErrands(handsOf(search, run))));
    for (let seed = 1; seed <= SEEDS; seed++) {
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
    }
  });

  const SEEDS = 40;
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
