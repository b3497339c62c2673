import { oneLine } from '../../core/text/text.ts';
import { scanInline } from './inline-markdown.ts';
import type { Block } from './markdown-blocks.ts';

/** The target of a link in a foreign text, for the report; undefined for one that becomes plain text. */
export type LinkRule = (target: string) => string | undefined;

const NO_LINKS: LinkRule = () => undefined;
/** The highest heading in a foreign text; higher ones are the report's own. */
const HIGHEST_HEADING = 3;
/** List marks, quote marks and indentation before a line's words. */
const CONTAINERS = /^(?:[ \t]{0,12}(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t]))){0,8}[ \t]{0,12}/;
/** A table's line between its head and its body. */
const TABLE_RULE = /^(?=[-: ]*\|)[-:| ]+$/;
/** Of a code span, in backticks: nobody writes more. */
const LONGEST_MARK = 3;
const INVISIBLE = /[[\p{Cc}--[\t\n]]\p{Bidi_Control}\u200b\u2060-\u2069\ufeff]+/gv;

/** A foreign text without control characters and bidirectional marks; lines stay lines. */
export function visibleText(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(INVISIBLE, ' ');
}

/** A title or a summary as one line of Markdown without markup, except for complete code spans. */
export function plainLine(text: string, longest: number): string {
  const line = wholeWords(oneLine(text, longest));
  let out = '';
  let at = 0;
  for (const { start, end, text: span } of codeSpansIn(line)) {
    out += escapeAll(line.slice(at, start)) + codeSpan(span.trim() || '`');
    at = end;
  }
  return (out + escapeAll(line.slice(at))).replace(/^[-+=>#]|^\d{1,9}(?=[.)])/, (mark) =>
    /\d/.test(mark) ? `${mark}\\` : `\\${mark}`,
  );
}

/** A line that was cut ends after a word, where it has spaces. */
function wholeWords(line: string): string {
  const end = line.endsWith('…') ? line.lastIndexOf(' ') : -1;
  return end > line.length / 2 ? `${line.slice(0, end).replace(/[\s,;:(–—-]+$/, '')}…` : line;
}

/** Each from a run of backticks to the next of the same length, so that other runs may be in it. */
function codeSpansIn(line: string): { readonly start: number; readonly end: number; readonly text: string }[] {
  const runs = [...line.matchAll(/`+/g)].map(({ 0: { length }, index }) => ({ start: index, end: index + length }));
  const spans: { start: number; end: number; text: string }[] = [];
  for (let at = 0; at < runs.length; at++) {
    const open = runs[at] as (typeof runs)[number];
    const length = open.end - open.start;
    const next = length > LONGEST_MARK ? -1 : runs.findIndex(({ start, end }, i) => i > at && end - start === length);
    const close = runs[next];
    if (!close) continue;
    spans.push({ start: open.start, end: close.end, text: line.slice(open.end, close.start) });
    at = next;
  }
  return spans;
}

function escapeAll(text: string): string {
  const plain = text
    .replace(/[\\`*[\]~$]/g, '\\$&')
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_') // not markup inside a word: names stay readable
    .replaceAll('<', '&lt;')
    .replace(/&(?=#?\w{1,40};)(?!lt;)/g, '&amp;');
  return withoutAddresses(plain, NO_LINKS);
}

/** A self-contained block of a foreign text: no HTML, no references, no open fence, no images. */
export function safeBlock(block: Block, link: LinkRule): string {
  if (block.kind === 'fence') return fenced(block.lines, block.language);
  if (block.kind === 'text') return block.lines.map((line) => safeLine(line, link)).join('\n');
  const level = Math.min(6, block.level + HIGHEST_HEADING - 1);
  return `${'#'.repeat(level)} ${safeInline(block.text, link)}`;
}

function safeLine(line: string, link: LinkRule): string {
  if (TABLE_RULE.test(line)) return line.trim();
  const containers = CONTAINERS.exec(line)?.[0] ?? '';
  const words = line.slice(containers.length).trimStart();
  // The rest could begin with one more container, or a heading inside of one.
  return containers.replaceAll('\t', '    ') + safeInline(words, link).replace(/^(?=[#>+=-])/, '\\');
}

/** One line of a foreign text with its emphasis, its code spans, and the links that the rule allows. */
export function safeInline(line: string, link: LinkRule): string {
  const pieces = scanInline(line).map((piece) => {
    if (piece.kind === 'escape') return piece.text === '\\<' ? '&lt;' : piece.text;
    if (piece.kind === 'text') return withoutAddresses(escapeMarkup(piece.text), link);
    // A bar ends a table's cell, and with it a code span.
    if (piece.kind === 'code') return piece.text.includes('|') ? escapeAll(piece.text) : codeSpan(piece.text);
    const address = piece.image ? undefined : link(piece.target);
    const label = safeInline(piece.label, NO_LINKS).trim();
    if (address === undefined) return label;
    return `[${label === '' ? plainLine(piece.target, 100) : label}](${address})`;
  });
  return pieces.join('');
}

/** Escapes what could begin HTML, a link, a code span, a fence or a formula. */
function escapeMarkup(text: string): string {
  return text
    .replaceAll('<', '&lt;')
    .replace(/[[\]`]/g, '\\$&')
    .replace(/~{3,}|\${2,}/g, (run) => [...run].map((mark) => `\\${mark}`).join(''));
}

/** Disallowed addresses, written so that no Markdown parser turns them into links. */
function withoutAddresses(text: string, link: LinkRule): string {
  return text.replace(/(?:(?:https?|ftp):\/\/|www\.)[^\s]*/gi, (address) => {
    if (link(address.replace(/[.,;:!?)*_'"]{1,9}$/, '')) !== undefined) return address;
    return address.replaceAll('://', '\\://').replace(/www(?=\.)/gi, '$&\\');
  });
}

/** A line as code. */
function codeSpan(text: string): string {
  const mark = '`'.repeat(longestRun(text) + 1);
  const pad = text.startsWith('`') || text.endsWith('`') ? ' ' : '';
  return `${mark}${pad}${text}${pad}${mark}`;
}

/** Lines unchanged, in a fence longer than any run of backticks among them. */
export function fenced(lines: readonly string[], language: string): string {
  const mark = '`'.repeat(Math.max(3, longestRun(lines.join('\n')) + 1));
  return [`${mark}${language}`, ...lines, mark].join('\n');
}

function longestRun(text: string): number {
  let longest = 0;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return longest;
}
