import type { Passage } from '../chunk/chunk-file.ts';
import { oneLine, shorten } from '../chunk/markdown.ts';
import { isQuotable } from '../files/read-source.ts';
import type { SourceFile } from '../files/source-file.ts';
import type { WorkspaceIndex } from '../index/workspace-index.ts';

const MAX_LENGTH = 160;
const MOST_LINES = 40;
/** A comment is read from its beginning, which may be so many lines above its end. */
const LONGEST_COMMENT = 400;
const MOST_COLUMNS = 1000;

/**
 * Returns what the author says about a passage: the first sentence of the comment on a symbol, or of a section. May be
 * empty; without backticks, so that it can appear next to code.
 */
export function firstSentence(passage: Passage, index: WorkspaceIndex): string {
  if (passage.kind === 'section') return descriptionIn(linesFrom(passage, passage.start + 1, passage.end + 1), true);
  const isComment = (row: number): boolean => index.isComment(passage.file, row);
  const isBare = passage.kind === 'rest' && passage.head === passage.start;
  // Long comments are cut: what goes on with one begins in the middle of a sentence.
  if (isBare && passage.start > 0 && isComment(passage.start - 1)) return '';
  const head = isBare ? firstCode(passage, isComment) : passage.head;
  // Lines of code part one comment from the next: a licence from the description of the code.
  const own = linesFrom(passage, passage.start, head).map((line, at) => (isComment(passage.start + at) ? line : ''));
  const said =
    descriptionIn(own, false) || descriptionIn(docstring(isBare ? { ...passage, head: head - 1 } : passage), false);
  if (isBare) return said;
  return (
    said ||
    descriptionIn(aboveAttributes(passage, isComment), false) ||
    descriptionIn(aboveGap(passage, isComment), false)
  );
}

/** Returns what the comment directly above a line says of it; empty if there is none. */
export function sentenceAbove(file: SourceFile, row: number, index: WorkspaceIndex): string {
  let top = row;
  while (top > 0 && row - top <= MOST_LINES && index.isComment(file, top - 1)) top--;
  return row - top > MOST_LINES ? '' : descriptionIn(file.lines.slice(top, row), false);
}

/** Returns where lines that have no name begin to be more than a comment. */
function firstCode({ file, start, end }: Passage, isComment: (row: number) => boolean): number {
  let row = start;
  while (row < end && (isComment(row) || (file.lines[row] ?? '').trim() === '' || PREAMBLE.test(file.lines[row] ?? '')))
    row++;
  return row;
}

function descriptionIn(lines: readonly string[], isProse: boolean): string {
  for (const paragraph of paragraphsIn(lines, isProse)) {
    const [first = ''] = paragraph;
    // A tag such as @param ends the general description.
    if (isTag(first)) return '';
    const text = paragraph.join(' ');
    const sentence = LEGAL.test(text) || LEADS_ON.test(text) ? '' : sentenceIn(text);
    // A single word, or two of prose, are a label.
    if (sentence !== '' && !(isProse ? WORD_OR_TWO : ONE_WORD).test(sentence)) return sentence;
  }
  return '';
}

/** An item of a list, in prose and in a comment, where a star is the comment's own mark. */
const ITEM = /^\s*(?:[-*+]|\d{1,3}[.)])\s+(?=\S)/;
const ITEM_IN_COMMENT = /^\s*(?:\/\*+|\*|\/\/+!?|#+|--)?\s+(?:[-•+]|\d{1,3}[.)])\s+\S/;
const FENCE = /^\s*(?:[/*#]{0,3}\s*)?(?:```|~~~)/;

/** A single sentence that says nothing without the list which it leads to. */
const LEADS_ON =
  /^[^.!?]{0,300}\b(?:an?|the|of|has|have|is|are|include[sd]?|contains?|following|by|with|to|as|for|example)\s*:$/i;
const WORD_OR_TWO = /^[!-~]+(?: [!-~]+)?$/;
const ONE_WORD = /^[!-~]+$/;
/** Some write headings in comments, above what they say: the signature, the parameters. */
const HEADING_IN_COMMENT = /^\s*(?:\/\*+|\*|\/\/+!?)\s*#{1,6}\s|^=[a-z]/;

/** Labels that some write in front of each part of a comment. */
const LABEL = /^(?:Summary|Description|Synopsis|Purpose)\s{0,2}:\s{1,4}(?=\S)/;

/**
 * The paragraphs of a text: words without marks, and without lines that are meant for tools. In prose the items of lists
 * are paragraphs; in a comment they only go on with what stands above them.
 */
function paragraphsIn(lines: readonly string[], isProse: boolean): string[][] {
  const paragraphs: string[][] = [];
  let open: string[] = [];
  let [isCode, isItem] = [false, false];
  const close = (): void => {
    if (open.length > 0 && !isItem) paragraphs.push(asSentences(open));
    [open, isItem] = [[], false];
  };
  for (const whole of lines) {
    const line = whole.slice(0, MOST_COLUMNS);
    const isFence = FENCE.test(line);
    if (isFence) isCode = !isCode;
    // Prose that is indented below an empty line is code.
    const isIndented = isProse && open.length === 0 && /^(?: {4}|\t)/.test(line);
    const isHeading = isProse ? isDecoration(line) : HEADING_IN_COMMENT.test(line);
    if (isFence || isCode || isIndented || isHeading) {
      close();
      continue;
    }
    const labelled = isUnderline(line) ? '' : wordsOf(isProse ? line.replace(ITEM, '') : line);
    const words = labelled.replace(LABEL, '');
    if (words !== labelled) close();
    const begins = (isProse ? ITEM : ITEM_IN_COMMENT).test(line);
    if (words === '' || isTag(words) || begins) close();
    if (begins) isItem = !isProse;
    if (words !== '' && !isDirective(words)) open.push(words);
  }
  close();
  return paragraphs;
}

/**
 * The lines of a paragraph, with an end where a new one begins though its first word had room in the line before: who
 * breaks a line there begins a new sentence, whatever the first one ends in.
 */
function asSentences(lines: readonly string[]): string[] {
  const longest = Math.max(...lines.map(({ length }) => length));
  return lines.map((line, at) => {
    const next = lines[at + 1] ?? '';
    const word = next.split(' ')[0] ?? '';
    const isNew = /^\p{Lu}\p{Ll}*$/u.test(word) && line.length + 1 + word.length <= longest;
    return isNew && /[\p{L}\p{N})]$/u.test(line) ? `${line}.` : line;
  });
}

/** Returns the first sentence of a text, whole where it is short; empty if it says nothing. */
export function sentenceIn(text: string): string {
  const [sentence = ''] = oneLine(text.replace(/<?\bhttps?:[^\s<>]+>?/g, '')).split(
    /(?<=[.!?。！？])(?<!\b(?:e\.g|i\.e|etc|vs|cf|resp|approx|Mr|Dr|St)\.)\s+(?=[\p{Lu}\p{Lo}`"'(])|(?<=[。！？])/u,
  );
  if (!/\p{L}{2}|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(sentence)) return '';
  return shorten(sentence.replaceAll('`', '').replace(/[.:;,。]{1,9}$/, ''), MAX_LENGTH);
}

function linesFrom({ file }: Passage, from: number, to: number): string[] {
  const lines = file.lines.slice(from, Math.min(to, from + MOST_LINES));
  const bad = lines.findIndex((line) => !isQuotable(line));
  return bad < 0 ? lines : lines.slice(0, bad);
}

/** Attributes and decorators stand between a symbol and its comment. */
function aboveAttributes({ file, start }: Passage, isComment: (row: number) => boolean): string[] {
  let below = start;
  while (below > 0 && /^\s*(?:#!?\[|@\w)/.test(file.lines[below - 1] ?? '')) below--;
  let top = below;
  while (below < start && top > 0 && below - top < LONGEST_COMMENT && isComment(top - 1)) top--;
  return file.lines.slice(top, Math.min(below, top + MOST_LINES));
}

/**
 * A comment of documentation above a single empty line: some put one between a comment and its symbol. At the top of a file
 * it is about the file, unless it has tags that only a symbol's has.
 */
function aboveGap({ file, start }: Passage, isComment: (row: number) => boolean): string[] {
  const last = start - 2;
  if (last < 0 || (file.lines[start - 1] ?? '').trim() !== '' || !/\*\/\s*$/.test(file.lines[last] ?? '')) return [];
  let top = last;
  while (top > 0 && last - top < MOST_LINES && isComment(top) && !/^\s*\/\*/.test(file.lines[top] ?? '')) top--;
  if (!isComment(top) || !/^\s*\/\*\*/.test(file.lines[top] ?? '')) return [];
  const lines = file.lines.slice(top, last + 1);
  const isFirst = file.lines
    .slice(0, top)
    .every((line, row) => line.trim() === '' || isComment(row) || PREAMBLE.test(line));
  return isFirst && !lines.some((line) => /@(?:param|returns?|throws|private|public|api|type)\b/.test(line))
    ? []
    : lines;
}

/** Lines that stand above a file's own comment. */
const PREAMBLE = /^\s*['"]use \w{1,20}['"]|^#!/;

/** Texts for lawyers, however many lines they have. */
const LEGAL =
  /SPDX-|^this file is part of\b|\bfree software[;:,]|\bcopyright\s?(?:\(c\)|©|\d{4}|holder|notice)|\bMIT licen[sc]ed\b|^\(c\) |©|\blicen[sc]ed under|permission is hereby granted|without warrant|"as is"|all rights reserved|redistribution and use|use of this source code is governed|^(?:the )?mit licen[sc]e|apache licen[sc]e|\bgnu (?:lesser |affero )?general public/i;

/** Badges, pictures and lines of nothing but links, at the beginning of a document. */
function isDecoration(line: string): boolean {
  if (/^\s*(?:!?\[!\[|!\[|<(?:p|div|img|a|h\d|br|center|picture)\b|\||\.\. )/i.test(line)) return true;
  const left = line.replace(/!?\[[^\]]{0,200}\](?:\([^)]{0,500}\)|\[[^\]]{0,200}\]|:\s\S+)?/g, '');
  return left !== line && !/[\p{L}\p{N}]/u.test(left);
}

/** The tags of the documentation of several languages, around words that stay. */
const MARKUP =
  /<\/?(?:summary|remarks|para(?:mref)?|returns|value|c|code|see(?:also)?|inheritdoc|p|br|b|i|em|strong|tt|pre|a|ul|ol|li|span|div|img|h[1-6])(?:\s[^<>]{0,200})?\/?>/gi;

/** A tag behind a sentence of a comment in one line, and what it says. */
const TAG_IN_LINE = /\s@(?:params?|returns?|throws|raises|type|see|example|since|deprecated)\b/;

/** Returns a comment's line without comment marks and the markup of documentation. */
function wordsOf(line: string): string {
  const [said = ''] = line.split(TAG_IN_LINE);
  return said
    .trim()
    .replace(/(\*\*|__|(?<![\w*])\*(?!\*))(?=\S)([^*_]{1,200})(?<=\S)\1/g, '$2')
    .replace(/(?<![\w+])\+([\w.:?!=]{1,80})\+(?![\w+])/g, '$1')
    .replace(/^(?:\/\*+!?|\/\/[/!]?|\*+\/|\*+|#+(?!!)|--+|<!--|;+|<#|[rbu]{0,2}"""|[rbu]{0,2}''')\s*/i, '')
    .replace(/(?:(?<!\*)\*+\/|-->|#>|"""|''')\s*$/, '')
    .replace(/^[@\\](?:summary|description|desc|brief|short|fileoverview|file)\b\s*/, '')
    .replace(MARKUP, '')
    .replace(/\b[BCEFILSX]<([^<>]{1,200})>/g, '$1')
    .replace(/\{@(?:link|linkcode|linkplain|code|literal|see)\s{1,9}([^}\s|]{1,200})(?:[\s|][^{}]{0,200})?\}/g, '$1')
    .replace(/:(?:\w{1,20}:){1,2}`~?([^`]{1,200})`/g, '$1')
    .replace(/!?\[([^[\]]{1,200})\](?:\([^()\s]{0,300}\)|\[[^[\]]{0,200}\])/g, '$1')
    .replace(/\[(`[^`[\]]{1,200}`)\]/g, '$1')
    .trim();
}

/** `@param`, `:param x:`, `Args:`, `Parameters`, `# Examples`: where a description ends. */
function isTag(words: string): boolean {
  return /^@!?\p{L}|^\\\p{L}|^:\w+(?:\s[^:]{1,80})?:|^(?:Args|Arguments|Returns?|Raises|Yields|Parameters|Params|Examples?|Attributes|Usage|Notes?|Errors|Panics|Safety|See [Aa]lso)\s*:?$/u.test(
    words,
  );
}

/** A heading's line of signs. */
function isUnderline(line: string): boolean {
  return /^\s*[*/#\s]*([-=~_*/#])\1{3,}\s*$/.test(line);
}

/** Comments that are meant for a tool: they say nothing about the code below them. */
const DIRECTIVES: readonly RegExp[] = [
  /^!|^['"]use (?:strict|client|server|asm)['"]/,
  /^@(?:ts-|flow|jsx|license|preserve|internal|private|public|protected|deprecated|generated)/,
  /^(?:eslint|biome|oxlint|tslint|prettier|jshint|jslint|standard|xo|stylelint|deno-lint|deno-fmt|dprint|rome|cspell|spell-?checker|istanbul|c8|v8|node:coverage|webpack\w*|vite|rollup|sourcemappingurl|globals?|exported)\b[-: ]?/i,
  /^(?:type|noqa|pylint|mypy|pyright|flake8|isort|fmt|yapf|ruff|nosec|pragma|nolint|rubocop|shellcheck|phpcs|codingstandardsignore|swiftlint|detekt|checkstyle|clang-format|nolint\w*)\s*:/i,
  /^(?:noqa|pragma|nosec|nolint|NOLINT\w*|ignore|region|endregion|#region|#endregion)\b/,
  /^(?:go:\w+|\+build|line \w+\.go|export \w+$)/,
  /^-\*-|^(?:vim?|ex|Local Variables|coding|encoding|frozen_string_literal|warn_indent|shareable_constant_value)\s*[:=]/i,
  /^(?:TODO|FIXME|XXX|HACK|NOTE|WARNING)\b/,
  /^<(?:reference|amd-module|amd-dependency)\b/,
  /^#!?\[/,
];

function isDirective(words: string): boolean {
  return DIRECTIVES.some((pattern) => pattern.test(words));
}

/** Python puts the description of a function inside it. */
function docstring({ file, head, end }: Passage): string[] {
  for (let row = head + 1; row <= Math.min(head + 6, end); row++) {
    // A method has its own.
    if (/^\s*(?:@\w|(?:async\s+)?def\b|class\b)/.test(file.lines[row] ?? '')) return [];
    const mark = /^\s*[rbu]{0,2}("""|''')/i.exec(file.lines[row] ?? '')?.[1];
    if (mark === undefined) continue;
    const lines = file.lines.slice(row, Math.min(end + 1, row + MOST_LINES));
    const first = lines[0]?.slice((lines[0]?.indexOf(mark) ?? 0) + 3) ?? '';
    const last = [first, ...lines.slice(1)].findIndex((line) => line.includes(mark));
    const whole = [first, ...lines.slice(1)].slice(0, last < 0 ? undefined : last + 1);
    return whole.map((line) => line.split(mark)[0] ?? '');
  }
  return [];
}
