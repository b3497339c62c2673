import { codeSpan, fenced, oneLine } from '../../core/text/text.ts';
import type { TreeNode } from '../../core/tree/tree.ts';

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

/** Returns a foreign text without control characters and bidirectional marks; lines stay lines. */
export function visibleText(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(INVISIBLE, ' ');
}

/** Returns a title or a summary as one line of Markdown without markup, except for complete code spans. */
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

/** Returns a self-contained block of a foreign text: no HTML, no references, no open fence, no images. */
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

/** Returns one line of a foreign text with its emphasis, its code spans, and the links that the rule allows. */
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

/** A piece of one line of Markdown. `text` is unchanged; a link's `label` is not parsed any further. */
export type Inline =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'escape'; readonly text: string }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'link'; readonly label: string; readonly target: string; readonly image: boolean };

interface Open {
  /** The index of its bracket among the pieces, and where its label begins in the line. */
  readonly piece: number;
  readonly label: number;
  readonly image: boolean;
}

/** `(target "title")` after a label. Bounded, so that no line can make it slow. */
const DESTINATION =
  /\(\s{0,9}(?:<([^<>\n]{0,1000})>|((?:[^\s()<>\\]|\\.|\((?:[^\s()\\]|\\.){0,100}\)){0,1000}))(?:\s{1,9}(?:"[^"\n]{0,300}"|'[^'\n]{0,300}'))?\s{0,9}\)/y;
const ADDRESS = /<(https?:\/\/[^\s<>]{1,1000})>/iy;

/**
 * Parses one line of Markdown: code spans, escapes, links, images, addresses in angle brackets, and text. Anything that
 * spans several lines is text here. Takes linear time.
 */
export function scanInline(line: string): Inline[] {
  const pieces: Inline[] = [];
  const opens: Open[] = [];
  const ticks = tickRuns(line);
  const addText = (text: string): void => {
    const last = pieces.at(-1);
    if (last?.kind === 'text' && last.text !== '[' && last.text !== '![')
      pieces[pieces.length - 1] = { kind: 'text', text: last.text + text };
    else pieces.push({ kind: 'text', text });
  };
  for (let at = 0; at < line.length; ) {
    const character = line[at] as string;
    if (character === '\\' && /[!-/:-@[-`{-~]/.test(line[at + 1] ?? '')) {
      pieces.push({ kind: 'escape', text: line.slice(at, at + 2) });
      at += 2;
    } else if (character === '`') {
      const length = ticks.lengthAt(at);
      const end = ticks.next(at + length, length);
      if (end === undefined) addText('`'.repeat(length));
      else pieces.push({ kind: 'code', text: codeIn(line.slice(at + length, end)) });
      at = end === undefined ? at + length : end + length;
    } else if (character === '[' || (character === '!' && line[at + 1] === '[')) {
      const image = character === '!';
      const mark = image ? '![' : '[';
      at += mark.length;
      opens.push({ piece: pieces.length, label: at, image });
      pieces.push({ kind: 'text', text: mark });
    } else if (character === ']') {
      const open = opens.pop();
      const target = open && matchAt(DESTINATION, line, at + 1);
      if (open && target) {
        pieces.length = open.piece;
        const label = line.slice(open.label, at);
        pieces.push({ kind: 'link', label, target: unescaped(target[1] ?? target[2] ?? ''), image: open.image });
      } else addText(']');
      at += 1 + (target ? target[0].length : 0);
    } else {
      const address = character === '<' ? matchAt(ADDRESS, line, at) : undefined;
      if (address) pieces.push({ kind: 'link', label: address[1] ?? '', target: address[1] ?? '', image: false });
      else addText(character);
      at += address ? address[0].length : 1;
    }
  }
  return pieces;
}

/** Returns the matchAt of a sticky pattern at a place in a line. */
export function matchAt(pattern: RegExp, line: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  return pattern.exec(line) ?? undefined;
}

/** Returns the positions of runs of backticks; examines each of them only once. */
function tickRuns(line: string): {
  lengthAt: (at: number) => number;
  next: (from: number, length: number) => number | undefined;
} {
  const byLength = new Map<number, number[]>();
  const lengths = new Map<number, number>();
  for (const { 0: run, index } of line.matchAll(/`+/g)) {
    lengths.set(index, run.length);
    const places = byLength.get(run.length);
    if (places) places.push(index);
    else byLength.set(run.length, [index]);
  }
  const passed = new Map<number, number>();
  const next = (from: number, length: number): number | undefined => {
    const places = byLength.get(length) ?? [];
    let place = passed.get(length) ?? 0;
    while (place < places.length && (places[place] as number) < from) place++;
    passed.set(length, place);
    return places[place];
  };
  // After a backslash, a run is one shorter than in the line.
  const lengthAt = (at: number): number =>
    lengths.get(at) ?? (/^`+/.exec(line.slice(at, at + 1000))?.[0] ?? '`').length;
  return { lengthAt, next };
}

function codeIn(text: string): string {
  return text.startsWith(' ') && text.endsWith(' ') && text.trim() !== '' ? text.slice(1, -1) : text;
}

function unescaped(target: string): string {
  return target
    .replace(/\\([!-/:-@[-`{-~])/g, '$1')
    .replaceAll('&amp;', '&')
    .trim();
}

/** A complete block of Markdown: a heading, fenced code, or lines without an empty one among them. */
export type Block =
  | { readonly kind: 'heading'; readonly level: number; readonly text: string }
  | { readonly kind: 'fence'; readonly language: string; readonly lines: readonly string[] }
  | { readonly kind: 'text'; readonly lines: readonly string[] };

const FENCE = /^\s*(?:(`{3,})([^`]*)|(~{3,})(?!~)(.*))$/;
const HEADING = /^ {0,3}(#{1,6})(?:[ \t]+(.*))?$/;
/** A line under a heading, between sections, or around front matter. */
const RULE = /^[\s>]*(?:=+|-+|(?:[-_*]\s*){3,})$/;

/** Splits a Markdown text into blocks. A fence that is never closed ends with the text. */
export function blocksOf(markdown: string): Block[] {
  const blocks: Block[] = [];
  const lines = markdown.split(/\r\n|\r|\n/);
  let text: string[] = [];
  const endText = (): void => {
    if (text.length > 0) blocks.push({ kind: 'text', lines: text });
    text = [];
  };
  for (let at = 0; at < lines.length; at++) {
    const line = (lines[at] as string).trimEnd();
    const fence = FENCE.exec(line);
    const heading = HEADING.exec(line);
    if (fence || heading || line === '') endText();
    if (fence) {
      const inside = linesInFence(lines, at + 1, fence[1] ?? fence[3] ?? '');
      blocks.push({ kind: 'fence', language: languageOf(fence[2] ?? fence[4] ?? ''), lines: inside });
      at += inside.length + 1;
    } else if (heading) {
      const said = (heading[2] ?? '').replace(/(?:^|[ \t])#{1,20}$/, '').trim();
      if (said !== '') blocks.push({ kind: 'heading', level: (heading[1] as string).length, text: said });
    } else if (line !== '' && !RULE.test(line.slice(0, 500))) text.push(line);
  }
  endText();
  return blocks;
}

function linesInFence(lines: readonly string[], from: number, mark: string): string[] {
  const inside: string[] = [];
  for (let at = from; at < lines.length; at++) {
    const line = (lines[at] as string).trim();
    if (line.length >= mark.length && line === (mark[0] as string).repeat(line.length)) break;
    inside.push((lines[at] as string).trimEnd());
  }
  return inside;
}

function languageOf(info: string): string {
  return /^[\w+#-]{1,30}/.exec(info.trim())?.[0] ?? '';
}

/** The maximum length of a passage in the report, in characters and lines. */
const LONGEST = 1400;
const LINES = 24;
/** Code that would be cut shorter than this is left out. */
const FEWEST_LINES_OF_CODE = 4;

/**
 * The key passage of a document: its first blocks, complete, within the limits of a short passage. Long code is cut after
 * its first lines; headings become bold lines.
 * @param more the text below code of which so many lines are left out
 */
export function keyPassage(blocks: readonly Block[], link: LinkRule, more: (lines: number) => string): string {
  const out: string[] = [];
  let heading = '';
  let [characters, lines] = [0, 0];
  for (const block of blocks) {
    if (block.kind === 'heading') {
      if (block.level > 1) heading = `**${safeInline(block.text, () => undefined).replaceAll('*', '\\*')}**`;
      continue;
    }
    if (block.kind === 'text' && !/[\p{L}\p{N}]/u.test(block.lines.join(''))) continue;
    const text = block.kind === 'fence' ? shortFence(block, LINES - lines, more) : safeBlock(shortText(block), link);
    const added = { characters: text.length, lines: text.split('\n').length + (heading === '' ? 1 : 3) };
    // Code after the line that names it stays with it, cut to the remaining lines.
    const fits =
      block.kind === 'fence' || (characters + added.characters <= LONGEST && lines + added.lines <= LINES / 2);
    if (text === '' || (!fits && out.length > 0)) break;
    if (heading !== '') out.push(heading);
    heading = '';
    out.push(text);
    characters += added.characters;
    lines += added.lines;
  }
  return out.join('\n\n');
}

function shortFence(block: Block & { kind: 'fence' }, room: number, more: (lines: number) => string): string {
  if (room < Math.min(block.lines.length, FEWEST_LINES_OF_CODE)) return '';
  const shown = block.lines.slice(0, room).map((line) => (line.length > 300 ? `${line.slice(0, 299)}…` : line));
  const left = block.lines.length - shown.length;
  return fenced(shown, block.language) + (left > 0 ? `\n\n${more(left)}` : '');
}

function shortText(block: Block & { kind: 'text' }): Block & { kind: 'text' } {
  const kept: string[] = [];
  let room = LONGEST;
  for (const line of block.lines.slice(0, LINES - 2)) {
    if (line.length > room) {
      if (kept.length === 0) kept.push(cutAtWord(line, room));
      break;
    }
    kept.push(line);
    room -= line.length;
  }
  return { kind: 'text', lines: kept };
}

function cutAtWord(line: string, longest: number): string {
  const cut = line.slice(0, longest - 1);
  const sentence = Math.max(cut.lastIndexOf('. '), cut.lastIndexOf('。'));
  if (sentence > longest / 3) return cut.slice(0, sentence + 1);
  const space = cut.lastIndexOf(' ');
  return `${(space > longest / 2 ? cut.slice(0, space) : cut).toWellFormed()}…`;
}

/** A link in a document, or an address in its text. */
export interface Mention {
  readonly target: string;
  readonly label: string;
}

const MOST = 500;
const LONGEST_LINE = 10_000;
const DEFINITION = /^\s{0,3}\[((?:[^[\]\\]|\\.){1,200})\]:\s{0,9}<?([^\s<>]{1,1000})>?(?:\s|$)/;
const BARE_ADDRESS = /\bhttps?:\/\/[^\s<>()[\]"'`|]{1,1000}/gi;

/** Everything that a Markdown text links to, in order, except for code and images. */
export function mentionsIn(markdown: string): Mention[] {
  const mentions: Mention[] = [];
  for (const block of blocksOf(markdown)) {
    if (block.kind === 'fence') continue;
    for (const line of block.kind === 'text' ? block.lines : [block.text]) {
      mentions.push(...mentionsInLine(line.slice(0, LONGEST_LINE)));
      if (mentions.length >= MOST) return mentions.slice(0, MOST);
    }
  }
  return mentions;
}

function mentionsInLine(line: string): Mention[] {
  const definition = DEFINITION.exec(line);
  if (definition) return [{ target: definition[2] ?? '', label: '' }];
  return scanInline(line).flatMap((piece): Mention[] => {
    if (piece.kind === 'link') return piece.image ? [] : [{ target: piece.target, label: piece.label }];
    if (piece.kind !== 'text') return [];
    return [...piece.text.matchAll(BARE_ADDRESS)].map(([address]) => ({
      target: address.replace(/[.,;:!?*_]{1,9}$/, ''),
      label: '',
    }));
  });
}

const LONGEST_TITLE = 120;

/** Returns a node's title as Markdown. */
export function titleOf(node: TreeNode, longest: number = LONGEST_TITLE): string {
  return plainLine(node.title, longest) || node.slug;
}

/** Returns a score as people read it, from 0 to 10. */
export function scoreText(node: TreeNode): string | undefined {
  return node.evaluation && String(Number(node.evaluation.score.toFixed(1)));
}
