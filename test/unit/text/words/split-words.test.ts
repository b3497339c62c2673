import assert from 'node:assert/strict';
import fc from 'fast-check';
import { runsOf, splitWords } from '../../../../src/text/words/split-words.ts';
import { stem, termsOf } from '../../../../src/text/words/terms.ts';
import { effort } from '../../../support/effort.ts';

const ANY = fc.string({ unit: 'grapheme', maxLength: 80 });
const NAMES = fc.string({ unit: fc.constantFrom(...'aBcDeS2v_- 线程超时のエラー에러äé'), maxLength: 40 });

describe('any text', () => {
  it('splits into words that split into themselves', () => {
    fc.assert(
      fc.property(fc.oneof(ANY, NAMES), (text) => {
        const words = splitWords(text).filter((word) => /^\p{Script=Latin}+$/u.test(word));
        assert.deepEqual(splitWords(words.join(' ')), words);
      }),
    );
  });

  it('is the same of ASCII as before a word of another script', () => {
    const text = fc.string({
      unit: fc.constantFrom(...'aB2_-./ \t$é', 'HTTP/1', 'X.509'),
      maxLength: 40,
    });
    fc.assert(
      fc.property(fc.oneof(text, fc.string({ maxLength: 80 })), (one) => {
        assert.deepEqual([...runsOf(one), 'é'], runsOf(`${one} é`));
      }),
      { numRuns: effort(1000) },
    );
  });

  it('splits a name of ASCII as it does beside a word of another script', () => {
    const name = fc.string({
      unit: fc.constantFrom(...'aesnBST2', 'OAuth', 'IPv', 'URL'),
      minLength: 1,
      maxLength: 12,
    });
    fc.assert(
      fc.property(name, (text) => {
        assert.deepEqual(splitWords(`a_${text}`).slice(1), splitWords(`é_${text}`).slice(1));
      }),
      { numRuns: effort(1000) },
    );
  });

  it('loses no letter and no digit by it', () => {
    const LOST = /[^\p{L}\p{N}]|\p{M}/gu;
    fc.assert(
      fc.property(fc.oneof(ANY, NAMES), (text) => {
        const whole = text.toLowerCase().normalize('NFC').replace(LOST, '');
        const split = splitWords(text).join('').normalize('NFC').replace(LOST, '');
        for (const letter of whole) assert.ok(split.includes(letter), `${letter} of ${text}: ${split}`);
      }),
    );
  });

  it('has a bounded number of terms, all short, the same each time', () => {
    fc.assert(
      fc.property(fc.oneof(ANY, NAMES), (text) => {
        const terms = termsOf(text);
        assert.ok(terms.length <= 3 * text.normalize('NFC').length, String(terms.length));
        for (const term of terms) assert.ok(term.length > 0 && term.length <= 130);
        assert.deepEqual(termsOf(text), terms);
      }),
    );
  });

  it('has stems no longer than its words, but for ß, and keeps other scripts', () => {
    fc.assert(
      fc.property(fc.oneof(ANY, NAMES), (text) => {
        for (const word of splitWords(text)) {
          const base = stem(word);
          assert.ok(base.length > 0 && base.length <= word.replaceAll(/[ßœæ]/g, 'ss').length + 1, `${word}: ${base}`);
          if (!/\p{Script=Latin}|\p{Script=Hangul}/u.test(word)) assert.equal(base, word);
        }
      }),
    );
  });
});

describe('a name of two words and the same name as one', () => {
  const meet = (one: string, other: string): boolean => {
    const terms = new Set(termsOf(one));
    return termsOf(other).some((term) => terms.has(term) && term.length > 5);
  };
  for (const [one, ...others] of [
    ['websocket', 'WebSocket', 'webSocket', 'web_socket', 'web-socket', 'web socket', 'theWebSocketServer'],
    ['filename', 'fileName', 'file-name', 'FILE_NAME', 'a file name'],
    ['timeout', 'timeOut', 'time out', 'isTimeOutError'],
    ['oauth2', 'OAuth2', 'oauth-2'],
    ['sha256', 'SHA-256', 'sha_256', 'Sha256Hash'],
    ['javascript', 'JavaScript', 'runJavaScriptFile'],
  ] as const)
    for (const other of others)
      it(`meet: ${one}, ${other}`, () => {
        assert.ok(meet(one, other), `${termsOf(one)}; ${termsOf(other)}`);
      });

  it('stay whole with their numbers, and are found by their letters', () => {
    const kept: Record<string, string[]> = {
      IPv4: ['ipv4'],
      getIPv6Address: ['ipv6', 'address'],
      utf8: ['utf8', 'utf'],
      base64url: ['base64url', 'base64', 'url'],
      'X.509': ['x509'],
      'HTTP/2': ['http2', 'http'],
      sha256sum: ['sha256', 'sum'],
    };
    for (const [name, words] of Object.entries(kept)) {
      const terms = new Set(termsOf(name));
      for (const word of words) assert.ok(terms.has(stem(word)), `${name}: ${[...terms]}`);
    }
    assert.deepEqual(termsOf('9f86d081884c7d659a2feaa0c55ad015'), ['9f86d081884c7d659a2feaa0c55ad015']);
  });
});

describe('German, French and Korean words', () => {
  for (const group of [
    ['prüfung', 'prüfungen', 'prüfen', 'prüft'],
    ['verbindung', 'verbindungen'],
    ['schlüssel', 'schlüsseln'],
    ['größe', 'größen'],
    ['initialisierung', 'initialisieren', 'initialisiert'],
    ['délai', 'délais'],
    ['mémoire', 'mémoires'],
    ['exécuter', 'exécutée', 'exécution', 'execution', 'execute'],
    ['오류', '오류가', '오류를', '오류에서'],
  ])
    it(`match by their stem: ${group.join(', ')}`, () => {
      assert.equal(new Set(group.map(stem)).size, 1, group.map(stem).join(' '));
    });

  it('do not change how English words do', () => {
    for (const word of ['young', 'shaft', 'open', 'token', 'listen', 'rest', 'alert']) assert.equal(stem(word), word);
  });
});
