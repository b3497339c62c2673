const INVISIBLE = /[\p{Cc}\p{Bidi_Control}\u200b\u2028\u2029\u2060-\u2069\ufeff]+/gu;

/**
 * Text of a model or a person as one line of at most `longest` characters: control characters and bidirectional marks
 * become spaces, so that it is safe in a list, a terminal or a prompt's outline.
 */
export function oneLine(text: string, longest: number): string {
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

/** The number of bytes of a text in UTF-8; a lone surrogate counts as its replacement character. */
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
