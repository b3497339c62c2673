import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { inOtherEncoding, readTextBytes } from '../../../../src/text/files/read-text-bytes.ts';

const TEXT = '// Größer als „fünf“ – noch einmal.\nreturn status >= 500;\n';

describe('the bytes of a text', () => {
  const folder = mkdtempSync(join(tmpdir(), 'encodings-'));
  after(() => rmSync(folder, { recursive: true }));
  const read = (bytes: Uint8Array): string | undefined => {
    writeFileSync(join(folder, 'file'), bytes);
    return readTextBytes(join(folder, 'file'), 1_000_000)?.toString('utf8');
  };
  const little = Buffer.from(TEXT, 'utf16le');
  const western = [...TEXT].map((sign) => ({ '„': 0x84, '“': 0x93, '–': 0x96 })[sign] ?? sign.charCodeAt(0));

  for (const [encoding, bytes] of Object.entries({
    'UTF-8': Buffer.from(TEXT),
    'UTF-16 with its mark': Buffer.concat([Buffer.from([0xff, 0xfe]), little]),
    'UTF-16 the other way round': Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(little).swap16()]),
    'UTF-16 without a mark': little,
    'UTF-16 the other way round, without a mark': Buffer.from(little).swap16(),
    'the old encoding of Western Europe': Buffer.from(western),
  }))
    it(`are read in ${encoding}`, () => assert.equal(read(bytes), TEXT));

  it('stay as they are where they are no text', () => {
    const picture = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0xff, 0x01, 0x02]);
    const numbers = Buffer.from([0, 1, 0, 2, 0, 0, 3, 4, 5, 6]);
    for (const bytes of [picture, numbers, Buffer.alloc(64), Buffer.from([0xc3, 0x28, 0x01])])
      assert.equal(inOtherEncoding(bytes), undefined);
  });

  it('stay UTF-8 where only one of them is broken', () => {
    const broken = Buffer.concat([Buffer.from(TEXT), Buffer.from([0xe4])]);
    assert.equal(read(broken), `${TEXT}\uFFFD`);
  });

  it('in UTF-8 are never taken for another encoding', () => {
    const text = fc.string({ unit: 'grapheme' }).filter((each) => !each.includes('\0'));
    fc.assert(fc.property(text, (each) => assert.equal(inOtherEncoding(Buffer.from(each)), undefined)));
  });
});
