import assert from 'node:assert/strict';
import type { JournalEvent } from '../../../../src/core/search/events.ts';
import { DEFAULT_SPEND_LIMITS, type Limits } from '../../../../src/core/search/limits.ts';
import { SearchRecord } from '../../../../src/core/search/record/search-record.ts';
import type { SearchFile } from '../../../../src/core/search/search-file.ts';
import { lastLimits, limitsBefore } from '../../../../src/engine/limits.ts';
import { usualDepth } from '../../../../src/kinds/thoughts/settings.ts';

const file: SearchFile = { version: 1, kind: 'research', title: 'T', prompt: 'Why?', options: {} };
const paid = { free: false };
const free = { free: true };
const told = (...all: Limits[]): Limits | undefined =>
  SearchRecord.of(
    all.map((limits, i): JournalEvent => ({ seq: i + 1, time: '', type: 'budget-changed', by: 'user', limits })),
  ).limits;

describe('the limits of a search', () => {
  it('are the defaults where nobody said anything', () => {
    assert.deepEqual(lastLimits(undefined, file, undefined, paid), {
      size: 'medium',
      maxDepth: 4,
      guards: DEFAULT_SPEND_LIMITS,
    });
  });

  it('have no default guard for a model that costs nothing', () => {
    assert.deepEqual(lastLimits(undefined, file, undefined, free).guards, {});
    assert.deepEqual(lastLimits(undefined, file, { guards: { calls: 5 } }, free).guards, { calls: 5 });
  });

  it('go as deep as the task, else the preset has it, where search.json says nothing', () => {
    const depthOf = (options: SearchFile['options']): number =>
      lastLimits(undefined, { ...file, kind: 'thoughts', options }, undefined, free, usualDepth(options)).maxDepth;
    assert.equal(depthOf({ task: 'game24' }), 3);
    assert.equal(depthOf({ preset: 'planning' }), 5);
    assert.equal(depthOf({ task: 'game24', maxDepth: 7 }), 7);
    assert.equal(depthOf({ task: 'not-here' }), 4);
  });

  it('take size and depth from search.json, and no guard, which a clone could bring', () => {
    const options = { size: 'small', maxDepth: 2, guards: { usd: 1000 } } as SearchFile['options'];
    const limits = lastLimits(undefined, { ...file, options }, undefined, paid);
    assert.deepEqual(limits, { size: 'small', maxDepth: 2, guards: DEFAULT_SPEND_LIMITS });
  });

  it('are what the journal told last, and what is given now before that', () => {
    const last: Limits = { size: 'large', maxDepth: 5, guards: { calls: 9, tokens: 10, usd: 50 } };
    const before = told({ size: 'small', maxDepth: 3, guards: { usd: 1 } }, last);
    assert.deepEqual(lastLimits(before, file, undefined, paid), last);
    assert.deepEqual(lastLimits(before, file, { size: 'all', guards: { usd: 2 } }, paid), {
      size: 'all',
      maxDepth: 5,
      guards: { calls: 9, tokens: 10, usd: 2 },
    });
  });

  it('are those that this user gave where that is remembered; the journal can only lower them', () => {
    const own = (more: object = {}) => ({ isKnown: true, ...more });
    const forged: Limits = { size: 'all', maxDepth: 64, guards: { calls: 1e9, tokens: 1e12, usd: 1, minutes: 5 } };
    const mine: Limits = { size: 'large', maxDepth: 5, guards: { calls: 9, tokens: 10, usd: 50 } };
    assert.deepEqual(limitsBefore(forged, own({ limits: mine }), file), {
      ...mine,
      guards: { calls: 9, tokens: 10, usd: 1, minutes: 5 },
    });
    const small = { ...file, options: { size: 'small' as const } };
    const usual = { ...DEFAULT_SPEND_LIMITS, usd: 1, minutes: 5 };
    assert.deepEqual(limitsBefore(forged, own(), small), { size: 'small', maxDepth: 4, guards: usual });
    const settings = own({ guards: { calls: 5 } });
    assert.equal(limitsBefore(undefined, settings, file)?.guards.calls, 5);
    assert.equal(limitsBefore(forged, settings, file)?.guards.calls, 5);
    assert.deepEqual(limitsBefore(forged, undefined, file), forged, 'where nothing is remembered at all');
  });

  it('bind a model that costs also where the search began with one that did not', () => {
    const began = told({ size: 'medium', maxDepth: 4, guards: {} });
    assert.deepEqual(lastLimits(began, file, undefined, paid).guards, DEFAULT_SPEND_LIMITS);
  });
});
