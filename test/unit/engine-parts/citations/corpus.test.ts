import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { type CheckedCitation, linesText } from '../../../../src/core/citations/citation.ts';
import { citationsIn } from '../../../../src/core/citations/citations-in.ts';
import { wordsOf } from '../../../../src/core/citations/quotation.ts';
import type { WorkspaceText } from '../../../../src/core/ports/workspace-text.ts';
import { checkCitations } from '../../../../src/engine-parts/citations/check-citations.ts';
import { openWorkspaceText } from '../../../../src/models/quotes/open-workspace-text.ts';
import { CORPUS, CORPUS_FILES } from '../../../fixtures/quotation-corpus.ts';
import { effort } from '../../../support/effort.ts';
import { makeWorkspace, removeWorkspaces } from '../../../support/quotes/quotes-workspace.ts';

/** A document that cites like a model: a link, then the quotation. */
function citing(path: string, lines: string, kind: 'code' | 'prose', text: string): string {
  const quotation =
    kind === 'code'
      ? `\`\`\`\`\n${text}\n\`\`\`\``
      : text
          .split('\n')
          .map((line) => `> ${line}`)
          .join('\n');
  return `# About it\n\n[${path}:${lines}](anywhere#L1)\n\n${quotation}\n\nThat is all.\n`;
}

describe('quotations, checked word for word', () => {
  let workspace: WorkspaceText;
  before(() => {
    workspace = openWorkspaceText({ workspace: makeWorkspace({ ...CORPUS_FILES }) });
  });
  after(async () => {
    await workspace.close();
    removeWorkspaces();
  });

  async function check(document: string): Promise<CheckedCitation> {
    const checked = await checkCitations(workspace, document, []);
    assert.equal(checked.length, 1, document);
    return checked[0] as CheckedCitation;
  }

  for (const { why, file, lines, kind, text, mark, now } of CORPUS)
    it(`${mark}: ${why} (${file}:${lines})`, async () => {
      const checked = await check(citing(file, lines, kind, text));
      assert.equal(checked.mark, mark);
      assert.equal(checked.now && linesText(checked.now), now);
    });

  it('verifies every run of whole lines at its lines, and tells where it is when it is said to be elsewhere', async () => {
    const paths = Object.keys(CORPUS_FILES);
    const place = fc.record({ path: fc.constantFrom(...paths), from: fc.nat(12), count: fc.nat(4), off: fc.nat(30) });
    await fc.assert(
      fc.asyncProperty(place, async ({ path, from, count, off }) => {
        const all = await linesOf(path);
        const first = from % all.length;
        const lines = all.slice(first, first + count + 1);
        const text = lines.join('\n');
        fc.pre(/[\p{L}\p{N}]/u.test(text));
        const at = linesText({ from: first + 1, to: first + lines.length });
        assert.equal((await check(citing(path, at, 'code', text))).mark, 'verified');
        // What is there more than once is nowhere in particular.
        const isOnce = wordsOf(all.join('\n')).text.split(wordsOf(text).text).length === 2;
        const elsewhere = await check(citing(path, String(all.length + 10 + off), 'code', text));
        assert.equal(elsewhere.mark, isOnce ? 'moved' : 'not_found');
      }),
    );
  });

  it('never verifies a quotation of which a word was changed', async () => {
    const cases = CORPUS.filter(({ mark }) => mark === 'verified');
    const edit = fc.record({
      one: fc.constantFrom(...cases),
      word: fc.nat(),
      at: fc.nat(),
      kind: fc.constantFrom('replace', 'insert', 'delete', 'swap', 'case', 'cut-end', 'cut-start', 'add-word'),
      character: fc.constantFrom('x', 'Q', '7', '-', '_', '§', 'é', '不', '\u200b', '\u202e', '\u0301'),
    });
    await fc.assert(
      fc.asyncProperty(edit, async ({ one, word, at, kind, character }) => {
        const words = wordsOf(one.text).text.split(' ');
        const place = word % words.length;
        const before = words[place] as string;
        // Where dots say that something is left out, more may be; where they are missing, they are put there.
        const isDots = (each = ''): boolean => /^(?:…|\.{3,})$/.test(each);
        const after = edited(before, at, kind, character);
        fc.pre(
          after !== before &&
            !isDots(before) &&
            !(after === '' && (isDots(words[place - 1]) || isDots(words[place + 1]))),
        );
        words[place] = after;
        const text = words.join(' ');
        const file = wordsOf((await linesOf(one.file)).join('\n')).text;
        // Some edits make other true words; whether they do is asked of the file's words by another way.
        const own = ` ${file} `;
        const bare = wordsOf(text.replace(/\\([!-/:-@[-`{-~])/g, '$1')).text.replace(/^["“„«]|["”“»]$/g, '');
        fc.pre(!own.includes(bare.replace(/^[\p{P}\s]+|[\p{P}\s]+$/gu, '')) && /[\p{L}\p{N}]/u.test(bare));
        const { mark } = await check(citing(one.file, one.lines, one.kind, text));
        assert.equal(mark, 'not_found', text);
      }),
      { numRuns: effort(1500) },
    );
  });

  it('verifies nothing that the words of the file do not have in them, whatever is cited', async () => {
    const piece = fc.constantFrom(
      'this',
      '.#jobs',
      'push',
      '(job)',
      ' ',
      '\n',
      '`',
      '\\',
      '>',
      '3.5',
      '队列',
      '没有',
      '\r',
      '“',
      '*',
    );
    const cited = fc.record({
      path: fc.constantFrom(...Object.keys(CORPUS_FILES)),
      text: fc.array(piece, { minLength: 1, maxLength: 8 }).map((pieces) => pieces.join('')),
      kind: fc.constantFrom('code' as const, 'prose' as const),
      from: fc.integer({ min: 1, max: 12 }),
      more: fc.nat(3),
    });
    await fc.assert(
      fc.asyncProperty(cited, async ({ path, text, kind, from, more }) => {
        const document = citing(path, linesText({ from, to: from + more }), kind, text);
        for (const [place, { mark, now }] of (await checkCitations(workspace, document, [])).entries()) {
          if (mark !== 'verified' && mark !== 'moved') continue;
          const at = mark === 'verified' ? { from, to: from + more } : (now as { from: number; to: number });
          const said = (await linesOf(path)).slice(at.from - 1, at.to).join('\n');
          const quoted = citationsIn(document)[place]?.quotation.text ?? '';
          const plain = (each: string): string => wordsOf(each).text.replace(/[\\“"”\s]/g, '');
          assert.ok(plain(said).includes(plain(quoted)), `${JSON.stringify(quoted)} in ${JSON.stringify(said)}`);
        }
      }),
      { numRuns: effort(1500) },
    );
  });

  async function linesOf(path: string): Promise<string[]> {
    const found = await workspace.read(path);
    assert.ok('text' in found);
    return found.text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/);
  }
});

function edited(word: string, at: number, kind: string, character: string): string {
  const letters = [...word];
  const place = at % letters.length;
  if (kind === 'replace') letters[place] = character;
  if (kind === 'insert') letters.splice(place, 0, character);
  if (kind === 'delete') letters.splice(place, 1);
  if (kind === 'swap') letters.reverse();
  if (kind === 'case') return word === word.toUpperCase() ? word.toLowerCase() : word.toUpperCase();
  if (kind === 'cut-end') letters.pop();
  if (kind === 'cut-start') letters.shift();
  if (kind === 'add-word') return `${word} ${character}`;
  return letters.join('');
}
