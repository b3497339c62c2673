/** Deeper data than that is given up: nothing that is asked for is nested so deeply. */
const DEEPEST = 64;
const CLOSES: Readonly<Record<string, string>> = { '"': '"', "'": "'", '“': '”', '”': '”', '‘': '’', '`': '`' };
const ESCAPED: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' };
const WORDS: Readonly<Record<string, boolean>> = { true: true, false: false };
/** The characters that end a bare word or number. */
const BARE_END = /[,:\]}\n]/;

/**
 * Reads JSON as a person would: with comments, commas too many or too few, any quotes or none, new lines and quotes within
 * texts, and without its last brackets. What follows the value is passed over.
 * @throws SyntaxError if it does not begin with a bracket, or is nested too deeply
 */
export function looseJson(text: string): unknown {
  const reader = new LooseReader(text);
  const first = reader.peek();
  if (first !== '{' && first !== '[') throw new SyntaxError('no brackets');
  return reader.value(0);
}

/** Reads the JSON in a text, for values that come as text; undefined if it is none, or again a text. */
export function jsonInText(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text.trim().replace(/^(?:True|False)$/, (word) => word.toLowerCase()));
    return typeof value === 'string' ? undefined : value;
  } catch {
    return undefined;
  }
}

class LooseReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Returns the next character that is no space and in no comment; empty at the end. */
  peek(): string {
    for (;;) {
      while (this.#at < this.#text.length && /\s/.test(this.#text[this.#at] as string)) this.#at++;
      const two = this.#text.slice(this.#at, this.#at + 2);
      if (two === '//') this.#skipTo('\n', 1);
      else if (two === '/*') this.#skipTo('*/', 2);
      else return two[0] ?? '';
    }
  }

  value(depth: number): unknown {
    if (depth > DEEPEST) throw new SyntaxError('nested too deeply');
    const first = this.peek();
    if (first === '{') return this.#object(depth);
    if (first === '[') return this.#array(depth);
    return first in CLOSES ? this.#string() : this.#bare();
  }

  #array(depth: number): unknown[] {
    const list: unknown[] = [];
    this.#at++;
    for (let next = this.peek(); next !== '' && next !== ']'; next = this.peek())
      if (next === ',' || next === '}' || next === ':') this.#at++;
      else list.push(this.value(depth + 1));
    this.#at++;
    return list;
  }

  #object(depth: number): Record<string, unknown> {
    const fields: [string, unknown][] = [];
    this.#at++;
    for (let next = this.peek(); next !== '' && next !== '}'; next = this.peek()) {
      // A list that goes on: the brace is what is missing.
      if (next === ']') return Object.fromEntries(fields);
      if (next === ',' || next === ':') {
        this.#at++;
        continue;
      }
      const name = next in CLOSES ? this.#string() : next === '{' || next === '[' ? '' : this.#word();
      if (this.peek() === ':') this.#at++;
      const ends = ['', ',', '}', ']'].includes(this.peek());
      const field = ends ? null : this.value(depth + 1);
      fields.push([name, field]);
    }
    this.#at++;
    return Object.fromEntries(fields);
  }

  /** Reads a text in quotes. A quote ends it only where something may follow: others are part of what it says. */
  #string(): string {
    const close = CLOSES[this.#text[this.#at] as string] as string;
    let said = '';
    for (this.#at++; this.#at < this.#text.length; this.#at++) {
      const each = this.#text[this.#at] as string;
      if (each === '\\') said += this.#escaped();
      else if (each === close && this.#mayEnd()) {
        this.#at++;
        return said;
      } else said += each;
    }
    return said;
  }

  #escaped(): string {
    const each = this.#text[++this.#at] ?? '';
    const code = each === 'u' ? /^[\da-f]{4}/i.exec(this.#text.slice(this.#at + 1, this.#at + 5))?.[0] : undefined;
    if (code === undefined) return ESCAPED[each] ?? each;
    this.#at += 4;
    return String.fromCharCode(Number.parseInt(code, 16));
  }

  /** Tells whether the quote at this place is followed by something that may follow a text. */
  #mayEnd(): boolean {
    let at = this.#at + 1;
    while (at < this.#text.length && /\s/.test(this.#text[at] as string)) at++;
    const next = this.#text[at];
    if (next === undefined || /[:\]}/]/.test(next)) return true;
    if (next in CLOSES) return /^["'“‘][\w$-]{1,40}["'”’]\s*:/.test(this.#text.slice(at, at + 60));
    // A comma within what is quoted has words behind it, one between texts a quote, a bracket or a new line.
    return (
      next === ',' &&
      /^,\s*(?:["'“”‘`{[\]}/\n\d-]|$|[\w$-]{1,40}["']?\s*:|(?:true|false|null)\b)/.test(this.#text.slice(at, at + 60))
    );
  }

  /** Reads what stands without quotes: a number or a word of JSON; any other is nothing. */
  #bare(): unknown {
    const word = this.#word();
    const known = WORDS[word.toLowerCase()];
    return known ?? (word !== '' && Number.isFinite(Number(word)) ? Number(word) : null);
  }

  #word(): string {
    const start = this.#at;
    while (this.#at < this.#text.length && !BARE_END.test(this.#text[this.#at] as string)) this.#at++;
    if (this.#at === start) this.#at++; // whatever happens, it goes on
    return this.#text.slice(start, this.#at).trim();
  }

  #skipTo(end: string, width: number): void {
    const found = this.#text.indexOf(end, this.#at);
    this.#at = found < 0 ? this.#text.length : found + width;
  }
}

/** The most levels of lists and objects in JSON from outside: whatever descends into it needs the stack. */
const DEEPEST_CHECKED = 500;

/**
 * Tells whether parsed JSON is nested too deeply to be checked, compared or written.
 * @param length of its text, in characters: a short one cannot be
 */
export function isTooDeep(value: unknown, length = Infinity): boolean {
  if (length <= 2 * DEEPEST_CHECKED) return false;
  let level = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > DEEPEST_CHECKED) return true;
    const below: unknown[] = [];
    for (const each of level) {
      if (typeof each !== 'object' || each === null) continue;
      for (const part of Array.isArray(each) ? each : Object.values(each))
        if (typeof part === 'object' && part !== null) below.push(part);
    }
    level = below;
  }
  return false;
}

/** Tells whether a value is an object of JSON, not a list. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns a text parsed as JSON; undefined if it is not. */
export function jsonOrNothing(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Tells whether two values are equal as JSON, whatever the order of their fields; undefined fields are missing. */
export function isSameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((each, at) => isSameJson(each, b[at]));
  if (!isRecord(a) || !isRecord(b)) return false;
  const names = namesOf(a);
  return (
    names.length === namesOf(b).length && names.every((name) => Object.hasOwn(b, name) && isSameJson(a[name], b[name]))
  );
}

/** Returns the names of fields that have a value. */
export function namesOf(fields: Readonly<Record<string, unknown>>): string[] {
  return Object.keys(fields).filter((name) => fields[name] !== undefined);
}

/** Returns a value with its fields in one order, however it was parsed; undefined fields are missing. */
export function inOneOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOneOrder);
  if (typeof value !== 'object' || value === null) return value;
  const given = Object.entries(value).filter(([, each]) => each !== undefined);
  return given.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, each]) => [name, inOneOrder(each)]);
}
