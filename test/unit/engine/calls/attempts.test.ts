import assert from 'node:assert/strict';
import type { JournalEvent } from '../../../../src/core/search/events.ts';
import { Attempts } from '../../../../src/engine/history.ts';

const started = (question: string) => ({ type: 'call-started', question }) as JournalEvent;
const ended = (question: string) => ({ type: 'call-ended', question }) as JournalEvent;

describe('how often a question was sent', () => {
  it('is known of all that are under way, however many', () => {
    const attempts = new Attempts();
    for (let n = 0; n < 4096; n++) attempts.apply(started(`q${n}`));
    for (let n = 0; n < 4096; n++) attempts.apply(started(`q${n}`));
    assert.equal(attempts.of('q0'), 2);
    assert.equal(attempts.of('q4095'), 2);
    const again = new Attempts();
    again.restore(attempts.state);
    assert.deepEqual(again.state, attempts.state);
    assert.equal(again.of('q0'), 2);
    again.apply(started('q0'));
    assert.equal(again.of('q0'), 3);
  });

  it('is known of a thousand others, the ones that were answered last', () => {
    const attempts = new Attempts();
    attempts.apply(started('slow'));
    for (let n = 0; n < 1000; n++) for (const apply of [started, ended]) attempts.apply(apply(`q${n}`));
    attempts.apply(ended('slow'));
    assert.equal(attempts.of('slow'), 1);
    assert.equal(attempts.of('q0'), 0);
    assert.equal(attempts.of('q999'), 1);
    assert.equal(attempts.state.length, 1000);
  });
});
