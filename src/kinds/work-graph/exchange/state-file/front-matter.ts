import { wrongLine } from '../../yaml/read-yaml.ts';
import * as say from '../messages.ts';

/** A state file: YAML between two lines of hyphens, then text. All parts together are the whole file. */
export interface StateText {
  /** Up to and including the first line of hyphens. */
  readonly head: string;
  readonly yaml: string;
  /** From the second line of hyphens on. */
  readonly tail: string;
  /** Lines before the YAML. */
  readonly linesBefore: number;
}

/** The first line, after a byte order mark. */
const OPENING = /^\ufeff?---[ \t]*\r?(?:\n|$)/;
const CLOSING = /^---[ \t]*\r?$/;
/** Sections that only this format has, at the beginning of a line. */
const SECTIONS = /^(?:objective|control|atoms):/m;
const LOOKED_AT = 100_000;

/** Tells whether a file looks like a state file, so that it can be told what is wrong with it. */
export function isStateText(text: string): boolean {
  const start = text.slice(0, LOOKED_AT);
  return OPENING.test(start) || (!/^\ufeff?\s*[[{"]/.test(start) && SECTIONS.test(start));
}

/** @throws ThoughtTreeError `damaged` with file and line */
export function splitState(text: string, file: string): StateText {
  const opening = OPENING.exec(text)?.[0];
  if (opening === undefined) throw wrongLine(file, 1, say.noFrontMatter());
  let at = opening.length;
  let line = 1;
  while (at < text.length) {
    const next = text.indexOf('\n', at);
    const end = next < 0 ? text.length : next;
    line++;
    if (CLOSING.test(text.slice(at, end)))
      return { head: opening, yaml: text.slice(opening.length, at), tail: text.slice(at), linesBefore: 1 };
    at = end + 1;
  }
  throw wrongLine(file, line, say.notClosed());
}
