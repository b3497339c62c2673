import assert from 'node:assert/strict';
import fc from 'fast-check';
import { termHash } from '../../../../src/text/index/cache-folder.ts';
import { TermCounter } from '../../../../src/text/index/scan-files.ts';
import { termsOf } from '../../../../src/text/words/terms.ts';
import { effort } from '../../../support/effort.ts';

const SALT = { first: 12_345, second: 67_890 };

/** The terms of a text by their hashes, as its words are split elsewhere. */
function expected(text: string): Map<number, number> {
  const counts = new Map<number, number>();
  for (const term of termsOf(text)) {
    const hash = termHash(term, SALT);
    counts.set(hash, (counts.get(hash) ?? 0) + 1);
  }
  return counts;
}

function counted(counter: TermCounter, text: string): Map<number, number> {
  const { hashes, counts } = counter.count(Buffer.from(text));
  return new Map(Array.from(hashes, (hash, place) => [hash, counts[place] as number]));
}

const WORDS = [
  'parseHTTPResponse',
  'utf8',
  'IPv4',
  'WebSocket',
  'retries',
  'the',
  'snake_case',
  'réglages',
  '超时处理',
];
const word = fc.oneof(
  fc.constantFrom(...WORDS),
  fc.string({ unit: fc.constantFrom(...'abeinrstABEST12_'), minLength: 1, maxLength: 14 }),
  fc.string({ unit: fc.constantFrom(...'äöüéñßабв中文字かなカナ한글e1'), minLength: 1, maxLength: 8 }),
);
const gap = fc.constantFrom(' ', '\n', '\r\n', '.', '(', ') ', ' = ', '-', "'", '#', ' // ', '，', '\u2028', '🙂', '$');
const text = fc.array(fc.tuple(word, gap), { maxLength: 60 }).map((parts) => parts.flat().join(''));

describe('counting terms by bytes', () => {
  it('finds exactly the terms that the words of the text have', () => {
    const counter = new TermCounter(SALT);
    fc.assert(
      fc.property(text, (written) => {
        assert.deepEqual(new Map([...counted(counter, written)].sort()), new Map([...expected(written)].sort()));
      }),
      { numRuns: effort(500) },
    );
  });

  it('is sorted, and tells how many terms the text has', () => {
    const written = 'reset the queue — queue\nresets: 超时\n';
    const { hashes, total } = new TermCounter(SALT).count(Buffer.from(written));
    assert.deepEqual(
      [...hashes],
      [...hashes].sort((a, b) => a - b),
    );
    assert.equal(total, termsOf(written).length);
  });

  it('counts what is added as if it were written so many times', () => {
    const { hashes, counts } = new TermCounter(SALT).count(Buffer.from('queue'), [['queu', 6]]);
    assert.equal(hashes.length, 1);
    assert.equal(counts[0], 7);
  });

  it('stops counting at 255', () => {
    const { counts } = new TermCounter(SALT).count(Buffer.from('queue '.repeat(1000)));
    assert.deepEqual([...counts], [255]);
  });

  it('leaves out what looks like a key, a hash or data', () => {
    const counter = new TermCounter(SALT);
    for (const run of [
      '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
      'kX9vQ2mZ7pL4wR8tB3nJ6hG1',
      'x'.repeat(500),
    ])
      assert.equal(counted(counter, run).size, 0, run);
    for (const name of [
      'a_long_name_of_a_test_that_tells_all_that_it_does_in_2_rows',
      'getElementsByClassName',
      'PROTOBUF_RUNTIME_VERSION_3',
    ])
      assert.deepEqual(counted(counter, name).size, expected(name).size, name);
  });

  it('gives other hashes with another salt', () => {
    const one = new TermCounter(SALT).count(Buffer.from('queue retry')).hashes;
    const other = new TermCounter({ ...SALT, first: 1 }).count(Buffer.from('queue retry')).hashes;
    assert.equal([...one].filter((hash) => other.includes(hash)).length, 0);
  });
});
