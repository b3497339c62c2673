import { equal, ok } from 'node:assert/strict';
import fc from 'fast-check';
import { foreignText, withoutSecret } from '../../../../../src/models/keys.ts';

const KEY = 'sk-Zq7+xT/9vLm=Wc3RkPd8';
const key = fc.string({
  minLength: 8,
  maxLength: 60,
  unit: fc.integer({ min: 0x21, max: 0x7e }).map((c) => String.fromCharCode(c)),
});

describe("a server's words", () => {
  it('lose the key, and every part of it that reveals too much', () => {
    equal(withoutSecret(`bad ${KEY}!`, KEY), 'bad [key]!');
    equal(withoutSecret(`bad ${encodeURIComponent(KEY).toLowerCase()}`, KEY), 'bad [key]');
    equal(withoutSecret(`bad ${KEY.slice(0, 10)}...${KEY.slice(-8)}`, KEY), 'bad [key]...[key]');
    equal(withoutSecret(`bad ${KEY.slice(0, 7)}...`, KEY), `bad ${KEY.slice(0, 7)}...`);
    equal(withoutSecret('nothing', undefined), 'nothing');
  });

  it('contain no eight consecutive characters of any key, wherever it is and however much of it', () => {
    fc.assert(
      fc.property(
        key,
        fc.string(),
        fc.string(),
        fc.nat(60),
        fc.nat(60),
        fc.boolean(),
        (secret, a, b, from, to, encoded) => {
          const form = encoded ? encodeURIComponent(secret) : secret;
          const said = withoutSecret(a + form.slice(from, Math.max(from, to)) + b + form, secret);
          for (let at = 0; at + 8 <= secret.length; at++) ok(!said.includes(secret.slice(at, at + 8)), said);
        },
      ),
    );
  });

  it('stay one line of limited length, and unchanged if they contain no key', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 2000, unit: 'binary' }), (text) => {
        const said = foreignText(text, KEY);
        ok(said.length <= 241 && !/\p{C}/u.test(said) && said.isWellFormed(), JSON.stringify(said));
      }),
    );
    fc.assert(fc.property(fc.string(), (text) => equal(withoutSecret(text, KEY), text)));
  });
});
