import assert from 'node:assert/strict';
import { GroupedFlushes } from '../../../../../src/store/files/disk/disk-files.ts';

describe('grouped flushes', () => {
  it('share the next one, and never one that began before they were asked for', async () => {
    const begun: (() => void)[] = [];
    const flushes = new GroupedFlushes(() => new Promise((resolve) => begun.push(resolve)));
    const done: number[] = [];
    const ask = (n: number): Promise<void> => flushes.flush('a').then(() => void done.push(n));
    const asked = [ask(1), ask(2), ask(3)];
    void flushes.flush('b');
    assert.equal(begun.length, 2, 'one for each path');
    begun[0]?.();
    await asked[0];
    await new Promise(setImmediate);
    assert.deepEqual([begun.length, done], [3, [1]]);
    const late = ask(4);
    begun[2]?.();
    await Promise.all(asked);
    await new Promise(setImmediate);
    assert.deepEqual([begun.length, done], [4, [1, 2, 3]]);
    begun[3]?.();
    await late;
    assert.equal(begun.length, 4);
  });

  it('fail for those who asked for it only', async () => {
    let fails = true;
    const flushes = new GroupedFlushes(async () => {
      if (fails) throw new Error('no');
    });
    const first = flushes.flush('a');
    const second = flushes.flush('a');
    fails = false;
    await assert.rejects(first, /no/);
    await second;
  });
});
