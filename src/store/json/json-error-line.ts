const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/;
const TOKEN = new RegExp(`[ \\t\\r\\n]+|${NUMBER.source}|true|false|null|[{}[\\],:]`, 'y');
const ESCAPE = /\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4})/y;

/** The tokens that may come next. */
type Expected = 'value' | 'value-or-end' | 'name' | 'name-or-end' | 'colon' | 'comma-or-end' | 'nothing';

/**
 * The line, from 1, at which a text stops being JSON; undefined if it is JSON. The parser's own message gives the place
 * of some errors only.
 */
export function jsonErrorLine(text: string): number | undefined {
  const open: string[] = [];
  let expected: Expected = 'value';
  let at = 0;
  while (at < text.length) {
    const token = tokenAt(text, at);
    if (token === undefined) return lineAt(text, at);
    if (token.trim() !== '') {
      const next = follow(token, expected, open);
      if (next === undefined) return lineAt(text, at);
      expected = next;
    }
    at += token.length;
  }
  return expected === 'nothing' ? undefined : lineAt(text, text.trimEnd().length);
}

function tokenAt(text: string, at: number): string | undefined {
  if (text[at] === '"') return stringAt(text, at);
  TOKEN.lastIndex = at;
  return TOKEN.exec(text)?.[0];
}

// Not a regular expression: a long string would overflow its stack.
function stringAt(text: string, at: number): string | undefined {
  for (let i = at + 1; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 0x22) return text.slice(at, i + 1);
    if (code < 0x20) return undefined;
    if (code !== 0x5c) continue;
    ESCAPE.lastIndex = i;
    const escaped = ESCAPE.exec(text)?.[0];
    if (escaped === undefined) return undefined;
    i += escaped.length - 1;
  }
  return undefined;
}

/** Returns what may follow a token, or undefined if it is not allowed here; updates `open`, the unclosed brackets. */
function follow(token: string, expected: Expected, open: string[]): Expected | undefined {
  const first = token.charAt(0);
  const afterValue = (): Expected => (open.length === 0 ? 'nothing' : 'comma-or-end');
  switch (first) {
    case '}':
    case ']': {
      const empty = first === '}' ? 'name-or-end' : 'value-or-end';
      if ((expected !== empty && expected !== 'comma-or-end') || open.pop() !== first) return undefined;
      return afterValue();
    }
    case ',':
      if (expected !== 'comma-or-end') return undefined;
      return open.at(-1) === '}' ? 'name' : 'value';
    case ':':
      return expected === 'colon' ? 'value' : undefined;
    case '"':
      if (expected === 'name' || expected === 'name-or-end') return 'colon';
      break;
  }
  if (expected !== 'value' && expected !== 'value-or-end') return undefined;
  if (first !== '{' && first !== '[') return afterValue();
  open.push(first === '{' ? '}' : ']');
  return first === '{' ? 'name-or-end' : 'value-or-end';
}

function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let i = text.indexOf('\n'); i >= 0 && i < offset; i = text.indexOf('\n', i + 1)) line++;
  return line;
}
