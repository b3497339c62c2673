import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { Looks } from '../../../../../src/searches/reader/folder-watch.ts';

/** Looks that end when they are told to. */
function heldLooks() {
  const begun: string[] = [];
  const ends = new Map<string, PromiseWithResolvers<void>>();
  const looks = new Looks((key, paths) => {
    begun.push([key, ...paths].join(' '));
    const end = Promise.withResolvers<void>();
    ends.set(key, end);
    return end.promise;
  });
  const end = async (key: string, error?: Error): Promise<void> => {
    if (error) ends.get(key)?.reject(error);
    else ends.get(key)?.resolve();
    for (let i = 0; i < 10; i++) await Promise.resolve();
  };
  return { looks, begun, end };
}

describe('looks at what changed', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
  afterEach(() => mock.timers.reset());

  it('come a little later, the changes of one thing together', () => {
    const { looks, begun } = heldLooks();
    for (const path of ['x', 'y', 'x']) void looks.touch('a', path);
    void looks.touch('b');
    mock.timers.tick(249);
    assert.deepEqual(begun, []);
    mock.timers.tick(1);
    assert.deepEqual(begun, ['a x y', 'b']);
  });

  it('of one thing come one after the other, and miss nothing that changed meanwhile', async () => {
    const { looks, begun, end } = heldLooks();
    void looks.touch('a', 'x');
    mock.timers.tick(250);
    void looks.touch('a', 'y');
    mock.timers.tick(1000);
    assert.deepEqual(begun, ['a x']);
    await end('a');
    mock.timers.tick(250);
    assert.deepEqual(begun, ['a x', 'a y']);
  });

  it('do not wait for slow ones', () => {
    const { looks, begun } = heldLooks();
    void looks.now('long');
    void looks.touch('a');
    mock.timers.tick(250);
    assert.deepEqual(begun, ['long', 'a']);
  });

  it('are few at once, and continue as soon as one has ended', async () => {
    const { looks, begun, end } = heldLooks();
    for (let i = 0; i < 20; i++) void looks.now(String(i));
    assert.deepEqual(begun, ['0', '1', '2', '3']);
    await end('2');
    assert.deepEqual(begun.slice(4), ['4']);
    for (let i = 0; i < 20; i++) await end(String(i));
    assert.equal(begun.length, 20);
  });

  it('report when a change was seen, even if the look failed', async () => {
    const { looks, end } = heldLooks();
    let isSeen = false;
    void looks.now('a').then(() => {
      isSeen = true;
    });
    await end('b');
    assert.equal(isSeen, false);
    await end('a', new Error('it is gone'));
    assert.equal(isSeen, true);
  });

  it('end, and keep nobody waiting', async () => {
    const { looks, begun } = heldLooks();
    const waiting = looks.touch('a');
    looks.dispose();
    await waiting;
    await looks.now('b');
    mock.timers.tick(1000);
    assert.deepEqual(begun, []);
  });
});
