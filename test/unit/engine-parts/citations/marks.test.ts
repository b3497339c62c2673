import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import MarkdownIt from 'markdown-it';
import { type CheckedCitation, CitationMark, countMarks } from '../../../../src/core/citations/citation.ts';
import {
  citationLink,
  countsIn,
  marksOf,
  recordsIn,
  withMarks,
} from '../../../../src/core/citations/citation-marks.ts';
import { citationsIn } from '../../../../src/core/citations/citations-in.ts';
import { referencesIn } from '../../../../src/core/citations/line-references.ts';
import { checkDocument, parseDocument } from '../../../../src/core/text/document.ts';
import { NodeFile } from '../../../../src/core/tree/node-file.ts';
import { markDocument, withoutCitationMarks } from '../../../../src/engine-parts/citations/mark-document.ts';
import { effort } from '../../../support/effort.ts';
import { growsLinearly } from '../../../support/grows-linearly.ts';
import { heldText } from './held-text.ts';

const FILES = {
  'src/queue.ts': 'export class Queue {\n  push(job: Job): void {}\n}\n',
  'a b/(x)#1.md': '# One\n\nTwo words.\n',
};
const FOLDER = 'thought-trees/queue/push';

const DOCUMENT = `---
title: Push
summary: How it pushes.
---
# Push

It is there, as [src/queue.ts:2](http://elsewhere.example/) shows:

\`\`\`ts
  push(job: Job): void {}
\`\`\`

> Two words.

— \`a b/(x)#1.md:1\`

[src/queue.ts:1](javascript:alert)

\`\`\`
export class Stack {
\`\`\`

[../secret.txt:1](command:x)

> made up
`;

describe('the marks of citations', () => {
  it('tell what was left out of the files that are cited, once for each, whatever a model claims', async () => {
    const text = heldText(FILES);
    const counting = { ...text, read: async (path: string) => ({ ...(await text.read(path)), secrets: 2 }) };
    const claimed = DOCUMENT.replace('---\n', '---\nleft_out: nothing at all\n').replaceAll(
      'a b/(x)#1.md',
      'src/queue.ts',
    );
    const told = await markDocument(counting, FOLDER, claimed);
    assert.deepEqual(parseDocument(told.text).data['left_out'], ['2 secrets left out of src/queue.ts']);
    const none = await markDocument(text, FOLDER, claimed);
    assert.equal(parseDocument(none.text).data['left_out'], undefined);
    assert.equal((await markDocument(text, FOLDER, told.text)).text, none.text, 'it says what is so now');
  });

  it('are counted in one line of the front matter and named for node.json, and each link leads to the quotation', async () => {
    const { text, citations } = await markDocument(heldText(FILES), FOLDER, DOCUMENT);
    assert.deepEqual(
      citations.map(({ mark }) => mark),
      ['verified', 'verified', 'not_found', 'not_found'],
    );
    const { data, body } = parseDocument(text);
    assert.deepEqual(data, {
      title: 'Push',
      summary: 'How it pushes.',
      citations: '2 verified, 2 not found',
    });
    assert.deepEqual(countsIn(data), { verified: 2, moved: 0, stale: 0, not_found: 2 });
    const marks = marksOf(citations);
    assert.deepEqual(marks.citations, countsIn(data));
    const [first, second, third, fourth] = marks.quotations ?? [];
    assert.match(first ?? '', /^src\/queue\.ts:2 verified #[0-9a-f]{13}$/);
    assert.match(second ?? '', /^a b\/\(x\)#1\.md:3 verified #/);
    assert.match(third ?? '', /^src\/queue\.ts:1 not found #/);
    assert.match(fourth ?? '', /^\.\.\/secret\.txt:1 not found #/);
    assert.match(body, /\[src\/queue\.ts:2\]\(\.\.\/\.\.\/\.\.\/src\/queue\.ts#L2\)/);
    assert.match(body, /\[a b\/\(x\)\\#1\.md:3\]\(\.\.\/\.\.\/\.\.\/a%20b\/%28x%29%231\.md#L3\)/);
    assert.match(body, /^`\.\.\/secret\.txt:1` \(not found there\)$/m);
    assert.doesNotMatch(body, /javascript|command:|elsewhere/);
  });

  it('are the same when they are written again, and come off again', async () => {
    const marked = await markDocument(heldText(FILES), FOLDER, DOCUMENT);
    const again = await markDocument(heldText(FILES), FOLDER, marked.text);
    assert.equal(again.text, marked.text);
    const right = DOCUMENT.replace('#1.md:1', '#1.md:3');
    assert.equal(withoutCitationMarks(marked.text), withoutCitationMarks(checkDocument(right, 'x').text));
    const edited = marked.text.replace('It is there', 'It is here');
    assert.notEqual(withoutCitationMarks(edited), withoutCitationMarks(checkDocument(right, 'x').text));
  });

  it('cannot be written by a model, with a workspace or without', async () => {
    const forged = DOCUMENT.replace(
      'summary:',
      'citations: {verified: 9, moved: 0, stale: 0, not_found: 0}\nquotations: ["src/queue.ts:1 verified #0000000000000"]\nsummary:',
    );
    const { text } = await markDocument(heldText(FILES), FOLDER, forged);
    assert.equal(parseDocument(text).data['citations'], '2 verified, 2 not found');
    const unchecked = await markDocument(undefined, FOLDER, forged);
    assert.deepEqual(Object.keys(parseDocument(unchecked.text).data), ['title', 'summary']);
  });

  it('are made of places in sentences and findings as well, each counted once, and put right once and for all', async () => {
    const findings = [
      { text: 'Jobs are kept by `push` (src/queue.ts:1).', cites: ['src/queue.ts:1'] },
      { text: 'A queue has no bound.', cites: ['queue.ts:1', 'src/queue.ts:9'] },
      'It is made up, src/none.ts:3.',
    ];
    const document = `---\n${JSON.stringify({ title: 'A', summary: 'B', findings }).slice(1, -1)}\n---\n`;
    const flow = document.replace(/^---\n(.*)\n---\n$/s, '---\n{$1}\n---\n');
    const body =
      '# A\n\nIt is `push`, see src/queue.ts:1, or so; [the class](/src/queue.ts#L1) too, not src/queue.ts:7.\n';
    const first = await markDocument(heldText(FILES), FOLDER, `${flow}\n${body}`);
    const { data, body: marked } = parseDocument(first.text);
    assert.deepEqual(data['findings'], [
      { text: 'Jobs are kept by `push` (src/queue.ts:2).', cites: ['src/queue.ts:2'] },
      { text: 'A queue has no bound.', cites: ['src/queue.ts:1', 'src/queue.ts:9 (not found there)'] },
      'It is made up, src/none.ts:3 (not found there).',
    ]);
    assert.match(marked, /see \[src\/queue\.ts:2\]\(\.\.\/\.\.\/\.\.\/src\/queue\.ts#L2\), or so;/);
    assert.match(marked, /not src\/queue\.ts:7 \(not found there\)\./);
    assert.equal(data['citations'], '2 verified, 3 not found');
    const second = await markDocument(heldText(FILES), FOLDER, first.text);
    assert.equal(second.text, first.text);
    assert.deepEqual(second.asFound, first.citations);
  });

  it('leave a document without citations as it is', async () => {
    const plain = checkDocument('# A\n\nSee [the queue](../x), `12:30` and example.com:80.\n\nText.\n', 'A').text;
    assert.equal((await markDocument(heldText(FILES), FOLDER, plain)).text, plain);
  });

  it('call what was in the file and is no more stale, and never verified', async () => {
    const workspace = heldText({ ...FILES });
    const marked = await markDocument(workspace, FOLDER, DOCUMENT);
    workspace.files['src/queue.ts'] = 'export class Stack {}\n';
    delete workspace.files['a b/(x)#1.md'];
    const records = recordsIn(marksOf(marked.citations).quotations);
    const later = await markDocument(workspace, FOLDER, marked.text, { records });
    assert.deepEqual(
      later.citations.map(({ mark }) => mark),
      ['stale', 'stale', 'not_found', 'not_found'],
    );
    workspace.files['src/queue.ts'] = `// moved\n${FILES['src/queue.ts']}`;
    const back = await markDocument(workspace, FOLDER, later.text, {
      records: recordsIn(marksOf(later.citations).quotations),
    });
    assert.deepEqual(
      back.citations.map(({ mark }) => mark),
      ['verified', 'stale', 'not_found', 'not_found'],
    );
    assert.match(back.text, /\[src\/queue\.ts:3\]\([^)]*queue\.ts#L3\)/);
    assert.match(back.text, /^— `a b\/\(x\)#1\.md:3` \(no longer there\)$/m);
  });

  it('call stale what the search itself read there, although the file has changed since', async () => {
    const workspace = heldText({ ...FILES });
    workspace.searched = { ...FILES };
    workspace.files['src/queue.ts'] = 'nothing of it\n';
    const { citations } = await markDocument(workspace, FOLDER, DOCUMENT);
    assert.deepEqual(
      citations.map(({ mark }) => mark),
      ['stale', 'verified', 'not_found', 'not_found'],
    );
  });

  it('belong to the words they were made for: a record of other words tells nothing', async () => {
    const workspace = heldText({ ...FILES });
    const marked = await markDocument(workspace, FOLDER, DOCUMENT);
    const edited = marked.text.replace('  push(job: Job): void {}', '  pull(job: Job): void {}');
    const records = recordsIn(marksOf(marked.citations).quotations);
    assert.equal((await markDocument(workspace, FOLDER, edited, { records })).citations[0]?.mark, 'not_found');
  });

  it('are not read from front matter that a check did not write', () => {
    assert.equal(countsIn({ citations: { verified: 3, moved: 0, stale: 0, not_found: 0 } }), undefined);
    assert.equal(countsIn({ citations: '3 sure' }), undefined);
    assert.equal(countsIn({ citations: ['3 verified'] }), undefined);
  });

  it('fit into the front matter however many there are, and can be read back', () => {
    const one = fc.record({
      path: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 120 }).map((path) => path.replace(/[\n\r]/g, '')),
      from: fc.integer({ min: 1, max: 9999 }),
      more: fc.nat(9),
      mark: fc.constantFrom(...CitationMark.options),
      fingerprint: fc.constantFrom('0123456789abc', 'fffffffffffff'),
    });
    fc.assert(
      fc.property(fc.array(one, { maxLength: 200 }), (all) => {
        const citations: CheckedCitation[] = all
          .filter(({ path }) => path !== '')
          .map(({ more, ...rest }) => ({
            ...rest,
            to: rest.from + more,
            opens: true,
            ...(rest.mark === 'moved' && { now: { from: 1, to: 2 } }),
          }));
        const text = withMarks({ data: { title: 'x'.repeat(9000), summary: 's' }, body: 'Body.\n' }, citations);
        const { data } = parseDocument(text);
        if (citations.length > 0) assert.deepEqual(countsIn(data), countMarks(citations));
        const { quotations } = marksOf(citations);
        const read = NodeFile.parse({ title: 'x', status: 'leaf', quotations });
        assert.deepEqual(read.quotations, quotations, 'node.json can be read back');
        const key = ({ path, from, to, mark }: Pick<CheckedCitation, 'path' | 'from' | 'to' | 'mark'>): string =>
          `${path}:${from}-${to} ${mark}`;
        const known = new Set(citations.map(key));
        for (const record of recordsIn(quotations)) assert.ok(known.has(key(record)), key(record));
      }),
      { numRuns: effort(60) },
    );
  });

  it('are found in what readers see as one quotation: nothing hides behind it', async () => {
    const hidden = [
      '[src/queue.ts:2]\n> push(job: Job): void {}\nand it never fails\n',
      '[src/queue.ts:2]\n\n```\n  push(job: Job): void {}\n    ```\nand it never fails\n```\n',
      '[src/queue.ts:2]\n\n```\n  push(job: Job): void {}\r    ```\rand it never fails\n```\n',
      '[src/queue.ts:2]\n\n> push(job: Job): void {} <b>and it never fails</b>\n',
      '[src/queue.ts:2]\n\n> push(job: Job): void {}\n   and it never fails\n',
    ];
    for (const body of hidden) {
      const { citations } = await markDocument(heldText(FILES), FOLDER, body);
      assert.deepEqual(
        citations.map(({ mark }) => mark),
        ['not_found'],
        body,
      );
    }
  });

  it('are read in any document in a time in proportion to it, and links are replaced in place', async () => {
    const piece = fc.constantFrom(
      '[',
      ']',
      '(',
      ')',
      '`',
      '```',
      '>',
      '\n',
      '\r',
      '\\',
      'a.ts:1',
      'src/b.md:2-3',
      '—',
      ' ',
      '- ',
      '#',
      'x',
      '<',
      '\u2028',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const text = pieces.join('');
        for (const { link } of citationsIn(text)) assert.ok(text.slice(link.start, link.end).length >= 3);
        new MarkdownIt().parse(text, {});
      }),
      { numRuns: effort(2000) },
    );
    for (const nasty of ['[', '`a.ts:1', '[a.ts:1](', '> ', '\\[', 'a/', 'a.ts:1 ']) {
      const lines = (size: number) => `${nasty.repeat(4000 / nasty.length)}\n`.repeat(size);
      await growsLinearly(nasty, 300, lines, citationsIn);
      await growsLinearly(`${nasty}, in sentences`, 100, lines, referencesIn);
      const longLines = (size: number) => `${nasty.repeat(size / nasty.length)}\n`.repeat(100);
      await growsLinearly(`${nasty}, in one line`, 4000, longLines, citationsIn);
    }
  });
});

describe('the address of cited lines', () => {
  it('leads from the folder of the document to the file', () => {
    const at = { path: 'src/a b.ts', from: 3, to: 5 };
    assert.equal(citationLink('thought-trees/x/y', at), '../../../src/a%20b.ts#L3-L5');
    assert.equal(citationLink('src/searches/x', { ...at, to: 3 }), '../../a%20b.ts#L3');
    assert.equal(citationLink('', at), 'src/a%20b.ts#L3-L5');
    assert.equal(citationLink('../elsewhere/x', at), undefined);
  });
});
