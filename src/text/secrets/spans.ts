import { LEFT_OUT } from '../../core/text/text.ts';

/** A text without its secrets. */
export interface HiddenText {
  /** Has the same number of lines as before. */
  readonly text: string;
  /** The number of secrets that were left out of it. */
  readonly secrets: number;
}

export interface FoundSecrets {
  /** In order, apart from one another; fewer than there are secrets where those touch. */
  readonly spans: readonly Span[];
  readonly count: number;
}

/** A part of a text, by its offsets: from `start` up to, but not including, `end`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Returns the parts in order, with adjacent ones merged. */
export function merged(spans: readonly Span[]): Span[] {
  const all: { start: number; end: number }[] = [];
  for (const { start, end } of spans.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    const last = all.at(-1);
    if (last && start <= last.end) last.end = Math.max(last.end, end);
    else if (end > start) all.push({ start, end });
  }
  return all;
}

/** Puts `[secret left out]` in place of some parts of a text, on each of their lines. @param spans in order, apart from one another */
export function leaveOut(text: string, spans: readonly Span[]): string {
  let at = 0;
  let left = '';
  for (const { start, end } of spans) {
    const lines = text.slice(start, end).split(/(\r\n|\n|\r)/);
    left += text.slice(at, start) + lines.map((line, place) => (place % 2 === 1 ? line : LEFT_OUT)).join('');
    at = end;
  }
  return left + text.slice(at);
}

/** The largest distance of a value from its name, on both sides, in characters. */
const REACH = 300;

/** Returns the line that contains a part of a text, limited to what is near. */
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

/** Returns the end of a match of a sticky pattern at a place; undefined if there is none. */
export function matchEnd(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}
