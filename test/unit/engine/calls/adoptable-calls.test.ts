import assert from 'node:assert/strict';
import * as z from 'zod';
import type { SearchEvent } from '../../../../src/core/search/events.ts';
import { AdoptableCalls } from '../../../../src/engine/history.ts';

const MODEL = 'a/b';

describe('the calls whose answers a later process may take', () => {
  const begun = (n: number, model = MODEL): SearchEvent => ({
    ...{ type: 'call-started', call: `c${n}`, question: `q${n}`, sent: 's', purpose: 'document', node: 'a' },
    ...{ model, attempt: 1, worst: { tokens: 1 } },
  });
  const ended = (n: number, more: object = {}): SearchEvent => ({
    ...{ type: 'call-ended', call: `c${n}`, question: `q${n}`, purpose: 'document', node: 'a', ms: 1 },
    ...{ outcome: 'ok', charged: true, making: { job: `j${n}`, taken: 't' }, ...more },
  });
  const TAKEN_OVER: SearchEvent = { type: 'lease-taken', epoch: 2, pid: 1, host: 'h' };

  /** How many of so many questions have a call. */
  function found(calls: AdoptableCalls, most: number): number {
    return Array.from({ length: most }, (_, n) => calls.of(`q${n}`, 's', MODEL).length).reduce((sum, n) => sum + n, 0);
  }

  function takenOver(...events: readonly SearchEvent[]): AdoptableCalls {
    const calls = new AdoptableCalls();
    for (const event of [...events, TAKEN_OVER]) calls.apply(event as never);
    return calls;
  }

  const each = <T>(length: number, make: (n: number) => T): T[] => Array.from({ length }, (_, n) => make(n));

  it('are all that a thousand slots had answered at the same moment', () => {
    assert.equal(found(takenOver(...each(1000, (n) => begun(n)), ...each(1000, (n) => ended(n))), 1000), 1000);
  });

  it('are no more than 2000 answered ones, the last ones, and whatever was open besides', () => {
    const open = each(4096, (n) => begun(9000 + n));
    const calls = takenOver(...open, ...each(3000, (n) => begun(n)).flatMap((start, n) => [start, ended(n)]));
    assert.equal(calls.state.length, 4096 + 2000 - 1);
    assert.deepEqual([found(calls, 1000), found(calls, 3000)], [0, 2000]);
    const restored = new AdoptableCalls();
    restored.restore(JSON.parse(JSON.stringify(calls.state)));
    assert.deepEqual(restored.state, calls.state);
    assert.equal(takenOver(...each(5000, (n) => begun(n))).state.length, 4096);
  });

  it('are none that failed, whose answers nobody can use', () => {
    const failed = { message: 'Bad.', say: { key: 'fleet.stopped', args: {} } };
    const calls = takenOver(
      begun(0),
      begun(1),
      ended(0, { ...failed, outcome: 'bad-answer' }),
      ended(1, { ...failed, outcome: 'unreachable', charged: false }),
    );
    assert.deepEqual(calls.state, []);
  });

  it('are not known from what an earlier version kept, which did not say which model was asked', () => {
    const [{ model: _, ...old } = { model: '' }] = takenOver(begun(0)).state;
    assert.throws(() => new AdoptableCalls().restore([old]), z.ZodError);
  });
});
