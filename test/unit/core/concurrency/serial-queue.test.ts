import assert from 'node:assert/strict';
import { SerialQueue } from '../../../../src/core/concurrency.ts';

describe('a serial queue', () => {
  it('starts a task when the one before is done, and none at once', async () => {
    const queue = new SerialQueue();
    const order: string[] = [];
    const first = Promise.withResolvers<void>();
    const tasks = [
      queue.run(async () => {
        order.push('first begins');
        await first.promise;
        order.push('first ends');
      }),
      queue.run(async () => void order.push('second')),
    ];
    order.push('asked');
    first.resolve();
    await Promise.all(tasks);
    assert.deepEqual(order, ['asked', 'first begins', 'first ends', 'second']);
  });

  it('returns what a task returns, and lets one that fails hold up none of the others', async () => {
    const queue = new SerialQueue();
    const failed = queue.run(() => Promise.reject(new Error('no')));
    const later = queue.run(async () => 7);
    await assert.rejects(failed, /no/);
    assert.equal(await later, 7);
  });

  it('is idle when all tasks so far have settled, failed ones too', async () => {
    const queue = new SerialQueue();
    await queue.idle();
    let isDone = false;
    const failing = queue.run(async () => {
      isDone = true;
      throw new Error('no');
    });
    await Promise.all([assert.rejects(failing), queue.idle().then(() => assert.ok(isDone))]);
  });
});
