import { crc32 } from 'node:zlib';

const LONGEST_HEAD = 64 * 1024 * 1024;
/** The alignment of what follows the head, in bytes, so that numbers in it can be used where they are. */
const ALIGNED = 8;
/** The length of the head and its check sum. */
const NUMBERS = 8;

/**
 * The bytes of a kept file: what kind of file it is, a head in JSON, and bytes; the head and the bytes with check sums.
 * @param magic a line that names the kind
 */
export function seal(magic: string, head: object, parts: readonly Uint8Array[]): Uint8Array[] {
  const sum = parts.reduce((before, part) => crc32(part, before), 0);
  const text = aligned(magic, Buffer.from(JSON.stringify({ ...head, sum })));
  const numbers = Buffer.alloc(NUMBERS);
  numbers.writeUInt32LE(text.length, 0);
  numbers.writeUInt32LE(crc32(text), 4);
  return [Buffer.from(magic), numbers, text, ...parts];
}

/** The head of a kept file, to be checked, and its bytes. @throws Error for one that is damaged or of another kind */
export function unseal(magic: string, bytes: Buffer): { readonly head: unknown; readonly body: Buffer } {
  if (bytes.toString('latin1', 0, magic.length) !== magic) throw new Error('of another kind');
  const length = bytes.readUInt32LE(magic.length);
  const start = magic.length + NUMBERS;
  const text = bytes.subarray(start, start + length);
  if (length > LONGEST_HEAD || crc32(text) !== bytes.readUInt32LE(magic.length + 4)) throw new Error('damaged');
  const head = JSON.parse(text.toString('utf8'));
  const body = bytes.subarray(start + length);
  if (crc32(body) !== head?.sum) throw new Error('damaged');
  return { head, body };
}

/** With spaces after it. */
function aligned(magic: string, text: Buffer): Buffer {
  const over = (magic.length + NUMBERS + text.length) % ALIGNED;
  return over === 0 ? text : Buffer.concat([text, Buffer.alloc(ALIGNED - over, ' ')]);
}
