import assert from 'node:assert/strict';
import { plain } from '../../../../src/core/messages/message.ts';
import { type Reason, ThoughtTreeError } from '../../../../src/core/search/errors.ts';
import { consequenceOf, stopAfter, stopsAtOnce, stopUnwritable } from '../../../../src/engine/loop.ts';

const failed = (reason: Reason, details = {}): ThoughtTreeError => new ThoughtTreeError(reason, plain('why'), details);

describe('how an error stops a search', () => {
  for (const [reason, details, expected] of [
    ['budget', { guard: 'calls' }, ['budget', 'calls', false]],
    ['key-refused', {}, ['person', 'key-refused', false]],
    ['disk-full', {}, ['store', 'disk-full', true]],
    ['bad-answer', {}, ['person', 'bad-answer', false]],
  ] as const)
    it(`${reason}: it pauses for ${expected[0]}, and says for what`, () => {
      const error = failed(reason, details);
      const stop = stopAfter(error, consequenceOf(error));
      assert.ok(stop?.kind === 'paused');
      assert.deepEqual([stop.reason, stop.cause, stopsAtOnce(stop)], expected);
      assert.equal(stop.message, 'why');
    });

  it('not at all if the work was stopped on purpose', () => {
    assert.equal(stopAfter(failed('aborted'), 'stopped'), undefined);
  });

  it('at once if another process has the search', () => {
    const error = failed('lease-lost');
    const stop = stopAfter(error, consequenceOf(error));
    assert.deepEqual(stop, { kind: 'lost', error });
    assert.deepEqual(stopUnwritable(error), { kind: 'lost', error });
    assert.ok(stop && stopsAtOnce(stop));
  });

  it('where files cannot be written, whatever the error', () => {
    const stop = stopUnwritable(failed('bad-answer'));
    assert.ok(stop.kind === 'paused');
    assert.deepEqual([stop.reason, stop.cause], ['store', 'bad-answer']);
  });
});
