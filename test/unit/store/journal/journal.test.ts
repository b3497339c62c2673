import assert from 'node:assert/strict';
import type { JournalEvent } from '../../../../src/core/search/events.ts';
import type { Files } from '../../../../src/store/files/files.ts';
import { Journal } from '../../../../src/store/journal/journal.ts';
import { JOURNAL, readJournal } from '../../../../src/store/journal/journal-reader.ts';
import { PLACES, removeFolders } from '../support/places.ts';

const event = (seq: number, text = `event ${seq}`): JournalEvent => ({
  seq,
  time: '2026-01-01T00:00:00.000Z',
  type: 'progress',
  text,
});
const line = (seq: number, text?: string): string => `${JSON.stringify(event(seq, text))}\n`;
const anybody = (): void => undefined;

for (const { name, open } of PLACES)
  describe(`the journal ${name}`, () => {
    let files: Files;
    let journal: Journal;
    beforeEach(async () => {
      files = await open();
      await files.makeFolder('.search');
      journal = new Journal(files, anybody);
    });
    after(removeFolders);

    const seqs = async (): Promise<number[]> => (await readJournal(files)).events.map(({ seq }) => seq);

    it('is empty if there is none', async () => {
      assert.deepEqual((await readJournal(files)).events, []);
      await journal.open();
      assert.equal(files.existsNow(JOURNAL), false);
    });

    it('returns what was added, in the order of the calls', async () => {
      const numbers = Array.from({ length: 500 }, (_, n) => n + 1);
      const written: number[] = [];
      await Promise.all(numbers.map((seq) => journal.append(event(seq)).then(() => written.push(seq))));
      assert.deepEqual(await seqs(), numbers);
      assert.deepEqual(written, numbers);
      assert.deepEqual((await readJournal(files)).events[41], event(42));
    });

    it('has everything that it confirmed', async () => {
      for (let seq = 1; seq <= 20; seq++) {
        await journal.append(event(seq));
        assert.equal((await files.read(JOURNAL))?.split('\n').length, seq + 1);
      }
    });

    it('cuts off a torn last line when it is opened, and ignores it in reading', async () => {
      for (const torn of ['{"seq":3,"ti', line(3).trimEnd(), '\u0000'.repeat(5), 'ü'.repeat(70_000)]) {
        await files.writeAtomic(JOURNAL, line(1) + line(2) + torn);
        assert.deepEqual(await seqs(), [1, 2]);
        const reopened = new Journal(files, anybody);
        await reopened.open();
        assert.equal(await files.read(JOURNAL), line(1) + line(2));
        await reopened.append(event(3));
        assert.deepEqual(await seqs(), [1, 2, 3]);
        assert.deepEqual((await readJournal(files)).problems, []);
      }
    });

    it('cuts off a torn first line, even without being opened', async () => {
      await files.writeAtomic(JOURNAL, '{"seq":1');
      await journal.append(event(1));
      assert.equal(await files.read(JOURNAL), line(1));
    });

    it('skips and reports damaged lines in the middle', async () => {
      const missing = '{"seq":3,"time":"2026-01-01T00:00:00.000Z","type":"progress"}\n';
      const negative = line(4).replace('"seq":4', '"seq":-4');
      await files.writeAtomic(JOURNAL, `${line(1)}{oops\n${missing}${negative}\n[]\n${line(7)}`);
      const { events, problems } = await readJournal(files);
      assert.deepEqual(
        events.map(({ seq }) => seq),
        [1, 7],
      );
      assert.deepEqual(
        problems.map((problem) => problem.line),
        [2, 3, 4, 5, 6],
      );
      assert.match(problems[0]?.message ?? '', /journal\.jsonl, line 2: /);
      assert.match(problems[1]?.message ?? '', /text/);
    });

    it('silently ignores events of a later version', async () => {
      await files.writeAtomic(JOURNAL, line(1) + line(2).replace('"progress"', '"dreamt"') + line(3));
      const { events, problems } = await readJournal(files);
      assert.deepEqual([events.length, problems.length], [2, 0]);
    });

    it('is followed from where a reader left off', async () => {
      await journal.append(event(1, 'Größe'));
      const first = await readJournal(files);
      await files.append(JOURNAL, '{"seq":2,');
      const nothing = await readJournal(files, first.position);
      assert.deepEqual([nothing.events, nothing.position], [[], first.position]);
      await files.append(JOURNAL, `"time":"t","type":"search-running"}\n{oops\n${line(4)}`);
      const second = await readJournal(files, first.position);
      assert.deepEqual(
        second.events.map(({ seq }) => seq),
        [2, 4],
      );
      assert.deepEqual([second.problems[0]?.line, second.position.lines, second.restarted], [3, 4, false]);
    });

    it('is followed from its beginning if it was replaced', async () => {
      for (let seq = 1; seq <= 5; seq++) await journal.append(event(seq));
      const { position } = await readJournal(files);
      await files.writeAtomic(JOURNAL, line(1));
      const again = await readJournal(files, position);
      assert.deepEqual([again.restarted, again.events.length, again.position.lines], [true, 1, 1]);
    });

    it('reads lines longer than what is read at once', async () => {
      const long = 'ü'.repeat(1_500_000);
      await files.writeAtomic(JOURNAL, line(1) + line(2, long) + line(3) + line(4, long));
      const { events } = await readJournal(files);
      assert.equal(events.length, 4);
      assert.deepEqual(events[1], event(2, long));
    });

    it('skips a line that is too long, says so, and reads on', async () => {
      const tooLong = 'x'.repeat(17 * 1024 * 1024);
      await files.append(JOURNAL, line(1));
      await files.append(JOURNAL, `"${tooLong}"\n`);
      await files.append(JOURNAL, `{oops\n${line(4)}`);
      const { events, problems, position } = await readJournal(files);
      assert.deepEqual(
        events.map(({ seq }) => seq),
        [1, 4],
      );
      assert.deepEqual(
        problems.map(({ line: at }) => at),
        [2, 3],
      );
      assert.match(problems[0]?.message ?? '', /line 2: this is longer than 16,?777,?216 bytes; it is skipped/);
      assert.equal(position.lines, 4);
      const later = await readJournal(files, { offset: position.offset - Buffer.byteLength(line(4)), lines: 3 });
      assert.equal(later.events[0]?.seq, 4);
    });

    it('loses zeros after a power cut, and what follows them: it was not flushed', async () => {
      await files.append(JOURNAL, `${line(1)}{"seq":2\0\0\0}\n${line(3)}`);
      await new Journal(files, () => undefined).open(true);
      assert.equal(await files.read(JOURNAL), line(1));
    });

    it('writes nothing once it may not', async () => {
      let allowed = true;
      const guarded = new Journal(files, () => assert.ok(allowed, 'lost'));
      await guarded.append(event(1));
      allowed = false;
      await assert.rejects(guarded.append(event(2)), /lost/);
      assert.equal(await files.read(JOURNAL), line(1));
    });

    it('batches: one write at a time, and what comes meanwhile goes with the next', async () => {
      const sizes: number[] = [];
      let underWay = 0;
      const counting = Object.create(files, {
        append: {
          value: async (path: string, text: string): Promise<void> => {
            assert.equal(underWay++, 0);
            sizes.push(text.split('\n').length - 1);
            await new Promise(setImmediate);
            await files.append(path, text);
            underWay--;
          },
        },
        stat: { value: (path: string) => files.stat(path) },
      }) as Files;
      const batching = new Journal(counting, anybody);
      const first = batching.append(event(1));
      const second = batching.append(event(2));
      while (sizes.length === 0) await new Promise(setImmediate);
      const rest = [3, 4, 5].map((seq) => batching.append(event(seq)));
      await Promise.all([first, second, ...rest]);
      assert.deepEqual(sizes, [2, 3]);
      await batching.idle();
    });

    it('repairs a line that a failed write left incomplete', async () => {
      let full = false;
      const filling = Object.create(files, {
        append: {
          value: async (path: string, text: string): Promise<void> => {
            await files.append(path, full ? text.slice(0, 10) : text);
            assert.ok(!full, 'disk full');
          },
        },
        ...Object.fromEntries(
          (['stat', 'truncate', 'readBytes'] as const).map((method) => [
            method,
            { value: (...args: never[]) => (files[method] as (...all: never[]) => unknown)(...args) },
          ]),
        ),
      }) as Files;
      const failing = new Journal(filling, anybody);
      await failing.append(event(1));
      full = true;
      await assert.rejects(failing.append(event(2)), /disk full/);
      await assert.rejects(failing.append(event(2)), /disk full/);
      full = false;
      await failing.append(event(2));
      assert.equal(await files.read(JOURNAL), line(1) + line(2));
    });
  });
