import assert from 'node:assert/strict';
import fc from 'fast-check';
import * as z from 'zod';
import { isThoughtTreeError } from '../../../../src/core/search/errors.ts';
import { checkDocument, firstParagraph, parseDocument, writeDocument } from '../../../../src/core/text/document.ts';
import { effort } from '../../../support/effort.ts';

const bad = (error: unknown): boolean => isThoughtTreeError(error, 'bad-answer');

describe('a document made from an answer', () => {
  it('is the whole answer', () => {
    const made = checkDocument('---\ntitle: Builds\nsummary: They are slow.\n---\n\n# Builds\n\nText.\n', 'Other');
    assert.deepEqual(made, {
      title: 'Builds',
      summary: 'They are slow.',
      text: '---\ntitle: Builds\nsummary: They are slow.\n---\n\n# Builds\n\nText.\n',
      data: { title: 'Builds', summary: 'They are slow.' },
      body: '# Builds\n\nText.',
    });
  });

  it('gets its title from the node, and its summary from its first paragraph, where they are missing', () => {
    const made = checkDocument('# Heading\n\n- a list\n\nThe first\nparagraph.\n\nThe second.', 'Of the node');
    assert.equal(made.title, 'Of the node');
    assert.equal(made.summary, 'The first paragraph.');
    assert.deepEqual(parseDocument(made.text).data, { title: 'Of the node', summary: 'The first paragraph.' });
  });

  it('gets its title as summary if nothing else is left', () => {
    assert.equal(checkDocument('# Heading', 'Title').summary, 'Title');
  });

  it('keeps further front matter, after title and summary', () => {
    const made = checkDocument('---\ntags: [a, b]\nsummary: S\nwhen: 2026-01-02\n---\nText.', 'T');
    assert.match(made.text, /^---\ntitle: T\nsummary: S\ntags:\n {2}- a\n {2}- b\nwhen: '2026-01-02'\n---\n/);
  });

  it('accepts numbers as titles, but nothing else that is not text', () => {
    assert.equal(checkDocument('---\ntitle: 2026\n---\nText.', 'T').title, '2026');
    for (const title of ['[a]', '{a: b}', 'null', 'true', '""', '"\\u200e\\n"'])
      assert.equal(checkDocument(`---\ntitle: ${title}\n---\nText.`, 'T').title, 'T');
  });

  it('makes title and summary one line, of a bounded length', () => {
    const made = checkDocument(`---\ntitle: "a\\n\\u001b[31mb"\nsummary: ${'x'.repeat(5000)}\n---\nText.`, 'T');
    assert.equal(made.title, 'a [31mb');
    assert.equal(made.summary.length, 300);
  });

  for (const fence of ['```', '````', '~~~'])
    for (const [what, end] of [
      ['', '\n'],
      ['with line ends of Windows ', '\r\n'],
    ] as const)
      it(`loses the fence ${what}that a model put around all of it: ${fence}`, () => {
        const inside = ['---', 'title: T', '---', 'Text.'].join(end);
        const made = checkDocument(`${fence}markdown${end}${inside}${end}${fence}`, 'Other');
        assert.equal(made.title, 'T');
        assert.equal(parseDocument(made.text).body.trim(), 'Text.');
      });

  it('keeps fences that are its own', () => {
    const body = '```ts\nconst a = 1;\n```';
    assert.equal(parseDocument(checkDocument(`---\ntitle: T\n---\n${body}`, 'T').text).body.trim(), body);
  });

  it('keeps the indentation of its first line, which makes it code', () => {
    const made = checkDocument('---\ntitle: T\n---\n\n  \n    code\n\nText.\n\n', 'T');
    assert.equal(parseDocument(made.text).body, '\n    code\n\nText.\n');
  });

  it('holds no half characters, which no file could keep', () => {
    const made = checkDocument('---\ntitle: "a\ud800"\nkey: "\\ud800"\n---\nText \udc00.', 'T');
    assert.ok(made.title.isWellFormed() && made.text.isWellFormed());
    assert.equal(Buffer.from(made.text).toString(), made.text);
  });

  for (const [what, answer] of [
    ['no body', '---\ntitle: T\n---\n\n'],
    ['nothing at all', ''],
    ['a list in its place', '<output>\n[{"title": "A"}]\n</output>'],
    ['a million characters and more', `---\ntitle: T\n---\n${'x'.repeat(1_000_001)}`],
    ['a body that grows too long when written', 'x'.repeat(999_990)],
    [
      'front matter that grows when written',
      `---\na: ${'['.repeat(90)}${'1,'.repeat(1000)}1${']'.repeat(90)}\n---\nText.`,
    ],
  ] as const)
    it(`is refused with ${what}`, () => assert.throws(() => checkDocument(answer, 'T'), bad));

  it('has to satisfy a schema, and the message says what is wrong', () => {
    const schema = z.object({ confidence: z.number().max(1) });
    assert.ok(checkDocument('---\nconfidence: 0.5\n---\nText.', 'T', schema));
    assert.throws(
      () => checkDocument('---\nconfidence: much\n---\nText.', 'T', schema),
      (error: unknown) => bad(error) && /confidence/.test((error as Error).message),
    );
  });
});

const word = fc.oneof(
  fc.constantFrom(
    '---',
    '...',
    '- a',
    '# c',
    'yes',
    'null',
    '1.10',
    '2026-01-01',
    '<<',
    '*a',
    '&a',
    'a: b',
    '%x',
    '|',
    '~',
  ),
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.string({ unit: 'grapheme', maxLength: 30 }),
);
const value = fc.oneof(word, fc.integer(), fc.boolean(), fc.constant(null), fc.array(word, { maxLength: 3 }));
const answer = fc
  .tuple(
    fc.dictionary(fc.stringMatching(/^[a-z][a-z_]{0,9}$/), value, { maxKeys: 5 }),
    fc.array(word, { maxLength: 8 }),
  )
  .map(([data, lines]) => `---\n${JSON.stringify(data)}\n---\n\n${lines.join('\n')}\n\nText.`);

describe('any document', () => {
  it('is byte for byte the same each time it is made from the same answer, or from itself', () => {
    fc.assert(
      fc.property(answer, word, (text, word) => {
        const made = checkDocument(text, `T ${word}`);
        assert.deepEqual(checkDocument(text, `T ${word}`), made);
        assert.deepEqual(checkDocument(made.text, 'another title'), made);
      }),
      { numRuns: effort(300) },
    );
  });

  it('is on disk as it was returned', () => {
    fc.assert(
      fc.property(answer, (text) => {
        const made = checkDocument(text, 'Title');
        const { data, body } = parseDocument(made.text);
        assert.equal(data['title'], made.title);
        assert.equal(data['summary'], made.summary);
        assert.match(body, /Text\.\n$/);
        assert.doesNotMatch(made.title + made.summary, /\p{Cc}/u);
      }),
      { numRuns: effort(300) },
    );
  });

  it('keeps unusual white space at the end of its front matter', () => {
    for (const end of ['(\u205f', 'a\u3000', '\u2003', 'a\u2028', 'a '])
      for (const data of [{ a: end }, { a: [end] }, { a: { b: [{ c: end }] } }, { a: end, b: '"}' }])
        assert.deepEqual(parseDocument(writeDocument(data, 'Text')).data, data);
  });

  it('is read as it was written', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.stringMatching(/^[a-z][a-z_]{0,9}$/), value, { minKeys: 1, maxKeys: 5 }),
        word,
        (data, line) => {
          const body = `Text\n${line.replaceAll('\r', '')}\nend.`;
          assert.deepEqual(parseDocument(writeDocument(data, body)), { data: { ...data }, body: `\n${body}\n` });
        },
      ),
      { numRuns: effort(300) },
    );
  });
});

describe('the first paragraph', () => {
  it('is prose', () => {
    const marks = [
      '# H',
      '```js\ncode\n```',
      '~~~\ncode\n~~~',
      '| a |',
      '> quote',
      '<div>',
      '- a',
      '* b',
      '1. c',
      '---',
    ];
    assert.equal(firstParagraph([...marks, 'The\ntext.', 'More.'].join('\n\n')), 'The text.');
  });

  it('may be missing', () => assert.equal(firstParagraph('# H\n\n- a\n'), ''));
  it('has at most 300 characters', () => assert.equal(firstParagraph('x'.repeat(1000)).length, 300));
});
