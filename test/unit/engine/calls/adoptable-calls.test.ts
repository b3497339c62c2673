import assert from 'node:assert/strict';
import * as z from 'zod';
import type { SearchEvent } from '../../../../src/core/search/events.ts';
import { AdoptableCalls } from '../../../../src/core/search/record/runs.ts';

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

  describe('whose words were written down', () => {
    const NO_QUEUE = { making: undefined };
    const answers = (...events: readonly SearchEvent[]): string[] => {
      const calls = new AdoptableCalls();
      for (const event of events) calls.apply(event as never);
      const restored = new AdoptableCalls();
      restored.restore(JSON.parse(JSON.stringify(calls.state)));
      assert.deepEqual(restored.answersTo('q0', MODEL), calls.answersTo('q0', MODEL));
      return calls.answersTo('q0', MODEL).map(({ call }) => call);
    };
    const status = (status: 'failed' | 'unexpanded' | 'expanded', was: 'in-progress' | 'failed'): SearchEvent => ({
      ...{ type: 'node-status', node: 'a', status, was },
    });
    const steered = { type: 'steered', by: 'Ada', action: 'retry', node: 'a', message: '' } as unknown as SearchEvent;
    const paused = (reason: 'person' | 'user'): SearchEvent =>
      ({ type: 'search-paused', reason, message: '' }) as unknown as SearchEvent;
    const WRONG = [begun(0), ended(0, NO_QUEUE)] as const;

    it('are used by the next process, also once more where that is killed, too', () => {
      assert.deepEqual(answers(...WRONG), [], 'the process itself knows its answer');
      assert.deepEqual(answers(...WRONG, TAKEN_OVER), ['c0']);
      const correction = { ...begun(1), question: 'q0' } as SearchEvent;
      assert.deepEqual(
        answers(...WRONG, TAKEN_OVER, correction),
        ['c0'],
        'one that its server refuses changes nothing',
      );
      assert.deepEqual(answers(...WRONG, TAKEN_OVER, correction, TAKEN_OVER), ['c0']);
      const corrected = { ...ended(1, NO_QUEUE), question: 'q0' } as SearchEvent;
      assert.deepEqual(answers(...WRONG, TAKEN_OVER, correction, corrected), [], 'it is used up');
      assert.deepEqual(answers(...WRONG, TAKEN_OVER, correction, corrected, TAKEN_OVER), ['c0', 'c1']);
    });

    it('are used by the same process, too, which was paused', () => {
      const resumed = { type: 'search-resumed', model: MODEL, limits: {} } as unknown as SearchEvent;
      assert.deepEqual(answers(...WRONG, status('unexpanded', 'in-progress'), paused('user'), resumed), ['c0']);
    });

    it('are of no use where the node failed, a person steers or is asked for, or something came of the node', () => {
      assert.deepEqual(answers(...WRONG, status('failed', 'in-progress'), TAKEN_OVER), []);
      assert.deepEqual(answers(...WRONG, TAKEN_OVER, status('failed', 'in-progress')), []);
      assert.deepEqual(answers(...WRONG, steered, TAKEN_OVER), []);
      assert.deepEqual(answers(...WRONG, paused('person'), TAKEN_OVER), []);
      assert.deepEqual(answers(...WRONG, status('expanded', 'in-progress'), TAKEN_OVER), []);
      const triedInVain = { ...status('unexpanded', 'in-progress'), own: { tries: 1 } } as unknown as SearchEvent;
      assert.deepEqual(answers(...WRONG, triedInVain, TAKEN_OVER), []);
      assert.deepEqual(answers(...WRONG, TAKEN_OVER, triedInVain), []);
      const generated = { type: 'generated', node: 'a', round: 1, found: 0 } as const;
      assert.deepEqual(answers(...WRONG, generated, TAKEN_OVER), []);
      assert.deepEqual(answers(...WRONG, { ...generated, node: 'b' }, TAKEN_OVER), ['c0']);
    });

    it('are not those of other models, and nothing that a queue could give', () => {
      assert.deepEqual(answers({ ...begun(0, 'a/c') } as SearchEvent, ended(0, NO_QUEUE), TAKEN_OVER), []);
      assert.deepEqual(takenOver(...WRONG).of('q0', 's', MODEL), []);
    });
  });

  it('are not known from what an earlier version kept, which did not say which model was asked', () => {
    const [{ model: _, ...old } = { model: '' }] = takenOver(begun(0)).state;
    assert.throws(() => new AdoptableCalls().restore([old]), z.ZodError);
  });
});
