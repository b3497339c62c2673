import assert from 'node:assert/strict';
import fc from 'fast-check';
import { sha256Of } from '../../../../src/core/text/sha256.ts';
import { textHash } from '../../../../src/store/text-hash.ts';

describe('the hash without Node', () => {
  it('is the one of Node, for texts of any length', () => {
    for (let length = 0; length < 200; length++)
      assert.equal(sha256Of('a'.repeat(length)), textHash('a'.repeat(length)));
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => sha256Of(text) === textHash(text)),
      { numRuns: 200 },
    );
  });
});
