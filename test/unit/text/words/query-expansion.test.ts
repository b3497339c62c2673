import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { conceptsOf } from '../../../../src/text/words/concept.ts';
import { concernTableOf, packConcerns, unpackConcerns } from '../../../../src/text/words/packed-tables.ts';
import { QueryExpansion } from '../../../../src/text/words/query-expansion.ts';
import { termsOf } from '../../../../src/text/words/terms.ts';

const TEXT = `
a shop is closed but still hands out bread; requests after shutdown => shutdown draining reject request closed
the boss is cut off and steps down; leader loses its majority => leader lease quorum step down
letters pile up because the reader is slow; backpressure of a slow consumer => high water mark pause drain backpressure
`;

describe('concerns', () => {
  const concerns = new QueryExpansion(concernTableOf(TEXT));
  const saidFor = (question: string): string[][] => concerns.of(conceptsOf(question)).map(({ terms }) => [...terms]);

  it('are found by how people speak of them, likeliest first', () => {
    const [first, ...others] = concerns.of(conceptsOf('Why does the boss step down when it is cut off?'));
    assert.deepEqual(first, { likeliness: 1, terms: termsOf('leader lease quorum step down') });
    for (const { likeliness } of others) assert.ok(likeliness > 0 && likeliness < 1);
  });

  it('are found by what the code says as well', () => {
    assert.equal(saidFor('Where is the high water mark?')[0]?.[0], 'high');
  });

  it('are none where no word is known', () => {
    assert.deepEqual(saidFor('Zebra?'), []);
    assert.deepEqual(new QueryExpansion(concernTableOf('')).of(conceptsOf('the boss')), []);
  });

  it('are the same once packed', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(words(), words())), (lines) => {
        const table = concernTableOf(lines.map(([left, right]) => `${left} => ${right}`).join('\n'));
        assert.deepEqual(unpackConcerns(packConcerns(table)), table);
      }),
    );
  });

  it('that come with the program are lines that say something on both sides', () => {
    const text = readFileSync(new URL('../../../../data/concerns.txt', import.meta.url), 'utf8');
    const lines = text.split('\n').filter((line) => line !== '');
    assert.ok(lines.length > 5000);
    assert.equal(concernTableOf(text).asked.starts.length - 1, lines.length);
    assert.deepEqual(lines, [...new Set(lines)].sort(), 'each once, in order');
  });
});

function words(): fc.Arbitrary<string> {
  return fc
    .array(fc.constantFrom('socket', 'timeout', 'leader', 'cookie', 'größer', '会话', 'x'), { maxLength: 8 })
    .map((all) => all.join(' '));
}
