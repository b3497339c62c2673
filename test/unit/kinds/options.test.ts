import assert from 'node:assert/strict';
import type { SearchFile } from '../../../src/core/search/search-file.ts';
import { loadKind, optionsOf } from '../../../src/engine/kind.ts';
import { KINDS } from '../../../src/kinds/kinds.ts';

const optionsIn = async (kind: string, options: object, given?: object): Promise<object> =>
  optionsOf(await loadKind(KINDS, { kind }), { options: options as SearchFile['options'] }, given);

describe("a kind's options in search.json", () => {
  for (const [kind, wrong] of [
    ['research', { maxChildren: 201 }],
    ['research', { picker: 'none' }],
    ['thoughts', { beam: 0 }],
    ['thoughts', { beam: 51 }],
    ['thoughts', { threshold: 10.5 }],
    ['thoughts', { judge: 'nobody' }],
    ['thoughts', { task: '../mine' }],
    ['thoughts', { beamFollowsScores: 'yes' }],
  ] as const)
    it(`are refused with ${JSON.stringify(wrong)}`, async () => {
      await assert.rejects(optionsIn(kind, wrong), {
        reason: 'damaged',
        message: new RegExp(Object.keys(wrong)[0] ?? ''),
      });
    });

  it('are not the business of other kinds', async () => {
    assert.deepEqual(await optionsIn('research', { beam: 0, mine: 1 }), { beam: 0, mine: 1 });
  });

  it('give way to what a run says', async () => {
    assert.deepEqual(await optionsIn('research', { picker: 'ranked' }, { picker: 'one-at-a-time' }), {
      picker: 'one-at-a-time',
    });
  });

  it('belong to a kind that exists', async () => {
    await assert.rejects(loadKind(KINDS, { kind: 'sums' }), { message: /only "research" and "thoughts"/ });
  });
});
