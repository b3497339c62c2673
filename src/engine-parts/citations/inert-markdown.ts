import MarkdownIt from 'markdown-it';
import { blocksIn } from '../../core/citations/line-references.ts';
import { parseLeniently, writeDocument } from '../../core/text/document.ts';
import { matchAt } from '../report/safe-markdown.ts';

/** Markdown that may do something when a text is shown: HTML, images, links, and the addresses of references. */
const ACTIVE = /<[a-z!/?]|!\[|\][(:]/i;
const AUTOLINK = /<https?:\/\/[^\s<>]{1,2000}>/iy;
/** A label and the beginning of an address, in one line. Longer ones are left to the check of the result. */
const INLINE = /\[[^[\]\n]{0,300}\]\([ \t]{0,9}<?([^\s()<>]{0,2000})/y;
const REFERENCE = /\[[^[\]\n]{1,300}\]:[ \t]{0,9}<?([^\s<>]{1,2000})/y;

/** Some readers make links of bare addresses, which may swallow a backslash. */
let whole: readonly InstanceType<typeof MarkdownIt>[] | undefined;

/**
 * A model's document in which nothing is loaded or run when it is shown: remote images, HTML and links to anything but pages
 * and files are text, with their words as they were. Code stays as it is.
 */
export function inertDocument(document: string): string {
  if (!ACTIVE.test(document)) return document;
  const { data, body } = parseLeniently(document);
  const inert = inertMarkdown(body);
  if (inert === body) return document;
  return document.endsWith(body)
    ? document.slice(0, document.length - body.length) + inert
    : writeDocument(data, inert);
}

/** Makes Markdown without front matter inert. */
export function inertMarkdown(markdown: string): string {
  if (!ACTIVE.test(markdown)) return markdown;
  const code = linesOfCode(markdown);
  const careful = byLine(markdown, (line, at) => (code.has(at) ? line : escaped(line)));
  if (isInert(careful)) return careful;
  // Something goes over several lines, or only looks like code: then its marks are escaped wherever they are.
  const strict = byLine(markdown, (line, at) => (code.has(at) ? line : escapedEverywhere(line)));
  return isInert(strict) ? strict : byLine(markdown, escapedEverywhere);
}

/** Returns a text of `inertMarkdown` as it was before, for reading a model's words back. */
export function activeMarkdown(inert: string): string {
  const active = inert.replace(/&lt;(?=[a-z!/?])/gi, '<').replace(/\\(?=\[)|(?<=\])\\(?=[(:])/g, '');
  return active !== inert && inertMarkdown(active) === inert ? active : inert;
}

function byLine(text: string, change: (line: string, at: number) => string): string {
  return text.split('\n').map(change).join('\n');
}

/** Returns the numbers of the lines of fences and of indented code, from 0. */
function linesOfCode(markdown: string): Set<number> {
  const lines = new Set<number>();
  for (const { type, map } of blocksIn(markdown, true))
    if (map && (type === 'fence' || type === 'code_block')) for (let at = map[0]; at < map[1]; at++) lines.add(at);
  return lines;
}

/** One line with its active marks escaped, code spans left out. */
function escaped(line: string): string {
  let out = '';
  for (let at = 0; at < line.length; ) {
    const step = stepAt(line, at);
    out += step.text;
    at += step.length;
  }
  return out;
}

function stepAt(line: string, at: number): { text: string; length: number } {
  const character = line[at] as string;
  const as = (length: number): { text: string; length: number } => ({ text: line.slice(at, at + length), length });
  if (character === '\\') return as(2);
  if (character === '`') return as(codeSpanAt(line, at));
  if (character === '<') {
    const link = matchAt(AUTOLINK, line, at);
    if (link) return as(link[0].length);
    return /[a-z!/?]/i.test(line[at + 1] ?? '') ? { text: '&lt;', length: 1 } : as(1);
  }
  if (character === '!' && line[at + 1] === '[') {
    const target = matchAt(INLINE, line, at + 1)?.[1];
    return target !== undefined && isLocal(target) ? as(2) : { text: '!\\[', length: 2 };
  }
  if (character === '[') {
    const target = (matchAt(INLINE, line, at) ?? matchAt(REFERENCE, line, at))?.[1];
    return target !== undefined && !isLocal(target) && !isPage(target) ? { text: '\\[', length: 1 } : as(1);
  }
  return as(1);
}

/** Returns the length of a code span in one line, or of the backticks that begin none. */
function codeSpanAt(line: string, at: number): number {
  let ticks = 0;
  while (line[at + ticks] === '`') ticks++;
  for (let end = line.indexOf('`', at + ticks); end >= 0; ) {
    let run = 0;
    while (line[end + run] === '`') run++;
    if (run === ticks) return end + run - at;
    end = line.indexOf('`', end + run);
  }
  return ticks;
}

function escapedEverywhere(line: string): string {
  return line.replace(/<(?=[a-z!/?])|(?<=!)\[|(?<=\])[(:]/gi, (mark) => (mark === '<' ? '&lt;' : `\\${mark}`));
}

/** Tells whether the whole text, as Markdown with HTML reads it, holds nothing active. */
function isInert(markdown: string): boolean {
  whole ??= [false, true].map((linkify) => new MarkdownIt({ html: true, linkify }));
  const tokens = whole
    .flatMap((parser) => parser.parse(markdown, {}))
    .flatMap((token) => [token, ...(token.children ?? [])]);
  return tokens.every((token) => {
    if (token.type === 'html_block' || token.type === 'html_inline') return false;
    if (token.type === 'image') return isLocal(String(token.attrGet('src') ?? ''));
    const target = token.type === 'link_open' ? String(token.attrGet('href') ?? '') : '';
    return isLocal(target) || isPage(target);
  });
}

/** Tells whether an address has no host and no scheme, not even a disguised one. */
function isLocal(target: string): boolean {
  return !/^(?:[a-z][a-z\d+.-]{0,60}:|[\\/]{2})/i.test(target) && !/[\\&]/.test(target.split(/[/?#]/, 1)[0] ?? '');
}

function isPage(target: string): boolean {
  return /^(?:https?|mailto):/i.test(target);
}
