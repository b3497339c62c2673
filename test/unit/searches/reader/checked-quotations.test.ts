import assert from 'node:assert/strict';
import { checkedQuotations } from '../../../../src/searches/reader/node-details.ts';

const WHERE = { workspace: '/w', folder: '/w/thought-trees/why' };

describe('the quotations that the panel names', () => {
  it('are linked from the document to where the lines are, those that are not in place first', () => {
    const entries = [
      'src/a.ts:1-2 verified #0123456789abc',
      'src/a.ts:3-4 moved to 9-10 #0123456789abc',
      'src/b.ts:7 not found #0123456789abc',
      'no entry at all',
    ];
    const named = [
      { place: 'src/a.ts:3-4', mark: 'moved', now: '9-10', href: '../../../../src/a.ts#L9-L10' },
      { place: 'src/b.ts:7', mark: 'not_found', href: '../../../../src/b.ts#L7' },
      { place: 'src/a.ts:1-2', mark: 'verified', href: '../../../../src/a.ts#L1-L2' },
    ];
    assert.deepEqual(checkedQuotations(entries, WHERE, 'one/two'), named);
  });

  it('have no link if there is no relative path, and are missing if the node has none', () => {
    const [outside] = checkedQuotations(
      ['src/b.ts:7 stale #0123456789abc'],
      { workspace: '/w', folder: '/elsewhere' },
      'one',
    );
    assert.deepEqual(outside, { place: 'src/b.ts:7', mark: 'stale' });
    assert.deepEqual(checkedQuotations(undefined, WHERE, 'one'), []);
  });
});
