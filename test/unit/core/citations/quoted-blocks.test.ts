import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import MarkdownIt from 'markdown-it';
import { citationsIn } from '../../../../src/core/citations/citations-in.ts';
import { markDocument } from '../../../../src/engine-parts/citations/mark-document.ts';
import { effort } from '../../../support/effort.ts';
import { heldText } from '../../engine-parts/citations/held-text.ts';

const FILES = { 'src/a.ts': 'one two\nthree four\n' };
const FENCE = '```';

async function marksOf(body: string): Promise<string[]> {
  const { citations } = await markDocument(heldText(FILES), 'thought-trees/a', body);
  return citations.map(({ mark }) => mark);
}

/** The words of each fence, code block and outermost block quote, as readers see them. */
function shownBlocks(markdown: string, html: boolean): string[][] {
  const blocks: string[][] = [];
  let quote: string[] | undefined;
  let depth = 0;
  for (const { type, content } of new MarkdownIt({ html }).parse(markdown, {})) {
    if (type === 'blockquote_open' && depth++ === 0) quote = [];
    const words = content.match(/word\d+/g) ?? [];
    if (quote) quote.push(...words);
    else if (type === 'fence') blocks.push(words);
    if (type === 'blockquote_close' && --depth === 0 && quote) {
      blocks.push(quote);
      quote = undefined;
    }
  }
  return blocks;
}

describe('what readers see as one quotation', () => {
  for (const [why, line] of [
    ['a no-break space', '\u00a0```'],
    ['an em space', '\u2003```'],
    ['a no-break space behind it', '```\u00a0'],
    ['a tab', '\t```'],
    ['a space and a tab', ' \t```'],
    ['six spaces', '      ```'],
    ['a mark of a block quote', '> ```'],
  ] as const)
    it(`does not end at a fence with ${why}`, async () => {
      for (const indent of ['', '   ']) {
        const body = `[src/a.ts:1]\n\n${indent}${FENCE}\none two\n${line}\nFABRICATED\n${indent}${FENCE}\n`;
        assert.deepEqual(await marksOf(body), ['not_found'], JSON.stringify(body));
      }
    });

  it('continues in a block quote below a line of other white space', async () => {
    for (const space of ['\u00a0', '\u2003', '\u3000'])
      assert.deepEqual(await marksOf(`[src/a.ts:1]\n\n> one two\n${space}\nFABRICATED\n`), ['not_found']);
    assert.deepEqual(await marksOf('[src/a.ts:1]\n\n> one two\n \t\nThat is all.\n'), ['verified']);
  });

  it('is a fence in a list, or one that is a little indented, to its end', async () => {
    for (const body of [
      `- [src/a.ts:1]\n\n  ${FENCE}\n  one two\n     ${FENCE}\n`,
      `1. In the list:\n\n   [src/a.ts:1]\n\n    ${FENCE}ts\n    one two\n   ${FENCE}\n`,
      `[src/a.ts:1]\n\n  ${FENCE}\n  one two\n   ${FENCE} \t\n`,
      `[src/a.ts:1]\n\n~~~\none two\n~~~~\n`,
    ])
      assert.deepEqual(await marksOf(`${body}\nThat is all.\n`), ['verified'], body);
  });

  it('is a fence in a block quote, and the text below it is read as well', async () => {
    const second = `[src/a.ts:2]\n\n${FENCE}\nthree four\n${FENCE}\n`;
    for (const below of ['\n\n', '\n>\n\n', '\nThat is all.\n\n'])
      assert.deepEqual(
        await marksOf(`[src/a.ts:1]\n\n> ${FENCE}ts\n> one two\n> ${FENCE}${below}${second}`),
        ['verified', 'verified'],
        below,
      );
    assert.deepEqual(await marksOf(`> ${FENCE}\n> one two\n> ${FENCE}\n> — [src/a.ts:1]\n`), ['verified']);
    assert.deepEqual(await marksOf(`[src/a.ts:1]\n\n> ${FENCE}\n> one two\n> ${FENCE}\n> FABRICATED\n`), ['not_found']);
  });

  it('extends as far as with or without HTML, whichever is further', async () => {
    assert.deepEqual(await marksOf(`[src/a.ts:1]\n\n> one two\n<div>FABRICATED</div>\n`), ['not_found']);
    const hidden = `[src/a.ts:1]\n\n> <!--\n> ${FENCE}\n> -->\n> one two\nFABRICATED\n`;
    assert.ok(citationsIn(hidden)[0]?.quotation.text.includes('FABRICATED'));
  });

  it('is checked to its last word, however it is written', () => {
    const mark = fc.constantFrom('', '', '> ', '>', '- ', '1. ', '  ', '\t', '      ', '\u00a0', '\u2003', '> > ', '#');
    const text = fc.constantFrom(
      'w',
      'w',
      'w',
      'w',
      '```',
      '~~~',
      '````',
      '``` ',
      '```\u00a0',
      '',
      '<!--',
      '-->',
      '<b>',
    );
    const line = fc.tuple(fc.array(mark, { maxLength: 3 }), text).map(([marks, end]) => marks.join('') + end);
    const ends = fc.constantFrom('\n', '\n', '\n', '\r\n', '\r');
    fc.assert(
      fc.property(fc.array(line, { maxLength: 14 }), ends, (lines, end) => {
        const body = `[src/a.ts:1]${end}${end}${lines.map((each, at) => each.replace('w', `word${at}`)).join(end)}`;
        for (const html of [false, true])
          for (const block of shownBlocks(body, html))
            for (const { quotation } of citationsIn(body)) {
              const words = new Set(quotation.text.match(/word\d+/g));
              if (!block.some((word) => words.has(word))) continue;
              for (const word of block) assert.ok(words.has(word), `${word} of ${JSON.stringify(body)}`);
            }
      }),
      { numRuns: effort(5000) },
    );
  });
});
