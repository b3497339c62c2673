import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isKeyLike, redactor, redactorOfPieces } from '../../../../src/core/text/redact.ts';

describe('a redactor', () => {
  it('takes a secret out of any text, in every form that servers send it back in', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 8, unit: 'grapheme-ascii' }),
        fc.string(),
        fc.string(),
        (secret, before, after) => {
          fc.pre(secret.trim().length >= 8);
          const trimmed = secret.trim();
          const redact = redactor([secret]);
          const forms = [trimmed, encodeURIComponent(trimmed), JSON.stringify(trimmed).slice(1, -1)];
          for (const form of forms)
            assert.ok(!redact(`${before}${form}${after}`).includes(form) || '[key]'.includes(form));
        },
      ),
    );
  });

  it('finds it inside of base64, wherever it begins there', () => {
    const secret = 'sk-live-0123456789';
    const redact = redactor([secret]);
    for (const user of ['', 'a', 'ab', 'abc', 'user:']) {
      const header = redact(`Basic ${btoa(`${user}${secret}!`)}`);
      assert.match(header, /\[key\]/);
      // What is left is what the neighbours of the secret have a part in.
      assert.ok(header.replace('[key]', '').length <= `Basic ${btoa(user)}`.length + 6, header);
    }
  });

  it('takes secrets out of a text that comes in pieces, however it is cut', () => {
    const secrets = ['sk-live-0123456789', 'sk-live-01', '0123-sk-live'];
    const text = `sk-live-0123 ${secrets.join(' or ')} and ${btoa(`:${secrets[0]}`)} s sk-`;
    fc.assert(
      fc.property(fc.array(fc.nat({ max: text.length })), (at) => {
        const redact = redactorOfPieces(secrets);
        const cuts = [0, ...at.sort((a, b) => a - b), text.length];
        const shown = cuts.map((cut, i) => redact(text.slice(cuts[i - 1] ?? 0, cut)));
        assert.equal(shown.join('') + redact('', true), redactor(secrets)(text));
      }),
    );
    assert.equal(redactorOfPieces(secrets)('An answer is shown as it comes. s'), 'An answer is shown as it comes. ');
  });

  it('distinguishes keys from the words given to local servers', () => {
    for (const key of ['sk-ant-0123', 'AIzaSy012345', 'x9x9x9x9']) assert.ok(isKeyLike(key), key);
    for (const word of ['ollama', 'lm-studio', 'not-needed', 'sk-no-key-required', 'k', '', undefined])
      assert.ok(!isKeyLike(word), word);
  });

  it('leaves everything else, and does not treat short words as secrets', () => {
    const redact = redactor(['abc', undefined, '  ']);
    assert.equal(redact('abc is no key'), 'abc is no key');
  });
});
