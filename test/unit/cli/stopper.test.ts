import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import pc from 'picocolors';
import { Stopper } from '../../../src/cli/running/run-search.ts';
import { Output } from '../../../src/cli/terminal/terminal.ts';
import type { NodeId } from '../../../src/core/tree/tree-node.ts';
import { researchDescriptor } from '../../../src/kinds/research/descriptor.ts';

function stopping(
  state: 'running' | 'waiting' = 'running',
  isFree = false,
): {
  signals: EventEmitter;
  pauses: boolean[];
  said: string[];
} {
  const pauses: boolean[] = [];
  const said: string[] = [];
  const running = [
    { id: '1', kind: 'work', nodes: [1 as NodeId], isWork: true, expands: true },
    { id: '2', kind: 'choose', nodes: [], isWork: false, expands: false },
  ];
  const search = { state, running, pause: (now = false) => void pauses.push(now) };
  const signals = new EventEmitter();
  const stopper = new Stopper(search, researchDescriptor.words, (text) => said.push(text), isFree);
  stopper.listen(signals as unknown as NodeJS.Process);
  return { signals, pauses, said };
}

describe('asked to end, a search', () => {
  it('finishes what is under way at the first Ctrl-C and stops at the second', () => {
    const { signals, pauses, said } = stopping();
    signals.emit('SIGINT');
    signals.emit('SIGINT');
    assert.deepEqual(pauses, [false, true]);
    assert.deepEqual(said, ['Pausing: finishing 1 topic; Ctrl-C again stops at once.', 'Stopping now.']);
  });

  it('stops at the first Ctrl-C if its calls cost nothing', () => {
    const { signals, pauses, said } = stopping('running', true);
    signals.emit('SIGINT');
    assert.deepEqual([pauses, said], [[true], ['Stopping now.']]);
  });

  it('stops at once if it waits for its model anyway, and when the system asks', () => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
      const { signals, pauses } = stopping('waiting');
      signals.emit(signal);
      assert.deepEqual(pauses, [true]);
    }
  });
});

describe('an output', () => {
  it('tells once when nobody reads it any more, and stays quiet then', async () => {
    const stream = new PassThrough();
    const output = new Output(stream, pc.createColors(false));
    let told = 0;
    output.onBroken = () => told++;
    output.line('one');
    stream.destroy(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
    await new Promise(setImmediate);
    output.line('two');
    await output.drained();
    assert.equal(told, 1);
    output.onBroken = () => told++;
    assert.equal(told, 2, 'whoever asks later is told too');
  });
});
