import type { Passage } from '../chunk/chunk-file.ts';
import { signatureEnd } from '../chunk/chunk-file.ts';
import { isQuotable } from '../files/read-source.ts';
import type { SourceFile } from '../files/source-file.ts';
import type { WorkspaceIndex } from '../index/workspace-index.ts';
import type { Lines } from './choose-lines.ts';
import type { Quote } from './plan-document.ts';
import type { Research } from './research.ts';

/** A line of a file, from 0. */
export interface DecisiveLine {
  readonly quote: Quote;
  readonly row: number;
}

/** The acts of a line, and how much more they tell than being one of many: a decision, an end, a limit, a change. */
const DOES: readonly (readonly [RegExp, number])[] = [
  [/^\s*(?:\}?\s*else\s+)?(?:if|elif|unless|case|match|when|guard|while|assert)\b|\?\?|\s\?\s.{1,200}\s:\s/, 1],
  [/\b(?:throw|raise|reject|panic!?|Err|break|continue|yield)\b|\breturn\s+\S{1,99}\s*[(<>=&|?+*/-]/, 0.5],
  [/[<>]=?\s|\b(?:max|min|limit|most|least|timeout)/i, 1],
  [/^(?!\s*for\b).*(?:[\w\])]\s*(?:[-+*/|&?]{1,2})?=(?![=>])|:=)/, 0.6],
];
const ENDLESS: ReadonlySet<string> = new Set('for loop whiletrue whileTrue while1'.split(' '));
/** Brackets, `else`, attributes, directives, and what only brings in other files. */
const SAYS_NOTHING =
  /^[\s\W]*$|^\s*['"]use \w+['"];?\s*$|^\s*(?:[\w.]+\s+)?"[\w./-]+"\s*$|^\s*@\w|^\s*#!?\[|^#!|^\s*#\s{0,4}(?:ifn?def|else|endif|undef|pragma)\b|^\s*where\s*$|^\s*(?:[)\]}]*\s*(?:else|try|finally|do|end|then|begin|pass|return|break)\b[\s\W]*$)|^\s*[\w.]+,?\s*$|^\s*\}?\)\s*(?::|->|=>)[^=]*\{\s*$|^\s*>\s*(?:extends|implements|=|\()|^\s*[)}\]]+[.\w]*\([{[(]?\s*$|^\s*(?:if|while|return)?\s*\($|^\s*(?:```|~~~)|^\s*(?:import|from|use|using|package|require|#include|export \*)\b|\brequire\(\s*["']/;
/** A comment in most languages that we do not know. */
const LIKE_COMMENT = /^\s*(?:#(?!\w)|\/\/|\/\*|\*\s|--\s|;|%\s|"\s)/;
/** Headings, fences and the rows between a table's: of prose, what says nothing by itself. */
const NO_PROSE = /^\s{0,20}(?:#{1,6}\s|[=~-]{3}|```|~~~|\|[\s|:-]{0,300}$)/;
/** The line of a name says what a thing is, and so do those of its signature; the lines below say what it does. */
const FIELD = 0.3;
const HEAD = { class: 0.4, other: 0.15 };
/** The weights of its own words, and of those around it: a thing is said over several lines. */
const WORDS = { own: 0.3, around: 1.4 };

/**
 * The one line of some quotations that tells most about a question: with its rarest words, and one that decides, ends or
 * changes something rather than a comment, a bracket or an import. Undefined if there is no such line.
 * @param subject what the quotations are about
 */
export function decisiveLine(
  quotes: readonly Quote[],
  subject: Passage | undefined,
  question: Research,
  index: WorkspaceIndex,
): DecisiveLine | undefined {
  let best: (DecisiveLine & { readonly worth: number; readonly isSubject: boolean }) | undefined;
  for (const quote of quotes) {
    const said = docstringRows(quote);
    for (let row = quote.start; row <= quote.end; row++) {
      if (said.has(row)) continue;
      const isSubject = subject === undefined || isWithin(subject, quote, row);
      const worth = worthOf(quote, row, question, index);
      // A reader has to know first what a line is in: one elsewhere tells only where nothing of the subject does.
      const isBetter = best && isSubject !== best.isSubject ? isSubject : worth > (best?.worth ?? 0);
      if (worth > 0 && isBetter) best = { quote, row, worth, isSubject };
    }
  }
  return best && { quote: best.quote, row: best.row };
}

/** Tells whether a line of a quotation is in a passage. */
export function isWithin(passage: Passage, { file }: Quote, row: number): boolean {
  return file === passage.file && row >= passage.start && row <= passage.end;
}

function worthOf({ file, passage }: Quote, row: number, question: Research, index: WorkspaceIndex): number {
  const line = file.lines[row] ?? '';
  if (passage.kind === 'section' && NO_PROSE.test(line)) return 0;
  if (saysNothing(file, row, index)) return 0;
  // The parts of a signature tell less than the whole, which is what is shown of its first line.
  const hasSignature = passage.file === file && passage.kind !== 'constant';
  if (hasSignature && row !== passage.head && row <= signatureEnd(passage)) return 0;
  const does = DOES.reduce((sum, [pattern, worth]) => sum + (pattern.test(line) ? worth : 0), 0);
  // Of a class, a field that has a word of the question says less than its name.
  const said = WORDS.own * question.lines.of(file, row) + WORDS.around * question.values.of(file, row);
  const words = said * (passage.kind === 'class' && row !== passage.head && does === 0 ? FIELD : 1);
  return row === passage.head
    ? HEAD[passage.kind === 'class' ? 'class' : 'other'] * words
    : words * (1 + does) + does / 2;
}

/** Returns the first row of some lines that says something; the first of all where none does. */
export function firstTelling({ file, start, end }: Lines, index: WorkspaceIndex): number {
  let row = start;
  while (row < end && saysNothing(file, row, index)) row++;
  return saysNothing(file, row, index) ? start : row;
}

/** Tells whether a line tells a reader nothing: a comment, a bracket, an import. */
export function saysNothing(file: SourceFile, row: number, index: WorkspaceIndex): boolean {
  const line = file.lines[row] ?? '';
  const isUnknown = file.role === 'source' && file.language === undefined;
  const isComment = isUnknown ? LIKE_COMMENT.test(line) : index.isComment(file, row);
  return isComment || !isQuotable(line) || SAYS_NOTHING.test(line) || isEndless(line);
}

/** Tells whether a line begins a loop without a condition. */
function isEndless(line: string): boolean {
  return ENDLESS.has(line.replaceAll(/[\s(){};:]/g, ''));
}

/** Returns the rows of Python's docstrings: no comments to its grammar. */
function docstringRows({ passage: { file, start, end } }: Quote): ReadonlySet<number> {
  const rows = new Set<number>();
  if (file.language?.grammar !== 'python') return rows;
  let open = '';
  for (let row = start; row <= end; row++) {
    const line = file.lines[row] ?? '';
    const mark = /^\s*[rbu]{0,2}("""|''')/i.exec(line)?.[1] ?? '';
    if (open !== '' || mark !== '') rows.add(row);
    if (open !== '') open = line.includes(open) ? '' : open;
    else if (mark !== '' && line.indexOf(mark) === line.lastIndexOf(mark)) open = mark;
  }
  return rows;
}
