import assert from 'node:assert/strict';
import { foreign } from '../../../src/core/messages/message.ts';
import { type Reason, ThoughtTreeError } from '../../../src/core/search/errors.ts';
import type { WriteOptions } from '../../../src/store/files/files.ts';
import { someOf } from '../../support/effort.ts';
import { createMemoryStore, MemoryFiles } from '../../support/memory-store.ts';
import { snapshotOf } from '../../support/searches/search-snapshot.ts';
import { QUESTION, simulate } from '../../support/searches/simulated-search.ts';

const tree = { fanout: (_path: string, depth: number) => [3, 2][depth] ?? 0 };
const search = { limits: { size: 'all' as const } };

/** Files on a disk that fails from the n-th write on. */
class FailingFiles extends MemoryFiles {
  left: number;
  readonly #reason: Reason;

  constructor(writes: number, reason: Reason) {
    super();
    this.left = writes;
    this.#reason = reason;
  }

  override async writeAtomic(path: string, text: string, options: WriteOptions = {}): Promise<void> {
    this.#spend();
    await super.writeAtomic(path, text, options);
  }

  override async append(path: string, text: string): Promise<void> {
    this.#spend();
    await super.append(path, text);
  }

  #spend(): void {
    if (this.left-- <= 0)
      throw new ThoughtTreeError(this.#reason, foreign({ text: `The disk says ${this.#reason}. Make room.` }));
  }
}

describe('a disk that fails', () => {
  for (const reason of ['disk-full', 'not-writable'] as const)
    it(`pauses the search where it is ${reason}, says so, and loses nothing`, async () => {
      const whole = new MemoryFiles();
      const undisturbed = await simulate({ tree, store: createMemoryStore(QUESTION, whole), search });
      await undisturbed.run();
      for (const writes of someOf([1, 2, 5, 9, 14, 23, 40])) {
        const files = new FailingFiles(writes, reason);
        const first = await simulate({ tree, store: createMemoryStore(QUESTION, files), search, seed: writes + 10 });
        const outcome = await first.run();
        assert.ok(outcome.state === 'paused' && outcome.reason === 'store' && outcome.cause === reason, `${writes}`);
        assert.match(outcome.message, /Make room/);
        files.left = Number.POSITIVE_INFINITY;
        const second = await simulate({ tree, store: createMemoryStore(QUESTION, files), search, seed: writes + 90 });
        assert.equal((await second.run()).state, 'finished');
        assert.deepEqual(await snapshotOf(files), await snapshotOf(whole), `${writes} writes`);
      }
    });
});
