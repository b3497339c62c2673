import assert from 'node:assert/strict';
import fc from 'fast-check';
import { SortedLines } from '../../../../src/text/words/packed-tables.ts';
import { effort } from '../../../support/effort.ts';

describe('sorted lines', () => {
  const short = fc.string({ unit: fc.constantFrom('a', 'b', '\t', ' ', 'é'), maxLength: 4 });

  it('finds the lines with a beginning, as a look at all of them does', () => {
    fc.assert(
      fc.property(fc.array(short), short, (lines, prefix) => {
        const text = lines
          .sort()
          .map((line) => `${line}\n`)
          .join('');
        assert.deepEqual(
          new SortedLines(text).beginningWith(prefix),
          lines.filter((line) => line.startsWith(prefix)),
        );
      }),
      { numRuns: effort(2000) },
    );
  });
});
