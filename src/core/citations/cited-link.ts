import type { FileLines } from './citation.ts';
import { LONGEST_ADDRESS } from './citation-link.ts';
import { markBehind } from './citation-marks.ts';

/** The offsets of a citation's link in the text, with a mark behind it (end exclusive), and its label without marks around it. */
export interface CitedLink extends FileLines {
  readonly start: number;
  readonly end: number;
  readonly label: string;
}

/** The longest line that is read, with the label in place of its link, so that replacing a link changes nothing. */
const LONGEST_LINE = 4000;
const LONGEST_LABEL = 400;
/** Its longest form in the text: a label with every character escaped, and an address. */
const LONGEST_WRITTEN = LONGEST_LINE + LONGEST_LABEL + LONGEST_ADDRESS + 10;

export const LABEL = String.raw`\[((?:[^[\]\\\n]|\\.){3,${LONGEST_LABEL}})\]`;
const DESTINATION = String.raw`<(?:[^<>\\\n]|\\.){0,${LONGEST_ADDRESS}}>|(?:[^()\s\\]|\\[^\s]){0,${LONGEST_ADDRESS}}(?:\((?:[^()\s\\]|\\[^\s]){0,200}\)(?:[^()\s\\]|\\[^\s]){0,200}){0,4}`;
const TITLE = String.raw`"(?:[^"\\]|\\.){0,1000}"|'(?:[^'\\]|\\.){0,1000}'|\((?:[^()\\]|\\.){0,1000}\)`;
export const ADDRESS = String.raw`\([ \t]{0,20}(?:${DESTINATION})(?:[ \t]{1,20}(?:${TITLE}))?[ \t]{0,20}\)|\[(?![^\]\n]*[:#]L?\d)(?:[^[\]\\\n]|\\.){0,1000}\]`;
const CODE = '(?<!`)`([^`\\n]{3,400})`(?!`)';
const NOT_ESCAPED = String.raw`(?<!(?<!\\)(?:\\\\)*\\)`;
// Only the label counts, in brackets or as code; the address is the model's guess. An image is not a link.
const LABELLED = new RegExp(`${NOT_ESCAPED}!*(?:${LABEL}(?:${ADDRESS})?|${CODE})`, 'g');
const LINES = /^(.{1,300}?)(?::|#)L?(\d{1,7})(?:[-–]L?(\d{1,7}))?$/su;

/** The last thing in a line that names lines of a file. */
export function linkIn(line: string, start: number): CitedLink | undefined {
  if (line.length > LONGEST_WRITTEN) return undefined;
  let found: CitedLink | undefined;
  for (const match of line.matchAll(LABELLED)) {
    const label = (match[1]?.replace(/\\([!-/:-@[-`{-~])/g, '$1') ?? match[2] ?? '').replace(
      /^[`\s]+|(?<![`\s])[`\s]+$/g,
      '',
    );
    const [, path, from, to] = LINES.exec(label) ?? [];
    if (path === undefined || from === undefined || !looksLikePath(path)) continue;
    const lines = { from: Number(from), to: Math.max(Number(from), Number(to ?? from)) };
    if (lines.from === 0) continue;
    const at = start + match.index;
    const end = match.index + match[0].length;
    found = { path, ...lines, label, start: at, end: start + end + markBehind(line, end).length };
  }
  if (!found) return undefined;
  return line.length - (found.end - found.start) + found.label.length > LONGEST_LINE ? undefined : found;
}

/** `chapter:3` and `12:30` do not name files. */
function looksLikePath(path: string): boolean {
  return /[./\\]/.test(path) || /^[A-Z][a-z]+file$/.test(path);
}
