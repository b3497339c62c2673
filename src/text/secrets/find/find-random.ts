import type { Span } from '../span.ts';
import { isHex, isRandom } from '../value-strength.ts';
import { isKnown } from './near-values.ts';

/** A quoted text without spaces; shorter ones are ids of services. */
const QUOTED = /(["'`])([\w+/=.~-]{32,200})\1/g;
/** As in `near-values.ts`. */
const LONG_LINE = 600;

/** Random quoted texts, whatever their name, unless the name says that they are not secret. */
export function findRandom(text: string): Span[] {
  const found: Span[] = [];
  for (const { 0: whole, 2: said = '', index } of text.matchAll(QUOTED)) {
    if (!/[a-z]/.test(said) || !/[A-Z]/.test(said) || !/\d.*\d/.test(said) || isHex(said) || !isRandom(said, 32))
      continue;
    const before = text.slice(Math.max(0, index - LONG_LINE), index + 1);
    if (!before.includes('\n') && before.length > LONG_LINE) continue;
    if (/^sha\d|^data/i.test(said) || isKnown(before.slice(before.lastIndexOf('\n') + 1)) || isWritten(said)) continue;
    found.push({ start: index + 1, end: index + whole.length - 1 });
  }
  return found;
}

/** Tells whether a text is the base64 form of a readable one. */
function isWritten(said: string): boolean {
  const [part = ''] = said.split('.');
  const bytes = Buffer.from(part, 'base64');
  return bytes.length >= 12 && bytes.every((byte) => (byte >= 0x20 && byte < 0x7f) || byte === 0x0a || byte === 0x0d);
}
