import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isKeyLike, redactor } from '../../../../src/core/text/redact.ts';

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
