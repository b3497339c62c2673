import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ThoughtTreeError } from '../../../../src/core/search/errors.ts';
import { inOrder, jsonErrorLine, parseJson, stringifyJson } from '../../../../src/store/json/json-file.ts';
import { effort } from '../../../support/effort.ts';

describe('the line at which a text stops being JSON', () => {
  const lines: [string, number][] = [
    ['', 1],
    ['{"a":x}', 1],
    ['{\n  "a": 1,\n  "b": oops\n}\n', 3],
    ['{\n  "a": 1\n  "b": 2\n}', 3],
    ['{\n  "a": 1,\n}', 3],
    ['[1,\n2,\n3', 3],
    ['{"a": "unclosed\n}', 1],
    ['{}\n{}', 2],
    ['[1}\n', 1],
    ["{\n'a': 1}", 2],
    ['<<<<<<< HEAD\n{}', 1],
    ['[01]', 1],
    ['["\\x"]', 1],
  ];
  for (const [text, line] of lines)
    it(`of ${JSON.stringify(text)} is ${line}`, () => assert.equal(jsonErrorLine(text), line));

  it('is none for JSON, and some for anything else', () => {
    const broken = fc
      .tuple(fc.json(), fc.nat(), fc.constantFrom('', '"', '{', '}', ',', ':', '\n', 'x', '\\', '0'))
      .map(([text, at, by]) => text.slice(0, at % (text.length + 1)) + by + text.slice((at % (text.length + 1)) + 1));
    fc.assert(
      fc.property(fc.oneof(fc.json(), broken, fc.string()), (text) => {
        let valid = true;
        try {
          JSON.parse(text);
        } catch {
          valid = false;
        }
        assert.equal(jsonErrorLine(text) === undefined, valid);
      }),
      { numRuns: effort(2000) },
    );
  });

  it('is found in long texts', () => {
    assert.equal(jsonErrorLine(`["${'x'.repeat(10_000_000)}",\n]`), 2);
    assert.equal(jsonErrorLine('['.repeat(1_000_000)), 1);
  });
});

describe('JSON files', () => {
  it('name file and line if damaged', () => {
    assert.throws(
      () => parseJson('{\n  "a": 1,\n  oops\n}', 'a/node.json'),
      (error: ThoughtTreeError) => {
        assert.equal(error.reason, 'damaged');
        assert.match(error.message, /^a\/node\.json, line 3: /);
        assert.deepEqual([error.details.file, error.details.line], ['a/node.json', 3]);
        return true;
      },
    );
    assert.throws(() => parseJson(' \n', 'x.json'), { message: /line 1: .*it is empty/ });
  });

  it('are damaged if they are nested so deeply that nothing can descend into them', () => {
    const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
    assert.ok(parseJson(nested(400), 'x.json'));
    for (const depth of [1000, 100_000])
      assert.throws(() => parseJson(nested(depth), 'x.json'), {
        reason: 'damaged',
        message: 'x.json: its lists and objects are nested too deeply.',
      });
  });

  it('may begin with a byte order mark', () => assert.deepEqual(parseJson('\ufeff{"a":1}', 'x'), { a: 1 }));

  it('have two spaces, a stable order and a line break at the end', () => {
    const object = inOrder({ zebra: 1, status: 's', title: 't', apple: { b: 1, a: [] } }, ['title', 'slug', 'status']);
    assert.equal(
      stringifyJson(object),
      '{\n  "title": "t",\n  "status": "s",\n  "zebra": 1,\n  "apple": {\n    "b": 1,\n    "a": []\n  }\n}\n',
    );
  });

  it('keep every field, once', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.array(fc.string()), (object, known) => {
        const ordered = inOrder(object, known);
        assert.deepEqual(JSON.parse(stringifyJson(ordered)), JSON.parse(stringifyJson(object)));
        assert.equal(stringifyJson(inOrder(ordered, known)), stringifyJson(ordered));
      }),
    );
  });

  it('survive fields with the names of JavaScript’s own', () => {
    const object = JSON.parse('{"__proto__": {"a": 1}, "constructor": 2, "toString": 3}');
    const merged = inOrder({ ...object, title: 't' }, ['title']);
    assert.deepEqual(JSON.parse(stringifyJson(merged)), { ...object, title: 't' });
    assert.equal(({} as { a?: number }).a, undefined);
  });

  it('lose a field that is set to undefined', () => {
    assert.deepEqual(JSON.parse(stringifyJson(inOrder({ a: undefined, b: 2, c: 3 }, ['c']))), { c: 3, b: 2 });
  });
});
