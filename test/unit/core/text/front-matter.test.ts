import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isThoughtTreeError } from '../../../../src/core/search/errors.ts';
import { parseDocument } from '../../../../src/core/text/document.ts';
import { effort } from '../../../support/effort.ts';

const bad = (error: unknown): boolean => isThoughtTreeError(error, 'bad-answer');
const dataOf = (yaml: string): Record<string, unknown> => parseDocument(`---\n${yaml}\n---\nText.`).data;

describe('front matter', () => {
  it('is read, and the rest is the body', () => {
    assert.deepEqual(parseDocument('---\ntitle: One\nsummary: Two\n---\n\nText.\n'), {
      data: { title: 'One', summary: 'Two' },
      body: '\nText.\n',
    });
  });

  it('may be missing', () => {
    for (const body of ['Text.', '# Title\n\n---\na: 1\n---\n', '', '-----\nText.', ' ---\na: 1\n---\n'])
      assert.deepEqual(parseDocument(body), { data: {}, body });
  });

  it('may be empty', () => {
    for (const text of ['---\n---\nText.', '---\n\n---\nText.', '---\n# nothing\n---\nText.', '---\nnull\n---\nText.'])
      assert.deepEqual(parseDocument(text), { data: {}, body: 'Text.' });
  });

  it('is found behind a byte order mark, with line ends of Windows and spaces behind its hyphens', () => {
    for (const text of ['\ufeff---\na: 1\n---\nText.', '---\r\na: 1\r\n---\r\nText.', '---  \na: 1\n--- \t\nText.'])
      assert.deepEqual(parseDocument(text), { data: { a: 1 }, body: 'Text.' });
  });

  it('keeps words, dates and versions what they are', () => {
    assert.deepEqual(dataOf('a: yes\nb: 2026-01-02\nc: 2026-01-02T03:04:05Z\nd: no\ne: "1.10"\nf: true\ng: 1.5'), {
      a: 'yes',
      b: '2026-01-02',
      c: '2026-01-02T03:04:05Z',
      d: 'no',
      e: '1.10',
      f: true,
      g: 1.5,
    });
  });

  it('ends at the first line of three hyphens', () => {
    assert.equal(parseDocument('---\na: 1\n---\n---\nb: 2\n---\n').body, '---\nb: 2\n---\n');
  });

  for (const [what, text] of [
    ['not closed', '---\ntitle: x\nText.'],
    ['closed by a line with more text', '---\ntitle: x\n---js\nText.'],
    ['closed by more than three hyphens', '---\ntitle: x\n----\nText.'],
    ['malformed', '---\na: [b\n---\nText.'],
    ['a key twice', '---\na: 1\na: 2\n---\nText.'],
    ['a list', '---\n- a\n---\nText.'],
    ['a text', '---\nhello\n---\nText.'],
    ['a number', '---\n12\n---\nText.'],
    ['false', '---\nfalse\n---\nText.'],
    ['JSON by its language', '---json\n{"a": 1}\n---\nText.'],
    ['CoffeeScript', '---coffee\na: 1\n---\nText.'],
    ['YAML by its language', '---yaml\na: 1\n---\nText.'],
    ['a function', '---\na: !!js/function "function () {}"\n---\nText.'],
    ['an undefined alias', '---\na: *b\n---\nText.'],
    ['two documents', '---\na: 1\n...\nb: 2\n---\nText.'],
    ['too long', `---\n${'# comment\n'.repeat(10_000)}a: 1\n---\nText.`],
    ['nested without end', `---\na: ${'['.repeat(15_000)}\n---\nText.`],
    ['nested deeply', `---\na: ${'['.repeat(7000)}${']'.repeat(7000)}\n---\nText.`],
    ['an alias that holds itself', '---\na: &a\n  b: *a\n---\nText.'],
  ] as const)
    it(`that is ${what} is refused, with words for the model`, () => assert.throws(() => parseDocument(text), bad));

  it('that expands to gigabytes is refused at once', () => {
    const levels = Array.from({ length: 30 }, (_, i) => `a${i}: &a${i} [${Array(10).fill(i ? `*a${i - 1}` : 'x')}]`);
    const before = process.memoryUsage().heapUsed;
    assert.throws(() => dataOf(levels.join('\n')), bad);
    assert.ok(process.memoryUsage().heapUsed - before < 100 * 1024 * 1024);
  });

  it('that makes the parser slow is too short to do harm', () => {
    assert.throws(() => dataOf(`${'\n'.repeat(60_000)}a: 1`), bad);
    assert.throws(() => dataOf(`a: "${'\u2028'.repeat(60_000)}"`), bad);
  });

  for (const language of ['js', 'javascript', 'JavaScript', ' js', '\tjs'])
    it(`never runs code: ---${language}`, () => {
      const code = '{ title: (globalThis.ranCode = true, "x") }';
      assert.throws(() => parseDocument(`---${language}\n${code}\n---\nText.`), bad);
      assert.equal((globalThis as { ranCode?: boolean }).ranCode, undefined);
    });

  it('cannot reach the prototype of anything', () => {
    for (const yaml of ['__proto__: {polluted: 1}', 'a: {__proto__: {polluted: 1}}', 'constructor: {prototype: 1}'])
      try {
        const data = dataOf(`${yaml}\ntitle: x`);
        assert.equal(data['polluted'], undefined);
        assert.equal((data['a'] as { polluted?: number } | undefined)?.polluted, undefined);
      } catch (error) {
        assert.ok(bad(error));
      }
    assert.equal(({} as { polluted?: number }).polluted, undefined);
  });

  it('of any text is parsed or refused with a message, and nothing else happens', () => {
    const line = fc.oneof(
      fc.constantFrom(
        '---',
        '---js',
        '...',
        'a: 1',
        '- b',
        '? c',
        '&x y',
        '*x',
        '!!set',
        '"',
        '{',
        '}',
        '<<: *x',
        '|',
        '%',
      ),
      fc.string({ unit: 'binary', maxLength: 20 }),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), fc.constantFrom('\n', '\r\n', '\r'), (lines, end) => {
        try {
          const { data, body } = parseDocument(['---', ...lines].join(end));
          assert.equal(typeof body, 'string');
          assert.ok(typeof data === 'object' && data !== null && !Array.isArray(data));
        } catch (error) {
          assert.ok(bad(error), String(error));
          assert.ok((error as Error).message.length < 400);
        }
      }),
      { numRuns: effort(500) },
    );
  });
});
