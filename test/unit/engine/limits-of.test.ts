import assert from 'node:assert/strict';
import type { JournalEvent } from '../../../src/core/search/events.ts';
import { DEFAULT_GUARDS, type Limits } from '../../../src/core/search/limits.ts';
import type { SearchFile } from '../../../src/core/search/search-file.ts';
import { lastLimits } from '../../../src/engine/limits-of.ts';

const file: SearchFile = { version: 1, kind: 'research', title: 'T', prompt: 'Why?', options: {} };
const paid = { free: false };
const free = { free: true };
const journal = (...all: Limits[]): JournalEvent[] =>
  all.map((limits, i) => ({ seq: i + 1, time: '', type: 'budget-changed', by: 'user', limits }));

describe('the limits of a search', () => {
  it('are the defaults where nobody said anything', () => {
    assert.deepEqual(lastLimits([], file, undefined, paid), { size: 'medium', maxDepth: 4, guards: DEFAULT_GUARDS });
  });

  it('have no default guard for a model that costs nothing', () => {
    assert.deepEqual(lastLimits([], file, undefined, free).guards, {});
    assert.deepEqual(lastLimits([], file, { guards: { calls: 5 } }, free).guards, { calls: 5 });
  });

  it('go as deep as the task, else the preset has it, where search.json says nothing', () => {
    const depthOf = (options: SearchFile['options']): number =>
      lastLimits([], { ...file, kind: 'thoughts', options }, undefined, free).maxDepth;
    assert.equal(depthOf({ task: 'game24' }), 3);
    assert.equal(depthOf({ preset: 'planning' }), 5);
    assert.equal(depthOf({ task: 'game24', maxDepth: 7 }), 7);
    assert.equal(depthOf({ task: 'not-here' }), 4);
  });

  it('take size and depth from search.json, and no guard, which a clone could bring', () => {
    const options = { size: 'small', maxDepth: 2, guards: { usd: 1000 } } as SearchFile['options'];
    const limits = lastLimits([], { ...file, options }, undefined, paid);
    assert.deepEqual(limits, { size: 'small', maxDepth: 2, guards: DEFAULT_GUARDS });
  });

  it('are what the journal told last, and what is given now before that', () => {
    const told = journal(
      { size: 'small', maxDepth: 3, guards: { usd: 1 } },
      { size: 'large', maxDepth: 5, guards: { calls: 9, tokens: 10, usd: 50 } },
    );
    assert.deepEqual(lastLimits(told, file, undefined, paid), told[1] && 'limits' in told[1] ? told[1].limits : null);
    assert.deepEqual(lastLimits(told, file, { size: 'all', guards: { usd: 2 } }, paid), {
      size: 'all',
      maxDepth: 5,
      guards: { calls: 9, tokens: 10, usd: 2 },
    });
  });

  it('bind a model that costs also where the search began with one that did not', () => {
    const began = journal({ size: 'medium', maxDepth: 4, guards: {} });
    assert.deepEqual(lastLimits(began, file, undefined, paid).guards, DEFAULT_GUARDS);
  });
});
