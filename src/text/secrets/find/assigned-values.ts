import type { Span } from '../span.ts';
import { matchEnd } from './lines.ts';

/** A value that follows a name. */
export interface AssignedValue extends Span {
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

/** The possible values of a name that ends at a place, the most certain first. */
export function valuesAfter(text: string, end: number): AssignedValue[] {
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
export function endOfBare(text: string, start: number): number {
  let end = matchEnd(BARE, text, start) ?? start;
  while (end > start && /[,.)\]}:\\]/.test(text.charAt(end - 1))) end--;
  return end;
}

/** The quoted texts on the rest of a line, and on the next one if it continues there: the parts of an expression. */
export function literalsFrom(text: string, start: number, lineEnd: number): Span[] {
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

/** The value right before a name. */
export function valueBefore(text: string, start: number): Span | undefined {
  if (!BACK_END.test(text.slice(Math.max(0, start - LONGEST_BACK_END), start))) return undefined;
  const from = Math.max(0, start - 300);
  const match = BACK.exec(text.slice(from, start));
  const said = match?.[1] ?? match?.[3] ?? match?.[4];
  if (!match || said === undefined) return undefined;
  const at = from + match.index + match[0].indexOf(said);
  return { start: at, end: at + said.length };
}
