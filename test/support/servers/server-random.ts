/**
 * Returns a number from 0 up to, not including, 1 that depends on the words alone: the same words give the same number.
 */
export function chance(...words: readonly (string | number)[]): number {
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  for (const char of words.join('\u0000')) {
    const code = char.codePointAt(0) ?? 0;
    a = Math.imul(a ^ code, 2654435761);
    b = Math.imul(b ^ code, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return ((b >>> 0) * 0x200000 + ((a >>> 0) & 0x1fffff)) / 2 ** 53;
}

/** Returns one of the entries, chosen by the words alone. */
export function choose<T>(entries: readonly [T, ...T[]], ...words: readonly (string | number)[]): T {
  return entries[Math.floor(chance(...words) * entries.length)] ?? entries[0];
}
