import type { Span } from '../span.ts';

/** The largest distance of a value from its name, on both sides, in characters. */
const REACH = 300;

/** The line that contains a part of a text, limited to what is near. */
export function lineAround(text: string, { start, end }: Span): Span {
  const from = Math.max(0, start - REACH);
  const before = text.slice(from, start).lastIndexOf('\n');
  const after = text.slice(end, end + REACH).indexOf('\n');
  return {
    start: before < 0 ? from : from + before + 1,
    end: Math.min(text.length, end + (after < 0 ? REACH : after)),
  };
}

const COMMENT = /(?:^|\s)(?:\/\/|#(?=[\s!])|\/?\*|<!--)/;

/** Tells whether a place in a program is inside a string or a comment, judging by one line. */
export function isInText(text: string, line: Span, { start }: Span): boolean {
  const before = text.slice(line.start, start);
  const quotes = before.match(/(?<!\\)["'`]/g)?.length ?? 0;
  return quotes % 2 === 1 || COMMENT.test(before);
}

/** The end of a match of a sticky pattern at a place; undefined if there is none. */
export function matchEnd(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}
