import assert from 'node:assert/strict';
import { foreign } from '../../../../src/core/messages/message.ts';
import type { Clock } from '../../../../src/core/ports/ports.ts';
import type { History } from '../../../../src/engine/history.ts';
import { Patience } from '../../../../src/engine/patience.ts';

/** A clock that passes its time in sleep, and says how long that was. */
function patience(): { patience: Patience; told: string[]; waited: () => Promise<number>; set: (ms: number) => void } {
  let now = 1_000_000;
  let set = 0;
  const clock: Clock = {
    now: () => now + set,
    monotonic: () => now,
    sleep: (ms) => {
      now += ms;
      return Promise.resolve();
    },
  };
  const told: string[] = [];
  const history = { note: ({ type }: { type: string }) => told.push(type) } as unknown as History;
  const made = new Patience(clock, { next: () => 0.5, id: () => 'id' }, history, 1000);
  const waited = async (): Promise<number> => {
    const before = now;
    await made.ready(new AbortController().signal);
    return now - before;
  };
  return {
    patience: made,
    told,
    waited,
    set: (ms) => {
      set = ms;
    },
  };
}

const WHY = foreign({ text: '' });

describe('patience', () => {
  it('waits as long as was asked for, also if the computer’s clock is set meanwhile', async () => {
    for (const hour of [-3_600_000, 3_600_000]) {
      const { patience: patient, waited, set } = patience();
      patient.wait('rate-limited', WHY, 5000);
      set(hour);
      assert.equal(await waited(), 5000);
    }
  });

  it('waits twice as long each time, up to a minute, and from the start after a success', async () => {
    const { patience: patient, waited } = patience();
    for (const ms of [1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000]) {
      patient.wait('unreachable', WHY, undefined);
      assert.equal(await waited(), ms);
    }
    patient.succeed();
    patient.wait('unreachable', WHY, undefined);
    assert.equal(await waited(), 1000);
  });

  it('takes what happens to all slots at once for one wait', async () => {
    const { patience: patient, waited, told } = patience();
    for (let slot = 0; slot < 16; slot++) patient.wait('rate-limited', WHY, undefined);
    assert.equal(await waited(), 1000);
    assert.deepEqual(told, ['search-waiting']);
    patient.succeed();
    assert.deepEqual(told, ['search-waiting', 'search-running']);
  });

  it('waits as long as a server asks, and longer where that is not enough', async () => {
    const { patience: patient, waited } = patience();
    patient.wait('rate-limited', WHY, 300);
    assert.equal(await waited(), 300);
    patient.wait('rate-limited', WHY, 90_000);
    assert.equal(await waited(), 90_000);
  });

  it('is not hurried into asking without end by a server that asks for no wait', async () => {
    const { patience: patient, waited } = patience();
    let total = 0;
    for (let turn = 0; turn < 6; turn++) {
      patient.wait('rate-limited', WHY, 0);
      total += await waited();
    }
    assert.ok(total > 30_000, `${total}`);
  });

  it('ends a wait when the work is stopped', async () => {
    const { patience: patient } = patience();
    patient.wait('unreachable', WHY, undefined);
    const stopped = new AbortController();
    stopped.abort();
    await patient.ready(stopped.signal);
  });
});
