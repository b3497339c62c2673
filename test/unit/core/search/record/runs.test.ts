import assert from 'node:assert/strict';
import type { JournalEvent, SearchEvent } from '../../../../../src/core/search/events.ts';
import type { Limits } from '../../../../../src/core/search/limits.ts';
import { Runs } from '../../../../../src/core/search/record/runs.ts';

const limitsOf = (calls: number): Limits => ({ size: 'medium', maxDepth: 4, guards: { calls } });
const begins = (type: 'search-started' | 'search-resumed', calls = 5): SearchEvent => ({
  ...{ type, model: 'a/b', limits: limitsOf(calls) },
});
const pauses = (reason: string, cause?: string): SearchEvent =>
  ({ type: 'search-paused', reason, cause, message: 'why' }) as SearchEvent;
const finishes = { type: 'search-finished', reason: 'complete' } as SearchEvent;
const waits = { type: 'search-waiting', reason: 'offers', message: 'why' } as SearchEvent;
const added = { type: 'node-added', node: '', children: [] } as unknown as SearchEvent;

function runsOf(...events: SearchEvent[]): Runs {
  const runs = new Runs();
  for (const event of events) runs.apply(event as JournalEvent);
  return runs;
}

describe('the runs of a search', () => {
  it('are none before the first has begun', () => {
    const runs = runsOf(added);
    assert.deepEqual(
      [runs.now.hasBegun, runs.now.run, runs.now.turn, runs.now.end, runs.now.limits],
      [false, ...Array(4).fill(undefined)],
    );
  });

  it('know what the last began with, and how the last one ended, also while another is under way', () => {
    const runs = runsOf(begins('search-started'), pauses('user'), begins('search-resumed', 9));
    assert.deepEqual(
      [runs.now.run?.type, runs.now.turn?.type, runs.now.end?.type],
      [...['search-resumed', 'search-resumed', 'search-paused']],
    );
    assert.deepEqual([runs.now.hasBegun, runs.now.limits], [true, limitsOf(9)]);
  });

  it('rest at a guard until that is raised, and only at a guard', () => {
    const runs = runsOf(begins('search-started'), pauses('budget', 'calls'));
    assert.deepEqual(runs.limitReached, { guard: 'calls', limit: 5 });
    runs.apply({ type: 'budget-changed', limits: limitsOf(6) } as unknown as JournalEvent);
    assert.equal(runs.limitReached, undefined);
    assert.equal(runsOf(begins('search-started'), pauses('person', 'calls')).limitReached, undefined);
    assert.equal(runsOf(begins('search-started'), pauses('budget', 'moons')).limitReached, undefined);
  });

  it('say what a person is needed for, and whether others have all the work', () => {
    assert.equal(runsOf(pauses('person', 'key-refused')).cause, 'key-refused');
    assert.equal(runsOf(pauses('budget', 'calls')).cause, undefined);
    assert.deepEqual([runsOf(waits).waitsOutside, runsOf(waits, finishes).waitsOutside], [true, false]);
  });

  it('have more to do once a node came after the end', () => {
    assert.equal(runsOf(begins('search-started'), added, finishes).now.hasMore, false);
    assert.equal(runsOf(begins('search-started'), finishes, added).now.hasMore, true);
  });

  it('are the same where they are taken up again', () => {
    const runs = runsOf(begins('search-started'), added, pauses('budget', 'calls'));
    const again = new Runs();
    again.restore(runs.state);
    assert.deepEqual([again.state, again.limitReached], [runs.state, runs.limitReached]);
  });
});
