import assert from 'node:assert/strict';
import type { JournalEvent, SearchEvent } from '../../../../../src/core/search/events.ts';
import { isResumable, SearchRecord } from '../../../../../src/core/search/record/search-record.ts';
import { searchState } from '../../../../../src/core/search/record/search-state.ts';

const limits = { size: 'all', maxDepth: 4, guards: {} } as const;
const results = {} as Extract<JournalEvent, { type: 'search-finished' }>['results'];
const started: SearchEvent = { type: 'search-started', model: 'm', limits };
const resumed: SearchEvent = { type: 'search-resumed', model: 'm', limits };
const waiting: SearchEvent = { type: 'search-waiting', reason: 'unreachable', message: '' };
const outside: SearchEvent = { type: 'search-waiting', reason: 'offers', message: '' };
const goesOn: SearchEvent = { type: 'search-running' };
const paused: SearchEvent = { type: 'search-paused', reason: 'user', message: '', results };
const finished: SearchEvent = { type: 'search-finished', reason: 'complete', results };
const picked: SearchEvent = { type: 'picked', ranking: [] };

const stateOf = (events: SearchEvent[], isHeld: boolean, isOpen = true, hasReport = false): string => {
  const journal = events.map((event, index): JournalEvent => ({ seq: index + 1, time: '', ...event }));
  const { turn, waitsOutside } = SearchRecord.of(journal);
  return searchState({ last: turn?.type, waitsOutside, isHeld, isOpen, hasReport });
};

describe('the state of a search, seen from outside', () => {
  it('is what the journal said last, while its process lives', () => {
    assert.equal(stateOf([started, picked], true), 'running');
    assert.equal(stateOf([started, waiting, picked], true), 'waiting');
    assert.equal(stateOf([started, waiting, goesOn], true), 'running');
    assert.equal(stateOf([started, paused, resumed], true), 'running');
    assert.equal(stateOf([], true), 'running');
  });

  it('is interrupted if the process died', () => {
    assert.equal(stateOf([started, picked], false), 'interrupted');
    assert.equal(stateOf([started, waiting], false), 'interrupted');
    assert.equal(stateOf([started, finished, resumed], false, false), 'interrupted');
  });

  it('waits for work outside while somebody holds it, and is paused afterwards: nothing was interrupted', () => {
    assert.equal(stateOf([started, outside], true), 'waiting');
    assert.equal(stateOf([started, outside], false), 'paused');
    assert.equal(stateOf([started, outside, resumed], false), 'interrupted');
  });

  it('stays paused or finished', () => {
    for (const isHeld of [true, false]) {
      assert.equal(stateOf([started, paused], isHeld), 'paused');
      assert.equal(stateOf([started, finished, picked], isHeld), 'finished');
    }
  });

  it('follows from the files if there is no journal', () => {
    assert.equal(stateOf([], false, true), 'interrupted');
    assert.equal(stateOf([], false, false), 'finished');
    assert.equal(stateOf([], false, true, true), 'finished');
  });
});

describe('a finished search', () => {
  const bySize: SearchEvent = { type: 'search-finished', reason: 'size', results };
  const noted: SearchEvent = { type: 'steered', by: 'p', action: 'note', message: '' };
  const can = (events: SearchEvent[], isSolved = false): boolean => {
    const journal = events.map((event, index): JournalEvent => ({ seq: index + 1, time: '', ...event }));
    return isResumable('finished', { record: SearchRecord.of(journal), open: 9, isSolved });
  };

  it('is not to be resumed for its report alone', () => {
    for (const end of [bySize, finished]) {
      assert.equal(can([started, end]), false);
      assert.equal(can([started, end, noted]), false, 'its report is older than a note');
      assert.equal(can([started, end, { type: 'node-status', node: 'a', status: 'pruned' }]), false);
    }
  });

  it('is to be resumed for what a person wants, for what is new, and for a further reach', () => {
    const added: SearchEvent = { ...noted, action: 'add', value: { path: 'mine' } };
    assert.equal(can([started, bySize, { ...noted, action: 'expand', node: 'a' }]), true);
    assert.equal(can([started, bySize, added]), true);
    assert.equal(can([started, bySize, { type: 'node-status', node: 'a', status: 'unexpanded' }]), true);
    const further: SearchEvent = { type: 'budget-changed', by: 'p', limits: { ...limits, maxDepth: 5 } };
    assert.equal(can([started, bySize, noted, further]), true);
    assert.equal(can([started, bySize, noted, { ...further, limits: { ...limits, guards: { usd: 1 } } }]), false);
    assert.equal(can([started, { ...bySize, reason: 'finish-now' }, noted]), true);
    assert.equal(can([started, { ...bySize, reason: 'solved' }, further], true), false, 'it has its answer');
  });
});
