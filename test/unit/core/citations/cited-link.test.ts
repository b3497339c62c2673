import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import MarkdownIt from 'markdown-it';
import { citationLink } from '../../../../src/core/citations/citation-marks.ts';
import { citationsIn } from '../../../../src/core/citations/citations-in.ts';
import { parseDocument } from '../../../../src/core/text/document.ts';
import { markDocument, withoutCitationMarks } from '../../../../src/engine-parts/citations/mark-document.ts';
import { effort } from '../../../support/effort.ts';
import { type HeldText, heldText } from '../../engine-parts/citations/held-text.ts';

const FOLDER = 'thought-trees/queue/push';
const FENCED = '```\none two\n```\n';

async function marked(text: HeldText, document: string): Promise<{ text: string; body: string; mark: string }> {
  const done = await markDocument(text, FOLDER, document);
  assert.equal(done.citations.length, 1, document.slice(0, 300));
  return { text: done.text, body: parseDocument(done.text).body, mark: done.citations[0]?.mark ?? '' };
}

/** The addresses of a text's links, as readers follow them. */
function addressesIn(markdown: string): (string | number)[] {
  const addresses: (string | number)[] = [];
  for (const { children } of new MarkdownIt().parse(markdown, {}))
    for (const token of children ?? []) {
      const address = token.attrGet('href') ?? token.attrGet('src');
      if (address) addresses.push(address);
    }
  return addresses;
}

describe('the link of a citation', () => {
  it('is recognized however long its address is, so that it is written once', async () => {
    const path = `${'超时'.repeat(55)}/${'文'.repeat(30)}.ts`;
    const text = heldText({ [path]: 'one two\n' });
    let document = `[${path}:1]\n\n${FENCED}`;
    for (let time = 1; time < 5; time++) {
      const { text: next, body } = await marked(text, document);
      assert.equal(body.split('](').length, 2, `pass ${time}`);
      assert.ok(body.includes(`.ts:${time}](`));
      text.files[path] = `${'\n'.repeat(time)}one two\n`;
      document = next;
    }
  });

  it('is recognized whatever address we write', () => {
    const step = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 150 })
      .map((one) => one.replace(/[\s/\\]/g, ''));
    const path = fc.array(step, { minLength: 1, maxLength: 3 }).map((steps) => `src/${steps.join('/')}.ts`);
    const up = fc.nat(400).map((depth) => 'a/'.repeat(depth));
    fc.assert(
      fc.property(path, up, fc.integer({ min: 1, max: 99 }), (file, folder, from) => {
        fc.pre(file.length <= 300);
        const address = citationLink(folder, { path: file, from, to: from + 1 });
        const link = `[src/a.ts:1](${address})`;
        if (address === undefined) return;
        assert.equal(citationsIn(`${link}\n\n${FENCED}`)[0]?.link.end, link.length);
      }),
      { numRuns: effort(300) },
    );
    assert.equal(citationLink('a/'.repeat(4000), { path: 'src/a.ts', from: 1, to: 1 }), undefined);
  });

  it('does not make its line too long to be read back', async () => {
    for (const length of [3950, 3985, 4000]) {
      const text = heldText({ 'src/a.ts': 'one two\n' });
      const place = '[src/a.ts:1]';
      const document = `${'x'.repeat(length - place.length - 1)} ${place}\n\n${FENCED}`;
      const first = await marked(text, document);
      assert.equal(first.mark, 'verified');
      text.files['src/a.ts'] = '\none two\n';
      const second = await marked(text, first.text);
      assert.equal(second.mark, 'verified');
      assert.match(second.body, /\[src\/a\.ts:2\]\([^)]*#L2\)\n/);
    }
  });

  it('never leads where a model said, and the place is the same when read back', async () => {
    const evil = 'https://evil.example/x';
    for (const [place, rest] of [
      [`[src/made.ts:1](${evil} "t")`],
      [`[src/made.ts:1](${evil} 't')`],
      [`[src/made.ts:1]( ${evil} (t) )`],
      [`[src/made.ts:1](<${evil}> "a \\" b")`],
      [`[src/made.ts:1](${evil}\\)y)`],
      [`[src/made.ts:1](${evil}\u00a0y)`],
      [`![src/made.ts:1](${evil})`],
      ['[src/made.ts:1]', `[src/made.ts:1]: ${evil}`],
      ['[src/made.ts:1][]', `[src/made.ts:1]: ${evil}`],
      ['[src/made.ts:1][there]', `[there]: ${evil}`],
      [`[see [src/made.ts:1]](${evil})`],
      [`[see\n[src/made.ts:1]\n> made up\n\n](${evil})`],
      ['It’s `x` and `y\\` [src/made.ts:1]', `[src/made.ts:1]: ${evil}`],
      ['[src/`made`.ts:1]', `[src/made.ts:1]: ${evil}`],
      ['don`t, see [src/made.ts:1]', `[src/made.ts:1]: ${evil}`],
      ['[`src/made.ts:1`]', `[\`src/made.ts:1\`]: ${evil}`],
    ]) {
      const document = `${place}\n\n> one two three\n\nThat is all.\n\n${rest ?? ''}\n`;
      for (const files of [{}, { 'src/made.ts': 'one two three\n' }]) {
        const first = await marked(heldText(files), document);
        assert.ok(!addressesIn(first.body).some((address) => String(address).includes('evil')), first.body);
        assert.ok(first.body.includes('src/made.ts:1') || first.body.includes('made'));
        const again = await marked(heldText(files), first.text);
        assert.equal(again.text, first.text);
        assert.equal(withoutCitationMarks(again.text), withoutCitationMarks(document));
      }
    }
  });

  it('is the same when read back, whatever is around it', async () => {
    const piece = fc.constantFrom(
      ...['[', '](', '](x)', ')', '\\', '!', '[src/made.ts:1]', '[src/a.ts:1]', '`src/made.ts:1`', '[src/a`b.ts:2]'],
      ...['<', '"', '\n', '\n\n', '> ', '- ', '— ', 'one two', '```\none two\n```\n', ' ', '|', '(x "t")', '[ref]'],
      ...['[ref]: u', '_', '*', 'x'],
    );
    const text = heldText({ 'src/a.ts': 'one two\n' });
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 14 }), async (pieces) => {
        const document = `${pieces.join('')}\n\n> one two\n\nThat is all.\n`;
        const first = await markDocument(text, FOLDER, document);
        fc.pre(first.citations.length > 0);
        const second = await markDocument(text, FOLDER, first.text);
        assert.equal(second.text, first.text);
      }),
      { numRuns: effort(2000) },
    );
  });

  it('is code if nothing can be opened', async () => {
    const { body } = await marked(heldText({}), `It is in [src/made.ts:1](x "t").\n\n${FENCED}`);
    assert.match(body, /^It is in `src\/made\.ts:1` \(not found there\)\.$/m);
  });
});
