import assert from 'node:assert/strict';
import { foreign } from '../../../../src/core/messages/message.ts';
import { type Reason, ThoughtTreeError } from '../../../../src/core/search/errors.ts';
import type { History } from '../../../../src/engine/history.ts';
import { Patience, Tries } from '../../../../src/engine/patience.ts';
import { seededRandom, VirtualClock } from '../../../support/virtual-clock.ts';

/** How often a request is sent, at most `most` times, that fails for the same reason each time. */
async function sentFor(reason: Reason, most: number, isReached = true): Promise<number> {
  const clock = new VirtualClock();
  const history = { note: () => undefined } as unknown as History;
  const patience = new Patience(clock, seededRandom(1), history, 1000);
  if (isReached) patience.hear();
  const tries = new Tries(patience, clock);
  const error = new ThoughtTreeError(reason, foreign({ text: '' }));
  for (let sent = 1; sent < most; sent++)
    if (!(await clock.run(tries.endure(error, new AbortController().signal)))) return sent;
  return most;
}

describe('one request', () => {
  for (const reason of ['server-error', 'timed-out', 'cut-off', 'refused', 'internal'] as const)
    it(`is sent five times at most where it fails as ${reason}`, async () => {
      assert.equal(await sentFor(reason, 20), 5);
    });

  it('is sent once more only where what came is no answer at all', async () => {
    assert.equal(await sentFor('bad-answer', 20), 2);
  });

  for (const reason of ['key-refused', 'quota-exceeded', 'budget', 'aborted', 'lease-lost'] as const)
    it(`is sent once where it fails as ${reason}`, async () => {
      assert.equal(await sentFor(reason, 20), 1);
    });

  it('is sent three times at most to a model that was never reached', async () => {
    assert.equal(await sentFor('unreachable', 20, false), 3);
  });

  it('waits as long as it takes for a model that was reached before, or that asks for a pause', async () => {
    assert.equal(await sentFor('unreachable', 20), 20);
    assert.equal(await sentFor('rate-limited', 20), 20);
  });
});
