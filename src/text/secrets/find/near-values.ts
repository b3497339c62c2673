import type { FileKind } from '../file-kind.ts';
import type { NameKind } from '../secret-names.ts';
import type { Span } from '../span.ts';
import { isHex, isRandom, isStrongPassword, isUuid } from '../value-strength.ts';
import { wordsOf } from '../wordiness.ts';
import { isInText } from './lines.ts';

/** Longer lines are data, or were written by a program: nearness in them means nothing. */
const LONG_LINE = 600;
/** Names of values that are random but not secret. */
const KNOWN = new Set(
  `hash hashes sha md digest checksum integrity shasum id ids uuid guid etag commit revision rev version fingerprint thumbprint
  public pub keyid kid url href src nonce image img icon svg path file resolved tarball signature sig signatures certificate cert
  sri csp font color colour pubkey pin rh sub`
    .trim()
    .split(/\s+/),
);

/** Random texts on a line with a name like `token`, and values that can only be passwords. */
export function nearValues(text: string, kind: NameKind, line: Span, { isCode, isProse }: FileKind): Span[] {
  const said = text.slice(line.start, line.end);
  if (said.length >= LONG_LINE) return [];
  const found: Span[] = [];
  for (const { 0: token, index } of said.matchAll(/[^\s"'`<>(){}[\],;|]{8,300}/g)) {
    if (/^sha\d{1,3}[-:]/.test(token)) continue;
    const own = { start: line.start + index, end: line.start + index + token.length };
    if (isCode && !isAlone(said, own, line) && !isInText(text, line, own)) continue;
    const isToken = token.length >= 20 && isTokenNear(token, kind) && !isKnown(said.slice(0, index));
    const isPassword = isProse
      ? kind === 'password' && isPasswordNear(token)
      : isAlone(said, own, line) && isPasswordNear(token);
    if (isToken || isPassword) found.push(own);
  }
  return found;
}

function isTokenNear(token: string, kind: NameKind): boolean {
  const value = token.replace(/^[\w.-]{1,40}[=:]/, '');
  if (!isRandom(value, 20) || isUuid(value) || !/\d.*\d/.test(value)) return false;
  return !isHex(value) || kind === 'password' || kind === 'secret';
}

/** A word with digits inside, or marks, as nobody would write in a sentence. */
function isPasswordNear(token: string): boolean {
  return isStrongPassword(token) && /\d\D{0,40}\d/.test(token) && !/[/:=_.-]/.test(token);
}

/** Tells whether the name right before a value says that it is not secret. */
export function isKnown(before: string): boolean {
  const name = /([\w$-]{1,60})["'`\]]{0,2}[ \t]{0,4}[:=][ \t]{0,4}["'`(]{0,2}$/.exec(before.slice(-80))?.[1];
  const last = name === undefined ? undefined : wordsOf(name).at(-1);
  return (last !== undefined && KNOWN.has(last)) || /(?:sha\d{0,3}|md5|integrity)[-:=]$/i.test(before.slice(-20));
}

/** Tells whether a value is the whole content of its quotes. */
function isAlone(said: string, { start, end }: Span, line: Span): boolean {
  const quote = said[start - line.start - 1];
  return quote !== undefined && /["'`]/.test(quote) && said[end - line.start] === quote;
}
