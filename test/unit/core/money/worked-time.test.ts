import assert from 'node:assert/strict';
import { WorkedTime } from '../../../../src/core/money/ledger.ts';
import type { JournalEvent, SearchEvent } from '../../../../src/core/search/events.ts';

const START = Date.UTC(2026, 0, 1);
const LIMITS = { size: 'medium', maxDepth: 4, guards: {} } as const;

/** An event at a minute after the start. */
const at = (minute: number, happening: SearchEvent): JournalEvent =>
  ({ seq: 1, time: new Date(START + minute * 60_000).toISOString(), ...happening }) as JournalEvent;
const begins = { type: 'search-started', model: 'a/b', limits: LIMITS } as SearchEvent;
const progress = { type: 'progress', text: 'x' } as SearchEvent;
const waits = { type: 'search-waiting', reason: 'offers', message: '' } as SearchEvent;
const works = { type: 'search-running', reason: 'offers' } as SearchEvent;

function timeOf(...events: JournalEvent[]): WorkedTime {
  const time = new WorkedTime();
  for (const each of events) time.apply(each);
  return time;
}

describe('the time a search worked', () => {
  it('is none before it begins, whatever was done to it', () => {
    const time = timeOf(at(0, progress), at(5, progress));
    assert.equal(time.minutes, 0);
    assert.equal(time.lastTime, START + 5 * 60_000);
  });

  it('goes on between events, until it is stopped', () => {
    const time = timeOf(at(0, begins), at(2, progress));
    assert.equal(time.minutes, 2);
    assert.equal(time.minutesAt(START + 3 * 60_000), 3);
    time.stop();
    assert.equal(time.minutesAt(START + 3 * 60_000), 2);
  });

  it('does not pass while others have all the work', () => {
    const time = timeOf(at(0, begins), at(1, waits), at(50, progress));
    assert.equal(time.minutesAt(START + 60 * 60_000), 1);
    time.apply(at(60, works));
    time.apply(at(62, progress));
    assert.equal(time.minutes, 3);
  });

  it('has in it what a person remembers of earlier times', () => {
    const remembered = { type: 'spend-remembered', calls: 0, tokens: 0, usd: 0, minutes: 7 } as SearchEvent;
    assert.equal(timeOf(at(0, begins), at(1, progress), at(9, remembered)).minutes, 8);
  });

  it('goes on as it was where it is taken up again', () => {
    const time = timeOf(at(0, begins), at(2, progress));
    const again = new WorkedTime();
    again.restore(time.state);
    assert.deepEqual(again.state, time.state);
    for (const each of [time, again]) each.apply(at(3, progress));
    assert.equal(again.minutes, time.minutes);
    assert.equal(again.minutes, 3);
  });
});
