import assert from 'node:assert/strict';
import { citationLink } from '../../../../src/core/citations/citation-marks.ts';
import { wordsOf } from '../../../../src/core/citations/quotation.ts';
import { countCitations } from '../../../../src/engine-parts/citations/check-citations.ts';
import { markDocument } from '../../../../src/engine-parts/citations/mark-document.ts';
import { SLIP_FILES, SLIPS, type Slip } from '../../../fixtures/planted-slips.ts';
import { heldText } from './held-text.ts';

const FOLDER = 'thought-trees/queue/push';
const documentWith = (text: string): string => `---\ntitle: A\nsummary: B.\n---\n\n# A\n\n${text}\n\nThat is all.\n`;

/** The links of a text to lines of files: path, first and last. */
function linesLinked(markdown: string): { path: string; from: number; to: number }[] {
  return Array.from(markdown.matchAll(/\]\((?:\.\.\/)+([^)#]+)#L(\d+)(?:-L(\d+))?\)/g), ([, path = '', from, to]) => ({
    path,
    from: Number(from),
    to: Number(to ?? from),
  }));
}

function placeOf(said: string): { path: string; from: number; to: number } {
  const [, path = '', from, to] = /^(.+):(\d+)(?:-(\d+))?$/.exec(said) ?? [];
  return { path, from: Number(from), to: Number(to ?? from) };
}

/** Every line of a fence, but for marks of omissions, is in the lines that the document links to. */
function assertHeld(markdown: string): void {
  const [place] = linesLinked(markdown);
  const fence = /```ts\n([\s\S]*?)\n```/.exec(markdown)?.[1];
  const all = (SLIP_FILES[place?.path ?? ''] ?? '').split('\n');
  assert.ok(place && place.to <= all.length, markdown);
  const there = ` ${wordsOf(all.slice(place.from - 1, place.to).join('\n')).text} `;
  for (const line of (fence ?? '').split('\n'))
    for (const part of line.split(/\s*(?:\/\/ \.\.\..*|…|\.\.\.)\s*/))
      assert.ok(there.includes(` ${wordsOf(part).text} `) || wordsOf(part).text === '', `${part} in ${there}`);
}

async function mended(slip: Slip): Promise<{ body: string; marks: string[] }> {
  const text = heldText(SLIP_FILES);
  const first = await markDocument(text, FOLDER, documentWith(slip.text));
  const second = await markDocument(text, FOLDER, first.text);
  assert.equal(second.text, first.text, 'once mended, it stays');
  assert.deepEqual(second.citations, first.citations);
  return { body: first.text.replace(/^---[\s\S]*?\n---\n/, ''), marks: first.citations.map(({ mark }) => mark) };
}

describe('forty slips in what documents cite', () => {
  for (const [at, slip] of SLIPS.entries())
    it(`${slip.kind}, ${slip.place ? `put right: ${slip.place}` : 'marked, never linked'} (${at + 1})`, async () => {
      const { body, marks } = await mended(slip);
      if (slip.place === undefined) {
        assert.deepEqual(marks, ['not_found']);
        assert.deepEqual(linesLinked(body), []);
        assert.equal(body.split(' (not found there)').length, 2, body);
        return;
      }
      assert.deepEqual(marks, ['verified'], body);
      const place = placeOf(slip.place);
      assert.deepEqual(linesLinked(body), [place], body);
      const label = slip.label ?? slip.place;
      const link = citationLink(FOLDER, place);
      assert.ok(body.includes(`[${label}](${link})`) || body.includes(`[\`${label}\`](${link})`), body);
      assert.doesNotMatch(body, /not found there/);
      assert.equal(body.split('\n').filter((line) => line.trim() === '…').length, slip.omissions ?? 0, body);
      assertHeld(body);
    });

  it('are five of each of eight kinds, and figures say how many are put right', async () => {
    assert.deepEqual(
      Object.values(Object.groupBy(SLIPS, ({ kind }) => kind)).map((slips) => slips?.length),
      Array.from({ length: 8 }, () => 5),
    );
    const marked = SLIPS.filter(({ place }) => place === undefined).length;
    const figures = await countCitations(
      heldText(SLIP_FILES),
      SLIPS.map(({ text }) => documentWith(text)),
    );
    assert.equal(figures.written, SLIPS.length);
    assert.equal(figures.marked, marked);
    assert.equal(figures.held + figures.mended, SLIPS.length - marked);
    assert.ok(figures.mended >= 20, String(figures.mended));
  });
});
