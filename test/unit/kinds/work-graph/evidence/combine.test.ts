import assert from 'node:assert/strict';
import { allOf, anyOf, bounded, isVerified } from '../../../../../src/kinds/work-graph/evidence/check-work.ts';
import type { Evidence, Word } from '../../../../../src/kinds/work-graph/run/own-fields.ts';

const WORDS: readonly Word[] = ['reported', 'checked', 'verified', 'contradicted', 'uncheckable'];

describe('what is known of several checks together', () => {
  it('is verified only if every one is', () => {
    for (const one of WORDS)
      for (const other of WORDS)
        assert.equal(allOf([one, other]) === 'verified', one === 'verified' && other === 'verified');
    assert.equal(allOf(['uncheckable', 'contradicted']), 'contradicted');
    assert.equal(allOf(['uncheckable', 'verified']), 'uncheckable');
  });

  it('is verified if one of several alternatives is, and never because one cannot be checked', () => {
    for (const one of WORDS)
      for (const other of WORDS)
        assert.equal(anyOf([one, other]) === 'verified', one === 'verified' || other === 'verified');
    assert.equal(anyOf(['uncheckable']), 'uncheckable');
    assert.equal(anyOf(['contradicted', 'uncheckable']), 'uncheckable');
    assert.equal(anyOf(['contradicted']), 'contradicted');
  });

  it('counts the parts of an item through the item', () => {
    const evidence: Evidence[] = [
      { item: '0', word: 'verified' },
      { item: '0.0', word: 'contradicted' },
      { item: '0.1', word: 'verified' },
    ];
    assert.equal(isVerified(evidence), true);
    assert.deepEqual(bounded(evidence, 2), [{ item: '0', word: 'verified' }]);
  });
});
