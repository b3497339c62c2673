import { type FileKind, fileKind } from '../file-kind.ts';
import { nextName, type SecretName } from '../secret-names.ts';
import { isSecret } from '../secret-values.ts';
import type { Span } from '../span.ts';
import { isGibberish, isName, isPasswordLike, isRandom, isStrongPassword, isUuid } from '../value-strength.ts';
import { type AssignedValue, endOfBare, literalsFrom, valueBefore, valuesAfter } from './assigned-values.ts';
import { isInText, lineAround } from './lines.ts';
import { moreRows } from './more-rows.ts';
import { nearValues } from './near-values.ts';

/** The beginning of a line of settings, also in a Dockerfile. */
const LINE_START = /(?:^|\n)(?:[ \t]{0,19}|[ \t]{0,8}(?:ENV|ARG|setenv)[ \t]{1,4})$/;
const MNEMONIC = /["'`*_]{0,3}(?: is)?[ \t]{0,2}[:=]?\s{1,4}["'`]?([a-z]{3,8}(?: [a-z]{3,8}){11,23})(?![\w ])/y;
const LOGIN = /^\p{L}[\w.@-]{0,40}$/u;
/** The maximum distance between a name and the beginning of its value, in characters. */
const REACH = 300;
/** This many characters suffice to classify a value. */
const LONGEST_JUDGED = 400;
/** A value has at least one of these. */
const TELLING = /[0-9!#$%^*+?~&@]|[a-z][A-Z]|mnemonic|phrase/;

/** Values that follow a name like `password`, or are near one. */
export function findAssigned(path: string, text: string): Span[] {
  const found: Span[] = [];
  const file = fileKind(path);
  let looked = 0;
  for (let name = nextName(text, 0); name; name = nextName(text, name.end)) {
    if (name.start < looked && !TELLING.test(text.slice(name.end, name.end + REACH))) continue;
    const line = lineAround(text, name);
    const value = name.kind === 'near' ? undefined : ownValue(text, name, line, file);
    if (value) found.push(value, ...moreRows(text, value));
    if (name.start < looked || name.kind.endsWith('key')) continue;
    if (!isVerb(name)) found.push(...nearValues(text, name.kind, line, file));
    looked = line.end;
  }
  return found;
}

function ownValue(text: string, name: SecretName, line: Span, file: FileKind): Span | undefined {
  const words = mnemonicAfter(text, name);
  if (words) return words;
  for (const value of valuesAfter(text, name.end)) {
    const said = text.slice(value.start, Math.min(value.end, value.start + LONGEST_JUDGED));
    if (isMnemonic(name.text, said)) return value;
    if (value.by === 'place' && file.isProse && isVerb(name)) continue;
    if (file.isCode && !value.quoted && !isInText(text, line, value)) {
      const literal = value.by === 'sign' ? literalOf(text, name, value, line) : undefined;
      if (literal || isRandom(said, 20)) return literal ?? value;
      continue;
    }
    const by = value.by === 'place' && isSetting(text, name, value, file) ? 'sign' : value.by;
    if (isSecret(name, said, { quoted: value.quoted, by, isSetting: !file.isCode && !file.isProse })) return value;
    const mayBeAnything = value.quoted && by === 'sign' && !isInData(line);
    if (mayBeAnything && !name.kind.endsWith('key') && isGibberish(said)) return value;
    const second = secondOf(text, name, value);
    if (second) return second;
  }
  return name.kind === 'password' ? passwordBefore(text, name) : undefined;
}

function passwordBefore(text: string, { start }: SecretName): Span | undefined {
  const value = valueBefore(text, start);
  const said = value && text.slice(value.start, value.end);
  return said !== undefined && isPasswordLike(said) && /\d\D{0,40}\d/.test(said) && !isName(said) ? value : undefined;
}

/** Tells whether a line is longer than anybody would write. */
function isInData({ start, end }: Span): boolean {
  return end - start >= 2 * REACH;
}

/** `pass` and `login` occur in ordinary sentences. */
function isVerb({ text }: SecretName): boolean {
  return /^(?:pass|login|logon)$/i.test(text);
}

/** A quoted text within the expression assigned to a name: `secret := getenv("NAME", "…")`. */
function literalOf(text: string, { end, kind }: SecretName, value: Span, line: Span): Span | undefined {
  if (kind !== 'password' && kind !== 'secret') return undefined;
  if (!/^["'`\])]{0,3}[ \t]{0,40}(?::[^=\n]{1,40})?:?=[ \t]{0,40}$/.test(text.slice(end, value.start)))
    return undefined;
  return literalsFrom(text, value.start, line.end).findLast(({ start, end }) => {
    const said = text.slice(start, end);
    return !isUuid(said) && (isRandom(said, 16) || isStrongPassword(said));
  });
}

/** Tells whether a name and the next word form a line of settings, or an option of a command. */
function isSetting(text: string, { start }: SecretName, { end }: Span, { isCode, isProse }: FileKind): boolean {
  if (isCode) return false;
  if (text[start - 1] === '-' || text[start] === '-') return true;
  const before = text.slice(Math.max(0, start - 20), start);
  const after = text.slice(end, end + 20);
  return !isProse && LINE_START.test(before) && /^[ \t]{0,19}(?:\r?\n|$)/.test(after);
}

/** The password in `admin / …`, `admin:…`, `("admin", "…")`, if the value begins with a user's name. */
function secondOf(text: string, { kind }: SecretName, { start, end, quoted }: AssignedValue): Span | undefined {
  if (kind !== 'password' && kind !== 'secret') return undefined;
  const said = text.slice(start, end);
  const part = /[/:,]/.exec(said);
  if (part) return LOGIN.test(said.slice(0, part.index)) ? passwordAt(text, start + part.index + 1, end) : undefined;
  const gap = /^["'`]?[ \t]{0,3}[/:|,][ \t]{0,3}["'`]?/.exec(text.slice(end, end + 10));
  if (!gap || !LOGIN.test(said) || (quoted && !/["'`]$/.test(gap[0]))) return undefined;
  const own = end + gap[0].length;
  return passwordAt(text, own, endOfBare(text, own));
}

function passwordAt(text: string, start: number, end: number): Span | undefined {
  const said = text.slice(start, end);
  if (!isPasswordLike(said) || /[,;{}()]/.test(said)) return undefined;
  return /\d\D{0,40}\d|[!#$%^*+?~&]/.test(said) || !isName(said) ? { start, end } : undefined;
}

/** The words of a mnemonic behind its name: no sentence goes so far without a short word or a mark. */
function mnemonicAfter(text: string, { kind, text: name, end }: SecretName): Span | undefined {
  if (kind !== 'password' || !/mnemonic|phrase/i.test(name)) return undefined;
  MNEMONIC.lastIndex = end;
  const match = MNEMONIC.exec(text);
  const [, said = ''] = match ?? [];
  return match ? { start: MNEMONIC.lastIndex - said.length, end: MNEMONIC.lastIndex } : undefined;
}

function isMnemonic(name: string, said: string): boolean {
  return /mnemonic|phrase/i.test(name) && /^[a-z]{3,12}(?: [a-z]{3,12}){11,23}$/.test(said);
}
