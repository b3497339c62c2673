import type { Span } from '../span.ts';

/** How far to both sides of a name a value may stand, in characters. */
const REACH = 300;

/** The line that a part of a text is in, as much of it as is near. */
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

/** Whether a place of a program is inside of a text or a comment, as far as one line tells. */
export function isInText(text: string, line: Span, { start }: Span): boolean {
  const before = text.slice(line.start, start);
  const quotes = before.match(/(?<!\\)["'`]/g)?.length ?? 0;
  return quotes % 2 === 1 || COMMENT.test(before);
}

/** Where a sticky pattern ends that begins at a place; undefined where it does not. */
export function matchEnd(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}
