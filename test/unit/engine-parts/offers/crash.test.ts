import assert from 'node:assert/strict';
import { isThoughtTreeError } from '../../../../src/core/search/errors.ts';
import { SearchStore } from '../../../../src/store/search-store.ts';
import { CrashingFiles, killsIn } from '../../../support/crashing-files.ts';
import { createMemoryStore, MemoryFiles } from '../../../support/memory-store.ts';
import { snapshotOf } from '../../../support/searches/search-snapshot.ts';
import { answer } from '../../../support/toy-kind/errands-acts.ts';
import { MOVE_HOUSE, simulateErrands } from '../../../support/toy-kind/simulated-errands.ts';

const right = { check: () => undefined, release: async () => undefined };
const FIRST = { errands: ['Rent a van', 'Pack boxes', 'Drive'] };
const RESULTS = [
  { done: 'rented' },
  { errands: ['Books', { title: 'Kitchen', after: ['Books'] }, 'Books'] },
  { done: 'driven' },
];
let runs = 0; // no two runs of a process draw the same ids

/** A search with three offers that wait. */
async function threeOffers(): Promise<{ files: MemoryFiles; ids: string[] }> {
  const files = new MemoryFiles();
  const { search, run } = await simulateErrands(createMemoryStore(MOVE_HOUSE, files), ++runs);
  await run();
  const offer = search.record.offers.open[0]?.offer.id ?? '';
  await answer(search, [{ offer, result: FIRST }], 'client');
  await run();
  const ids = search.record.offers.open.map(({ offer }) => offer.id);
  await search.close();
  return { files, ids };
}

/** Opens the search and answers its three offers in one act; says whether they were answered before. */
async function answerAll(files: MemoryFiles, ids: readonly string[], crashAt?: number, made?: boolean) {
  const crashing = new CrashingFiles(files, crashAt, made);
  let isLate = false;
  const work = (async () => {
    const { search } = await simulateErrands(new SearchStore(crashing, right), ++runs);
    const answers = ids.map((offer, i) => ({ offer, result: RESULTS[i] }));
    await answer(search, answers, 'client').catch((error: unknown) => {
      if (!isThoughtTreeError(error, 'offer-answered')) throw error;
      isLate = true;
    });
    await search.close();
  })();
  await crashing.ended(work);
  return { changes: crashing.changes, isLate };
}

describe('one act that answers three offers, killed at any of its writes', () => {
  it('comes to the same tree: all of the answers count, or none did', async () => {
    const whole = await threeOffers();
    const { changes } = await answerAll(whole.files, whole.ids);
    const expected = await snapshotOf(whole.files);
    assert.ok(changes > 8);
    let late = 0;
    for (const { crashAt, made, where } of killsIn(changes)) {
      const { files, ids } = await threeOffers();
      const before = await snapshotOf(files);
      await answerAll(files, ids, crashAt, made);
      const isKept = (await timesAnswered(files)) > 0;
      if (!isKept) assert.deepEqual(await snapshotOf(files), before, `${where}: files before the answers are kept`);
      // The one that takes it up is killed as well, somewhere else.
      await answerAll(files, ids, ((crashAt * 5) % changes) + 1, !made);
      const again = await answerAll(files, ids);
      if (isKept) assert.ok(again.isLate, `${where}: answers that are kept are taken a second time`);
      late += Number(again.isLate);
      assert.deepEqual(await snapshotOf(files), expected, where);
      assert.equal(await timesAnswered(files), 1, where);
    }
    assert.ok(late > 0);
  });
});

/** How often the journal keeps the three answers; those of the first level come before them. */
async function timesAnswered(files: MemoryFiles): Promise<number> {
  const journal = (await files.read('.search/journal.jsonl')) ?? '';
  return journal.split('"type":"offers-answered"').length - 2;
}
