import { oneLine } from '../core/text/text.ts';

/** The number of paths that an error names. */
const MOST = 10;

/** Paths in a message: the first ones, safe for a terminal. */
export function shownPaths(paths: readonly string[]): string {
  const shown = paths.slice(0, MOST).map((path) => oneLine(path, 200));
  return paths.length > MOST ? `${shown.join(', ')} … (${paths.length})` : shown.join(', ');
}

/**
 * A command line as a person has to see it: exactly, with everything escaped that a terminal would obey, or that an eye does
 * not see.
 */
export function shownLine(line: string): string {
  return line.toWellFormed().replace(UNSEEN, (sign) => `\\u{${(sign.codePointAt(0) as number).toString(16)}}`);
}

/** With the letters that are drawn as nothing, and the empty pattern of Braille. */
const UNSEEN = /[[\p{C}\p{Z}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\u2800]--[ ]]/gv;
