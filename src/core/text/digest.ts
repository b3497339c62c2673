/** Stands between two texts that are hashed as one; no UTF-16 code unit. */
const BOUNDARY = 0x10000;

/** A 53-bit hash of texts (cyrb53) as 14 hexadecimal digits: identifies them, but does not protect against forgery. */
export function digest(...texts: readonly string[]): string {
  const [a, b] = scrambled(...texts);
  return (4294967296 * (2097151 & b) + (a >>> 0)).toString(16).padStart(14, '0');
}

/** Texts hashed to two 32-bit words. */
export function scrambled(...texts: readonly string[]): [number, number] {
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  for (const [index, text] of texts.entries()) {
    if (index > 0) {
      a = Math.imul(a ^ BOUNDARY, 0x9e3779b1);
      b = Math.imul(b ^ BOUNDARY, 0x5f356495);
    }
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      a = Math.imul(a ^ code, 0x9e3779b1);
      b = Math.imul(b ^ code, 0x5f356495);
    }
  }
  a = Math.imul(a ^ (a >>> 16), 0x85ebca6b) ^ Math.imul(b ^ (b >>> 13), 0xc2b2ae35);
  b = Math.imul(b ^ (b >>> 16), 0x85ebca6b) ^ Math.imul(a ^ (a >>> 13), 0xc2b2ae35);
  return [a, b];
}
