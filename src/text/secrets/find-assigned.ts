import { moreRows } from './find-tokens.ts';
import { type NameKind, nextName, type SecretName } from './secret-names.ts';
import { isInText, lineAround, matchEnd, type Span } from './spans.ts';
import {
  isGibberish,
  isHex,
  isName,
  isPasswordLike,
  isPlaceholder,
  isRandom,
  isStrongPassword,
  isUuid,
  wordsOf,
} from './value-strength.ts';

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

/** Returns a quoted text within the expression assigned to a name: `secret := getenv("NAME", "…")`. */
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

/** Returns the password in `admin / …`, `admin:…`, `("admin", "…")`, if the value begins with a user's name. */
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

/** Returns the words of a mnemonic behind its name: no sentence goes so far without a short word or a mark. */
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

/** A value that follows a name. */
interface AssignedValue extends Span {
  readonly quoted: boolean;
  /**
   * The sign that the value belongs to the name: an assignment operator, a call with it as argument, a sentence, or
   * only that it comes next.
   */
  readonly by: 'sign' | 'call' | 'sentence' | 'place';
}

const CLOSE = '(?:\\\\?["\'`\\])}*]){0,4}';
/** Attributes of an element between its name and its text. */
const ATTRIBUTES = '(?:[ \\t][\\w:-]{1,20}="[^"\\n]{0,40}"){0,3}';
const GAP = '[ \\t]{0,40}';
/** A type behind a name, as in `key: &str =`. */
const TYPE = "(?: (?:string|String|str)\\b|:[ \\t]{0,4}&?[\\w'][&\\w'<>[\\]?.| ]{0,30})?";
const SIGN = '(?:=>|:=|\\?=|\\+=|->|===?|!==?|\\|\\|=?|\\?\\?=?|[=:：>])';
/** The value may be on the next line, after a YAML block mark or a line continuation. */
const BREAK = '(?:(?:[|>][-+]?|\\\\)?[ \\t]{0,4}\\r?\\n[ \\t]{0,80})?';

/** Patterns that lead from a name to its value, the most certain first. */
const LEADS: readonly { readonly by: AssignedValue['by']; readonly pattern: RegExp }[] = [
  // password = "…", "password": "…", let password: &str = "…", <password>…
  { by: 'sign', pattern: new RegExp(`${CLOSE}${GAP}${TYPE}${GAP}${SIGN}${GAP}(?:!!?\\w{1,20}[ \\t])?${BREAK}`, 'y') },
  // <password type="text">…
  { by: 'sign', pattern: new RegExp(`${ATTRIBUTES}[ \\t]{0,4}>[ \\t]{0,8}`, 'y') },
  // process.env.PASSWORD || "…", os.getenv("PASSWORD") or "…"
  { by: 'sign', pattern: new RegExp(`${CLOSE}\\)?${GAP}(?:\\|\\||\\?\\?|\\bor\\b)${GAP}(?=["'\`])`, 'y') },
  // { "name": "PASSWORD", "value": "…" }, variable "password" { type = string, default = "…" }
  {
    by: 'sign',
    pattern:
      /["'`]?:?[\s{,]{1,80}(?:["']?\w{1,20}["']?[ \t]{0,4}[:=][ \t]{0,4}["']?[\w -]{1,60}["']?[\s,]{1,40}){0,3}["']?(?:value|default|defaultValue|content|stringValue|val)["']?\s{0,4}[:=>]\s{0,4}/iy,
  },
  // password.equals("…")
  { by: 'sign', pattern: /\.(?:equals|equalsIgnoreCase|compareTo|eql)\??\([ \t]{0,4}(?=["'])/y },
  // define("PASSWORD", "…"), setPassword("…"), Password(user, "…")
  {
    by: 'call',
    pattern: new RegExp(
      `\\\\?["'\`]${GAP},${GAP}(?=\\\\?["'\`b])|\\([ \\t\\n]{0,20}(?:[\\w.]{1,40},[ \\t]{0,4})?(?=\\\\?["'\`@])`,
      'y',
    ),
  },
  // "--password", and "…" on the next line; - --password, and - … on the next line
  { by: 'sign', pattern: /(?<=["'\s]--[\w-]{1,60})["']?(?:,\s{1,80}(?=["'])|\r?\n[ \t]{0,80}- )/y },
  // password ---- …
  { by: 'sign', pattern: /[ \t]{1,20}[-.=_]{3,40}>?[ \t]{1,20}/y },
  // The password for staging is …, the password for user 'kim' is …
  {
    by: 'sentence',
    pattern:
      /[*_`"']{0,3}(?: ["'`]?[\p{L}\d-]{1,20}["'`]?){0,6}(?: (?:is|was|ist|est|es|lautet)[ \t]|:)[ \t]{0,4}[*_]{0,2}/uy,
  },
  // password …, --password …, password (…), IDENTIFIED BY "…"
  { by: 'place', pattern: /["'`]?(?:[ \t]{1,40}\(?|\()/y },
];
/** A list or a tuple that begins with the value. */
const LIST = /(?:[([{]\s{0,20}){1,2}(?=[bu@]?["'`])/y;
/** Prefixes of string literals, as in Python or C#. */
const OPEN = /(?:(?:string|String|new|return|await|f|b|r|u|rb|br|L|@|\$)[ \t(]{0,2})?(?=\\?["'`])/y;
const LONGEST = 4000;
const BARE = /(?:[^\s"'`<>;|，。；&]|&(?!(?:amp;)?\w{1,40}=)){0,4000}/y;

/** Returns the possible values of a name that ends at a place, the most certain first. */
function valuesAfter(text: string, end: number): AssignedValue[] {
  return LEADS.flatMap(({ by, pattern }) => {
    const at = matchEnd(pattern, text, end);
    if (at === undefined) return [];
    const start = by === 'sign' || by === 'call' ? (matchEnd(LIST, text, at) ?? at) : at;
    const isQuery = /[?&][\w.-]{0,60}$/.test(text.slice(Math.max(0, end - 61), end));
    return [{ ...valueAt(text, start, isQuery), by }];
  });
}

/** @param isQuery whether `&` ends it */
function valueAt(text: string, at: number, isQuery: boolean): Span & { readonly quoted: boolean } {
  const start = matchEnd(OPEN, text, at) ?? at;
  const escaped = text[start] === '\\' ? 1 : 0;
  const quote = text[start + escaped];
  if (quote !== undefined && /["'`]/.test(quote)) {
    const isTriple = text.startsWith(quote.repeat(3), start);
    const begin = isTriple ? (matchEnd(/["'`]{3}\\?\r?\n?[ \t]{0,40}/y, text, start) ?? start) : start + escaped + 1;
    return { start: begin, end: endOfQuoted(text, begin, quote, escaped > 0), quoted: true };
  }
  const end = endOfBare(text, start);
  const part = isQuery ? text.slice(start, end).indexOf('&') : -1;
  return { start, end: part < 0 ? end : start + part, quoted: false };
}

/** @param isEscaped whether the quotes themselves are escaped, as in a text inside another one */
function endOfQuoted(text: string, begin: number, quote: string, isEscaped: boolean): number {
  const most = Math.min(text.length, begin + LONGEST);
  for (let at = begin; at < most; at++) {
    const character = text[at];
    if (character === '\n' || character === quote) return at;
    if (character !== '\\') continue;
    if (text[at + 1] === '\n' || (isEscaped && text[at + 1] === quote)) return at;
    at++;
  }
  return most;
}

/** Up to white space or another query parameter, without what closes a surrounding text. */
function endOfBare(text: string, start: number): number {
  let end = matchEnd(BARE, text, start) ?? start;
  while (end > start && /[,.)\]}:\\]/.test(text.charAt(end - 1))) end--;
  return end;
}

/**
 * Returns the quoted texts on the rest of a line, and on the next one if it continues there: the parts of an
 * expression.
 */
function literalsFrom(text: string, start: number, lineEnd: number): Span[] {
  const goesOn = /[(+\\][ \t]{0,4}\r?$/.test(text.slice(start, lineEnd));
  const rest = text.slice(start, goesOn ? lineEnd + 200 : lineEnd);
  return Array.from(rest.matchAll(/\\?(["'`])([^"'`\n\\]{5,300})\\?\1/g), (match) => {
    const begin = start + match.index + match[0].indexOf(match[2] ?? '');
    return { start: begin, end: begin + (match[2] ?? '').length };
  });
}

/** The ways from a value back to its name: `value="…" name="password"`, `"…" == password`, `… is the password`. */
const BACK =
  /\b(?:value|val|content)["']?[ \t]{0,4}[:=][ \t]{0,4}["']?([^\s"'`]{5,200})["']?,?\s{1,60}["']?(?:name|key)["']?[ \t]{0,4}[:=][ \t]{0,4}["']?$|(["'`])([^"'`\n]{5,100})\2[ \t)]{0,4}(?:\bname[ \t]{0,2}=[ \t]{0,2}["']|[=!]={1,2}[ \t]{0,2}|\.(?:equals|equalsIgnoreCase|compareTo)\([ \t]{0,4}|(?:is|as) (?:the|my|our|your|its) )$|([^\s"'`]{5,100}) (?:is|as) (?:the|my|our|your|its) $/;
/** The end of any of these: most names follow nothing like it, and need no longer look. */
const BACK_END = /(?:[:=][ \t]{0,4}["']?|\([ \t]{0,4}|(?:is|as) (?:the|my|our|your|its) )$/;
const LONGEST_BACK_END = 12;

/** Returns the value right before a name. */
function valueBefore(text: string, start: number): Span | undefined {
  if (!BACK_END.test(text.slice(Math.max(0, start - LONGEST_BACK_END), start))) return undefined;
  const from = Math.max(0, start - 300);
  const match = BACK.exec(text.slice(from, start));
  const said = match?.[1] ?? match?.[3] ?? match?.[4];
  if (!match || said === undefined) return undefined;
  const at = from + match.index + match[0].indexOf(said);
  return { start: at, end: at + said.length };
}

type HowAssigned = Pick<AssignedValue, 'quoted' | 'by'> & {
  /** True if it is in a settings file, where a bare word is a value. */
  readonly isSetting: boolean;
};

/** Tells whether a name's value is a secret: the clearer the relation and the name, the less is asked of the value. */
function isSecret(name: SecretName, said: string, how: HowAssigned): boolean {
  switch (name.kind) {
    case 'password':
      return isPassword(name, said, how);
    case 'secret':
      return isToken(said, how);
    case 'key':
    case 'named-key':
      return isKey(name, said, how);
    case 'near':
      return false;
  }
}

function isPassword({ text }: SecretName, said: string, { quoted, by, isSetting }: HowAssigned): boolean {
  if (by !== 'sign') return isStrongPassword(said) || (quoted && isPasswordLike(said) && !isName(said));
  return (
    isPasswordLike(said) || isNumber(said, 6) || ((quoted || isSetting) && NOTHING_ELSE.test(text) && isWord(said))
  );
}

/** Names whose value can only be a password, however simple. */
const NOTHING_ELSE = /(?:password|passwd|pwd|passphrase|passcode)$/i;

/** A word, or several in a row, as in simple passwords; but not a word about passwords. */
function isWord(said: string): boolean {
  if (!/^[A-Za-z]+(?:[-_.][A-Za-z]+)*$/.test(said) || said.length < 6 || isPlaceholder(said)) return false;
  return !/pass|pwd|word|secret|token|credential|invalid|require|submit|optional|hidden|differ|match|same|reset|forgot|passe|senha|salas/i.test(
    said,
  );
}

function isNumber(said: string, least: number): boolean {
  return (
    /^\d{1,40}$/.test(said) && said.length >= least && new Set(said).size >= 4 && !/012345|123456|987654/.test(said)
  );
}

function isToken(said: string, { quoted, by }: HowAssigned): boolean {
  if (isRandom(said, by === 'sign' ? 14 : 16) || (said.length >= 12 && isMixed(said))) return true;
  if (by === 'sentence') return false;
  if (isUuid(said)) return true;
  if (by === 'place') return false;
  return isNumber(said, 20) || (quoted && said.length >= 8 && isPasswordLike(said) && !isName(said));
}

/** Upper case, lower case and digits, mixed as in no name. */
function isMixed(said: string): boolean {
  return /^[\w+/=-]+$/.test(said) && /\d\D*\d/.test(said) && isStrongPassword(said);
}

function isKey({ kind }: SecretName, said: string, { by }: HowAssigned): boolean {
  if (by === 'sentence' || !isRandom(said, 16) || (by === 'place' && said.length < 32)) return false;
  return !isHex(said) || (kind === 'named-key' && said.length >= 32);
}

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
function nearValues(text: string, kind: NameKind, line: Span, { isCode, isProse }: FileKind): Span[] {
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

/** The way a file is read: in a program, an unquoted value is an expression; in prose, the next word is just a word. */
interface FileKind {
  readonly isCode: boolean;
  readonly isProse: boolean;
}

const CODE =
  /\.(?:[cm]?[jt]sx?|py|pyi|rb|go|rs|java|kt|kts|cs|fs|php|swift|c|h|cc|cpp|cxx|hh|hpp|m|mm|scala|groovy|lua|pl|pm|ex|exs|erl|hs|clj|dart|vue|svelte|css|scss|less|r|jl|zig|nim|sol|vb|pas|proto|graphql)$/i;
const PROSE = /\.(?:md|mdx|markdown|rst|adoc|txt|html?)$/i;

function fileKind(path: string): FileKind {
  return { isCode: CODE.test(path), isProse: PROSE.test(path) };
}
