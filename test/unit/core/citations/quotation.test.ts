import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { findQuotation, type Words, wordsOf } from '../../../../src/core/citations/quotation.ts';
import { checkCitations } from '../../../../src/engine-parts/citations/check-citations.ts';
import { effort } from '../../../support/effort.ts';
import { heldText } from '../../engine-parts/citations/held-text.ts';

interface Span {
  readonly from: number;
  readonly to: number;
}

/** Every place of a quotation of code, found the slow way. */
function placesOf({ text, lines }: Words, words: string): Span[] {
  const lineOf = (offset: number): number => lines.findLastIndex((begin) => begin <= offset) + 1;
  const places: Span[] = [];
  for (let at = 0; at < text.length; at++)
    if (` ${text} `.startsWith(` ${words} `, at)) places.push({ from: lineOf(at), to: lineOf(at + words.length - 1) });
  return places;
}

describe('where a quotation is looked for', () => {
  it('is in the named lines, then where it is once, or right beside them and nowhere else as near', () => {
    const word = fc.constantFrom('a', 'a', 'b', 'ab', '\n', '\n', '\n');
    const text = fc.array(word, { minLength: 1, maxLength: 40 }).map((words) => words.join(' '));
    const quoted = fc.array(fc.constantFrom('a', 'b', 'ab'), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(text, quoted, fc.integer({ min: 1, max: 20 }), fc.nat(3), (content, words, from, more) => {
        const file = wordsOf(content);
        const named = { from, to: from + more };
        const place = findQuotation(file, { kind: 'code', text: words.join(' ') }, named);
        const all = placesOf(file, words.join(' '));
        const within = all.find((one) => one.from >= from && one.to <= named.to);
        const far = (one: Span): number => (one.from <= named.to && one.to >= from ? 0 : Math.abs(one.from - from));
        const [best, next] = all.toSorted((a, b) => far(a) - far(b));
        const isMeant = best && (!next || (far(best) <= 5 && far(best) < far(next)));
        assert.deepEqual(place, within ?? (isMeant ? best : undefined));
      }),
      { numRuns: effort(3000) },
    );
  });

  it('is found among any number of others, and in files of one word over and over', () => {
    const file = wordsOf(`${'</div>\n'.repeat(60_000)}last one\n`);
    const at = (from: number): Span => ({ from, to: from });
    assert.deepEqual(findQuotation(file, { kind: 'code', text: '</div>' }, at(2500)), at(2500));
    assert.deepEqual(findQuotation(file, { kind: 'code', text: '</div>' }, at(60_001)), at(60_000));
    assert.equal(findQuotation(file, { kind: 'code', text: '</div>' }, at(70_000)), undefined, 'no place is meant');
    assert.deepEqual(findQuotation(file, { kind: 'code', text: '</div> last' }, at(1)), { from: 60_000, to: 60_001 });
    const long = '</div> '.repeat(2800);
    assert.equal(findQuotation(file, { kind: 'code', text: `${long}first` }, at(1)), undefined);
  });

  it('yields between one citation and the next', async () => {
    const text = heldText({ 'src/a.ts': 'a a a b\n'.repeat(120_000) });
    const quotation = `\`\`\`\n${'a a a b '.repeat(2000)}c\n\`\`\`\n`;
    let turns = 0;
    const timer = setInterval(() => turns++);
    try {
      const checked = await checkCitations(text, `[src/a.ts:1]\n\n${quotation}\n`.repeat(12), []);
      assert.deepEqual(
        checked.map(({ mark }) => mark),
        Array.from({ length: 12 }, () => 'not_found'),
      );
    } finally {
      clearInterval(timer);
    }
    assert.ok(turns > 1, String(turns));
  });
});
