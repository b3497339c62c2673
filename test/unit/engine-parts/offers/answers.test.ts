import assert from 'node:assert/strict';
import { foreign } from '../../../../src/core/messages/message.ts';
import { ThoughtTreeError } from '../../../../src/core/search/errors.ts';
import { nodeAt } from '../../../../src/core/tree/tree.ts';
import { TreeRecord } from '../../../../src/core/tree/tree-record.ts';
import { JOURNAL } from '../../../../src/store/journal/journal-reader.ts';
import { createMemoryStore, MemoryFiles } from '../../../support/memory-store.ts';
import { QUESTION, simulate } from '../../../support/searches/simulated-search.ts';
import { answer, take } from '../../../support/toy-kind/errands-acts.ts';
import { typesOf, withErrands } from '../../../support/toy-kind/offered-errands.ts';
import { MOVE_HOUSE } from '../../../support/toy-kind/simulated-errands.ts';

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
    const told = typesOf(events.slice(before));
    assert.equal(told[0], 'offers-answered');
    assert.equal(told.at(-1), 'offers-applied');
    assert.equal(told.filter((type) => type === 'offers-answered').length, 1);
  });

  it('may say what a kind keeps of its nodes besides, which the journal tells too', async () => {
    const { search, ids, files } = await withErrands();
    await answer(search, [{ offer: ids[0] ?? '', result: { done: 'rented', hours: 1.5 } }], 'client');
    assert.deepEqual((await search.act({ action: 'tally' }, 'client')).value, { done: 1, open: 2, hours: 1.5 });
    await search.close();
    const store = createMemoryStore(MOVE_HOUSE, files);
    const record = new TreeRecord();
    for (const event of await store.readJournal()) record.apply(event);
    assert.deepEqual(nodeAt(record.tree, 'rent-a-van')?.file?.own, { hours: 1.5 });
    assert.deepEqual((await store.readNodeFile('rent-a-van'))?.own, { hours: 1.5 });
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
      if (args[0] !== JOURNAL) return;
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

describe('answers in the journal of a search whose kind makes no offers', () => {
  it('do not keep the search from being opened', async () => {
    const files = new MemoryFiles();
    const first = await simulate({ store: createMemoryStore(QUESTION, files) });
    await first.run();
    await first.search.close();
    const journal = files.readNow('.search/journal.jsonl') ?? '';
    const { seq, time } = JSON.parse(journal.trimEnd().split('\n').at(-1) ?? '') as { seq: number; time: string };
    const forged = [
      { type: 'offer-made', offer: { id: 'forged', kind: 'expand', nodes: [], ask: 1 } },
      { type: 'offers-answered', answers: [{ offer: 'forged', result: 1 }], by: 'somebody' },
    ].map((event, i) => `${JSON.stringify({ seq: seq + 1 + i, time, ...event })}\n`);
    files.put('.search/journal.jsonl', journal + forged.join(''));
    const again = await simulate({ store: createMemoryStore(QUESTION, files) });
    assert.equal((await again.run()).state, 'finished');
  });
});
