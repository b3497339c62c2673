import { oneLine } from '../../../text/cut/markdown.ts';
import { isQuotable } from '../../../text/files/read-source.ts';
import type { SourceFile } from '../../../text/files/source-file.ts';
import type { DecisiveLine } from '../../../text/find/decisive-line.ts';
import { signatureEnd } from '../../../text/find/signature.ts';

/** The most lines that a sentence of prose is shown from. */
const MOST_OF_SENTENCE = 4;
/** Where a sentence ends: not behind a number, nor within a name. */
const END = /(?<=[\p{Ll}\p{Lo})\]`*"”][.!?]["”)*]{0,3})\s+(?=[\p{Lu}\p{Lo}`*"“([])|(?<=[。！？])/u;
/** What begins anew: an item, a row of a table, a heading, a quotation, a fence. */
const BEGINS = /^\s*(?:[-*+]\s|\d{1,3}[.)]\s|\||#|>|```|~~~|:\w|\.\. )/;

/**
 * A line as it is shown by itself: of one that begins a signature, all of that, as `f(a, b)` however it is written; of
 * wrapped prose, the sentence of which it has most.
 */
export function shownLine({ quote: { file, passage }, row }: DecisiveLine): string {
  const line = oneLine(file.lines[row] ?? '');
  if (file.role === 'docs' && (passage.kind === 'section' || passage.kind === 'rest'))
    return sentenceAt(file, row) ?? line;
  if (row !== passage.head || passage.file !== file) return line;
  const lines = file.lines.slice(row, signatureEnd(passage) + 1);
  if (!lines.every(isQuotable)) return line;
  return lines
    .map(oneLine)
    .join(' ')
    .replace(/([([<]) /g, '$1')
    .replace(/,? ([)\]>])(?=[^=]|$)/g, '$1');
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
  const from = shown.slice(0, row - start).reduce((sum, text) => sum + text.length + 1, 0);
  const to = from + (shown[row - start] ?? '').length;
  let [best, most, at] = ['', 0, 0];
  for (const sentence of shown.join(' ').split(END)) {
    const share = Math.min(to, at + sentence.length) - Math.max(from, at);
    if (share > most) [best, most] = [sentence, share];
    at += sentence.length + 1;
  }
  // What goes on beyond the lines that were looked at is no whole sentence.
  const isCut = (isFirst: boolean): boolean => shown.join(' ')[isFirst ? 'startsWith' : 'endsWith'](best);
  const goesOn =
    (isCut(true) && row - start === MOST_OF_SENTENCE && !isApart(start - 1)) ||
    (isCut(false) && end - row === MOST_OF_SENTENCE && !isApart(end + 1) && !begins(end + 1));
  return best === '' || goesOn ? undefined : best;
}
