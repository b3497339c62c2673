import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import type { Store } from '../../../../src/core/ports/store.ts';
import { Closing } from '../../../../src/engine/context.ts';
import { ReportWriting } from '../../../../src/engine-parts/report/report-writing.ts';

/** Reports whose writing ends when `end` is called, with what was done in which order. */
function reports() {
  const closing = new Closing();
  const done: string[] = [];
  const ends: (() => void)[] = [];
  const fails = { next: false };
  const store = {
    readReport: async () => undefined,
    hashOf: () => '',
    readInterimHash: async () => undefined,
    writeInterimHash: async () => undefined,
  } as unknown as Store;
  const writing = new ReportWriting({
    closing,
    store,
    recheck: async () => void done.push('recheck'),
    write: async () => {
      done.push(closing.isInterim ? 'interim' : 'full');
      await new Promise<void>((resolve) => ends.push(resolve));
      if (fails.next) throw new Error('disk');
    },
  });
  const end = async (): Promise<void> => {
    await setImmediate();
    for (const each of ends.splice(0)) each();
    await setImmediate();
  };
  return { writing, closing, done, end, fails };
}

describe('writing reports', () => {
  it('writes one that is requested twice once, after the quotations were checked; and again when asked later', async () => {
    const { writing, done, end } = reports();
    const both = [writing.write(), writing.write()];
    await end();
    await Promise.all(both);
    assert.deepEqual(done, ['recheck', 'full']);
    const again = writing.write();
    await end();
    await again;
    assert.deepEqual(done, ['recheck', 'full', 'recheck', 'full']);
  });

  it('writes no interim report where a better one is being written', async () => {
    const { writing, done, end } = reports();
    const full = writing.write();
    const interim = writing.writeInterim();
    await end();
    await full;
    assert.equal(await interim, 'better');
    assert.deepEqual(done, ['recheck', 'full']);
  });

  it('begins the report when the interim one is written, which it is no more then', async () => {
    const { writing, done, end } = reports();
    const interim = writing.writeInterim();
    const full = writing.write();
    await end();
    assert.equal(await interim, 'written');
    await end();
    await full;
    assert.deepEqual(done, ['interim', 'recheck', 'full']);
  });

  it('fails as a whole, and can be asked for again: without the stop of the first one', async () => {
    const { writing, closing, end, fails } = reports();
    fails.next = true;
    const first = writing.write();
    closing.stop();
    await Promise.all([assert.rejects(first, /disk/), end()]);
    assert.equal(closing.signal.aborted, false);
    fails.next = false;
    const second = writing.write();
    await end();
    await second;
  });
});
