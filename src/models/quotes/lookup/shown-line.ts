import { oneLine } from '../../../text/cut/markdown.ts';
import type { Passage } from '../../../text/cut/passage.ts';
import { isQuotable } from '../../../text/files/read-source.ts';
import type { SourceFile } from '../../../text/files/source-file.ts';
import type { DecisiveLine } from '../../../text/find/decisive-line.ts';
import { signatureEnd } from '../../../text/find/signature.ts';

/** The most lines that a sentence of prose is shown from. */
const MOST_OF_SENTENCE = 4;
/** Where a sentence ends: not behind a number, nor within a name. */
const END = /(?<=[\p{Ll}\p{Lo})\]`*"”][.!?]["”)*]{0,3})\s+(?=[\p{Lu}\p{Lo}`*"“([])|(?<=[。！？])/u;
/** The lines that begin anew: an item, a row of a table, a heading, a quotation, a fence. */
const BEGINS = /^\s*(?:[-*+]\s|\d{1,3}[.)]\s|\||#|>|```|~~~|:\w|\.\. )/;

/**
 * A line as it is shown by itself: of one that begins a signature, all of that, as `f(a, b)` however it is written; of
 * wrapped prose, the sentence of which it has most.
 */
export function shownLine({ quote: { file, passage }, row }: DecisiveLine): string {
  const line = oneLine(file.lines[row] ?? '');
  if (file.role === 'docs' && (passage.kind === 'section' || passage.kind === 'rest'))
    return isInFence(passage, row) ? line : (sentenceAt(file, row) ?? line);
  if (row !== passage.head || passage.file !== file) return line;
  const lines = file.lines.slice(row, signatureEnd(passage) + 1);
  return lines.every(isQuotable) ? lines.map(oneLine).reduce(joined) : line;
}

/** Two lines of a signature as one: no space stands where only a line was broken, behind a bracket or before its end. */
function joined(before: string, next: string): string {
  if (/[([<]$/.test(before)) return before + next;
  return /^[)\]>]/.test(next) ? before.replace(/,$/, '') + next : `${before} ${next}`;
}

/** Tells whether a line of a section is one of code. */
function isInFence({ file, start }: Passage, row: number): boolean {
  return file.lines.slice(start, row).filter((line) => /^\s*(?:```|~~~)/.test(line)).length % 2 === 1;
}

/** The sentence that has most of a line; undefined if it is longer than a few lines. */
function sentenceAt({ lines }: SourceFile, row: number): string | undefined {
  const isApart = (at: number): boolean => {
    const line = lines[at] ?? '';
    return line.trim() === '' || !isQuotable(line);
  };
  const begins = (at: number): boolean => BEGINS.test(lines[at] ?? '');
  if (/^\s*(?:\||#|```|~~~)/.test(lines[row] ?? '')) return undefined;
  let [start, end] = [row, row];
  while (!begins(start) && start > 0 && row - start < MOST_OF_SENTENCE && !isApart(start - 1)) start--;
  while (end - row < MOST_OF_SENTENCE && end + 1 < lines.length && !isApart(end + 1) && !begins(end + 1)) end++;
  const shown = lines.slice(start, end + 1).map(oneLine);
  const whole = shown.join(' ');
  let at = 0;
  const ranges = shown.map((text) => {
    const from = at;
    at += text.length + 1;
    return [from, from + text.length] as const;
  });
  const [from, to] = ranges[row - start] ?? [0, 0];
  let best = { from: 0, to: 0, share: 0 };
  let next = 0;
  for (const sentence of whole.split(END)) {
    const first = whole.indexOf(sentence, next);
    const last = first + sentence.length;
    const share = Math.min(to, last) - Math.max(from, first);
    if (share > best.share) best = { from: first, to: last, share };
    next = last;
  }
  // One that goes on beyond the lines that were looked at is in more of them than may be shown.
  const spanned = ranges.filter(([first, last]) => first < best.to && last > best.from).length;
  return spanned > MOST_OF_SENTENCE ? undefined : whole.slice(best.from, best.to);
}
