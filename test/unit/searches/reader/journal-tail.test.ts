import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import type { JournalEvent } from '../../../../src/core/search/events.ts';
import { nodeStory } from '../../../../src/engine-parts/transcripts/transcript.ts';
import { JournalTail } from '../../../../src/searches/reader/journal-tail.ts';
import { openForReading } from '../../../../src/store/open-store.ts';
import type { SearchReadStore } from '../../../../src/store/search-read-store.ts';
import { effort } from '../../../support/effort.ts';

const PATHS = ['', 'a', 'a/b', 'a/b/c', 'd'];
const WORST = { tokens: 10 };

/** One event of a journal, of what tells a node's story and of what does not. */
function event(seq: number, kind: number, node: string, call: number): JournalEvent {
  const base = { seq, time: '2026-01-01T00:00:00.000Z' };
  const id = `c${call}`;
  const asked = call % 5 < 4 ? {} : { question: `q${call}`, about: ['a', 'a/b/c', 'd'] };
  switch (kind) {
    case 0:
      return {
        ...base,
        type: 'call-started',
        call: id,
        ...asked,
        purpose: 'document',
        node,
        model: 'm',
        attempt: 1,
        worst: WORST,
      };
    case 1:
      return {
        ...base,
        type: 'call-ended',
        call: id,
        ...asked,
        purpose: 'document',
        node,
        outcome: 'ok',
        ms: 5,
        charged: true,
      };
    case 2:
      return { ...base, type: 'node-status', node, status: 'in-progress', sessionId: `s${seq}` };
    case 3:
      return { ...base, type: 'steered', by: 'cli', action: seq % 2 ? 'redo' : 'prune', node, message: 'Söme words.' };
    case 4:
      return {
        ...base,
        type: 'context-shortened',
        node,
        purpose: 'document',
        documents: [],
        lists: [],
        tokens: 9,
        room: 1,
      };
    case 5:
      return { ...base, type: 'search-started', model: 'm', limits: { size: 'small', maxDepth: 4, guards: {} } };
    default:
      return { ...base, type: 'progress', text: 'x'.repeat(call * 100) };
  }
}

describe('where a journal mentions a node', () => {
  let folder: string;
  let store: SearchReadStore;
  const file = (): string => join(folder, '.search/journal.jsonl');

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'thought-tree-journal-'));
    mkdirSync(join(folder, '.search'));
    const search = { version: 1, kind: 'research', title: 't', prompt: 'p', strategy: 'research', options: {} };
    writeFileSync(join(folder, 'search.json'), JSON.stringify(search));
    writeFileSync(file(), '');
    store = await openForReading(folder);
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('is remembered, so that a story is the same as from the whole journal', async () => {
    const one = fc.record({ kind: fc.nat(7), node: fc.constantFrom(...PATHS), call: fc.nat(5), isDamaged: fc.nat(9) });
    await fc.assert(
      fc.asyncProperty(fc.array(one, { maxLength: 60 }), fc.nat(60), fc.boolean(), async (made, half, asksEarly) => {
        writeFileSync(file(), '');
        const journal = new JournalTail();
        const events = made.map(({ kind, node, call }, index) => event(index + 1, kind, node, call));
        const lines = made.map(({ isDamaged }, index) =>
          isDamaged === 0 ? Buffer.from([0xc3, 0x28, 0xff, 0x0a]) : Buffer.from(`${JSON.stringify(events[index])}\n`),
        );
        const whole = events.filter((_, index) => made[index]?.isDamaged !== 0);
        appendFileSync(file(), Buffer.concat(lines.slice(0, half)));
        await journal.read(store);
        const first = events.slice(0, half).filter((_, index) => made[index]?.isDamaged !== 0);
        const taken = [...first];
        if (asksEarly) await journal.eventsOf(store, 'a');
        appendFileSync(file(), Buffer.concat(lines.slice(half)));
        for (const part of await Promise.all([journal.read(store), journal.read(store)])) taken.push(...part);
        assert.deepEqual(taken, whole);
        assert.equal(journal.record.seq, Math.max(0, ...whole.map(({ seq }) => seq)));
        for (const path of PATHS) {
          const { calls, steered, shortened } = nodeStory(whole, path, true);
          const story = nodeStory(await journal.eventsOf(store, path), path, true);
          assert.deepEqual([story.calls, story.steered, story.shortened], [calls, steered, shortened], path);
        }
      }),
      { numRuns: effort(60) },
    );
  });

  it('costs as much as the node has calls, however long the journal is', async () => {
    const many = Array.from({ length: 5000 }, (_, i) => event(i + 1, i % 2, `n${i >> 1}`, i));
    writeFileSync(file(), many.map((each) => `${JSON.stringify(each)}\n`).join(''));
    const read: number[] = [];
    const readAt = store.readJournalAt.bind(store);
    store.readJournalAt = async (offsets) => {
      read.push(offsets.length);
      return await readAt(offsets);
    };
    const journal = new JournalTail();
    await journal.read(store);
    assert.equal((await journal.eventsOf(store, 'n2000')).length, 2);
    assert.deepEqual(read, [2]);
  });

  it('is forgotten if the journal was replaced by a shorter one', async () => {
    const journal = new JournalTail();
    writeFileSync(file(), [0, 1, 2].map((i) => `${JSON.stringify(event(i + 1, 0, 'a', i))}\n`).join(''));
    await journal.read(store);
    const { record } = journal;
    assert.deepEqual([(await journal.eventsOf(store, 'a')).length, record.callsUnderWay.size], [3, 3]);
    writeFileSync(file(), `${JSON.stringify(event(1, 0, 'd', 1))}\n`);
    await journal.read(store);
    const [ofA, ofD] = [await journal.eventsOf(store, 'a'), await journal.eventsOf(store, 'd')];
    assert.deepEqual([ofA.length, ofD.length, journal.record.seq, journal.record.callsUnderWay.size], [0, 1, 1, 1]);
    assert.notEqual(journal.record, record);
  });
});
