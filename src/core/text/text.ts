const INVISIBLE = /[\p{Cc}\p{Bidi_Control}\u200b\u2028\u2029\u2060-\u2069\ufeff]+/gu;
const PLAIN_LINE = /^[!-~]+(?: [!-~]+)*$/;

/**
 * Text of a model or a person as one line of at most `longest` characters: control characters and bidirectional marks
 * become spaces, so that it is safe in a list, a terminal or a prompt's outline.
 */
export function oneLine(text: string, longest: number): string {
  if (text.length <= longest && PLAIN_LINE.test(text)) return text; // most titles, of which there are many
  const line = text
    .slice(0, longest * 8)
    .replace(INVISIBLE, ' ')
    .replace(/\s+/gu, ' ')
    .trim();
  const characters = [...line.toWellFormed()];
  // More text may follow a long row of spaces, so this must not look empty.
  const isWhole = line === '' || text.slice(longest * 8).trim() === '';
  return isWhole && characters.length <= longest
    ? characters.join('')
    : `${characters.slice(0, longest - 1).join('')}…`;
}

/** A text with a full stop, unless it ends as a sentence does: others follow it. */
export function asSentence(text: string): string {
  return /[.!?…。！？]$/u.test(text) ? text : `${text}.`;
}

/**
 * Text of several lines without what a terminal, a prompt or a reader's eye obeys instead of showing it: control characters
 * except tabs and line breaks, and bidirectional marks. Lone surrogates become replacement characters.
 */
export function withoutCommands(text: string): string {
  return text.replace(COMMANDS, ' ').toWellFormed();
}

const COMMANDS = /[[\p{Cc}--[\t\n]]\p{Bidi_Control}]/gv;

/** Tells whether a path contains a control character of ASCII or a backslash, which no path of ours does. */
export function isOddPath(path: string): boolean {
  return ODD.test(path);
}

const ODD = /[[\p{Cc}--[\x7f-\x9f]]\\]/v;

/** Returns the number of bytes of a text in UTF-8; a lone surrogate counts as its replacement character. */
export function utf8Length(text: string): number {
  let bytes = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x80) bytes += 1;
    else if (code < 0x800) bytes += 2;
    else if (code >= 0xd800 && code < 0xdc00 && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00) {
      bytes += 4;
      i++;
    } else bytes += 3;
  }
  return bytes;
}

/** Replaces a secret in a text. */
export const LEFT_OUT = '[secret left out]';

/** Says what was left out of a file, for documents and for models: `2 secrets left out of src/x.ts`. */
export function leftOut(secrets: number, path: string): string {
  return `${secrets} secret${secrets === 1 ? '' : 's'} left out of ${path}`;
}

/** Stands between two texts that are hashed as one; no UTF-16 code unit. */
const BOUNDARY = 0x10000;

/**
 * Returns a 53-bit hash of texts (cyrb53) as 14 hexadecimal digits: identifies them, but does not protect against
 * forgery.
 */
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

/** Returns a summary without the code of a state before it, which marks say in words. */
export function withoutCode(summary: string): string {
  return summary.replace(/^[A-Z]+:(?: |$)/, '');
}

/** Returns a line as Markdown text, with all markup escaped. */
export function escapeMarkdown(line: string): string {
  // An underscore inside a word is not markup: paths and names stay readable in the source.
  return line.replace(/[\\`*[\]<>#|~&!]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\$&');
}

/** Returns a line as code in Markdown. */
export function codeSpan(text: string): string {
  const mark = '`'.repeat(longestRun(text) + 1);
  const pad = text.startsWith('`') || text.endsWith('`') ? ' ' : '';
  return `${mark}${pad}${text}${pad}${mark}`;
}

/** Returns lines unchanged, in a fence longer than any run of backticks among them. */
export function fenced(lines: readonly string[], language: string): string {
  const mark = '`'.repeat(Math.max(3, longestRun(lines.join('\n')) + 1));
  return [`${mark}${language}`, ...lines, mark].join('\n');
}

function longestRun(text: string): number {
  let longest = 0;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return longest;
}

/** Returns one segment of a path in a link: nothing in it ends the link, or is markup. */
export function encodeSegment(segment: string): string {
  return encodeURIComponent(segment.toWellFormed()).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** Returns an address without percent-encoding; as it is if it cannot be read. */
export function decodeAddress(address: string): string {
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
}

/** Returns text for HTML, also within an attribute in double quotes. */
export function escapeHtml(text: string): string {
  return text
    .toWellFormed()
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
