import type { FileLines } from './citation.ts';
import type { Quotation } from './quotation.ts';

/** A citation as it stands in a text of Markdown: the link that names the lines, and the words it quotes. */
export interface Citation extends FileLines {
  readonly quotation: Quotation;
  readonly link: Link;
}

/** Where a citation's link stands in the text (offsets, the end not included), and its label without marks around it. */
interface Link extends FileLines {
  readonly start: number;
  readonly end: number;
  readonly label: string;
}

/** Citations of one text; more are no document that anybody reads. */
const MOST = 200;
const LONGEST_LINE = 4000;

// The label alone counts, in brackets or as code; where its address leads is the model's guess.
const LABELLED =
  /\[((?:[^[\]\\\n]|\\.){3,400})\](?:\((?:<[^<>\n]{0,1000}>|[^()\s]{0,1000}(?:\([^()\s]{0,200}\)[^()\s]{0,200}){0,4})\))?|(?<!`)`([^`\n]{3,400})`(?!`)/g;
const LINES = /^(.{1,300}?)(?::|#)L?(\d{1,7})(?:[-–]L?(\d{1,7}))?$/su;
const FENCE = /^[\s>]*(?:(?:[-*+]|\d{1,9}[.)])\s+)?(`{3,}|~{3,})([^`]*)$/;
const ATTRIBUTION = /^[\s>]*(?:—|–|--?)\s/;

/**
 * The citations of a text, in order. Each is a line that names a file and its lines, as in `[src/queue.ts:12-15](…)`, and
 * right below it a fence or a block quote; or a block quote and right below it a line that begins with a dash and names
 * them.
 */
export function citationsIn(markdown: string): Citation[] {
  const reader = new Reader(markdown);
  while (reader.next());
  return reader.citations;
}

class Reader {
  readonly citations: Citation[] = [];
  readonly #lines: readonly { readonly text: string; readonly start: number }[];
  #at = 0;
  /** The link above that waits for its quotation. */
  #link: Link | undefined;
  /** The block quote above that waits for its attribution. */
  #quote: Quotation | undefined;

  constructor(markdown: string) {
    const lines: { text: string; start: number }[] = [];
    let start = 0;
    for (const { 0: end, index } of markdown.matchAll(/\r\n|\n|\r|$/g)) {
      lines.push({ text: markdown.slice(start, index), start });
      start = index + end.length;
    }
    this.#lines = lines;
  }

  /** Reads one block, or one line; false at the end. */
  next(): boolean {
    const line = this.#lines[this.#at];
    if (!line || this.citations.length >= MOST) return false;
    const fence = FENCE.exec(line.text);
    if (fence) this.#take({ kind: 'code', text: this.#fence(fence[1] as string) });
    else if (/^\s*>/.test(line.text)) this.#blockQuote();
    else {
      this.#at++;
      if (line.text.trim() !== '') this.#plain(line.text, line.start);
    }
    return true;
  }

  #plain(text: string, start: number): void {
    const link = linkIn(text, start);
    if (link && this.#quote && ATTRIBUTION.test(text)) {
      this.#cite(link, this.#quote);
      this.#link = undefined;
    } else this.#link = link;
    this.#quote = undefined;
  }

  #blockQuote(): void {
    const lines: string[] = [];
    let attribution: Link | undefined;
    for (; ; this.#at++) {
      const line = this.#lines[this.#at];
      const inside = line && (/^\s*>\s?(.*)$/s.exec(line.text)?.[1] ?? lazyLine(line.text, lines.at(-1)));
      if (!line || inside === undefined) break;
      attribution = ATTRIBUTION.test(line.text) ? linkIn(line.text, line.start) : undefined;
      lines.push(inside);
    }
    if (attribution && lines.length > 1) {
      this.#cite(attribution, proseOrCode(lines.slice(0, -1)));
      this.#link = undefined;
      this.#quote = undefined;
    } else this.#take(proseOrCode(lines));
  }

  /** A quotation that stands below its link; one without a link may be followed by it. */
  #take(quotation: Quotation): void {
    if (this.#link) this.#cite(this.#link, quotation);
    this.#quote = this.#link || quotation.kind === 'code' ? undefined : quotation;
    this.#link = undefined;
  }

  #cite(link: Link, quotation: Quotation): void {
    const { path, from, to } = link;
    this.citations.push({ path, from, to, quotation, link });
  }

  #fence(mark: string): string {
    const lines: string[] = [];
    const indented = indentOf((this.#lines[this.#at] as { text: string }).text);
    for (this.#at++; this.#at < this.#lines.length; this.#at++) {
      const { text } = this.#lines[this.#at] as { text: string };
      if (closes(text, mark) && indentOf(text) <= indented + 3) {
        this.#at++;
        break;
      }
      lines.push(text);
    }
    return lines.join('\n');
  }
}

/** A block quote may hold a fence, and nothing else. */
function proseOrCode(lines: readonly string[]): Quotation {
  const filled = lines.filter((line) => line.trim() !== '');
  const mark = FENCE.exec(filled[0] ?? '')?.[1];
  if (mark !== undefined && filled.length > 1 && closes(filled.at(-1) as string, mark))
    return { kind: 'code', text: filled.slice(1, -1).join('\n') };
  return { kind: 'prose', text: lines.join('\n') };
}

function closes(line: string, mark: string): boolean {
  const text = line.trim();
  return text.length >= mark.length && text === (mark[0] as string).repeat(text.length);
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

/** A line without its mark that still belongs to the paragraph of the block quote above, as every reader shows it. */
function lazyLine(line: string, above: string | undefined): string | undefined {
  if (line.trim() === '' || (above ?? '').trim() === '') return undefined;
  return /^ {0,3}(?:#{1,6}\s|[-*+]\s|1[.)]\s)/.test(line) || FENCE.test(line) ? undefined : line;
}

/** The last thing in a line that names lines of a file. */
function linkIn(line: string, start: number): Link | undefined {
  if (line.length > LONGEST_LINE) return undefined;
  let found: Link | undefined;
  for (const match of line.matchAll(LABELLED)) {
    const label = (match[1] ?? match[2] ?? '')
      .replace(/\\([!-/:-@[-`{-~])/g, '$1')
      .replace(/^`+|`+$/g, '')
      .trim();
    const [, path, from, to] = LINES.exec(label) ?? [];
    if (path === undefined || from === undefined || !looksLikePath(path)) continue;
    const lines = { from: Number(from), to: Math.max(Number(from), Number(to ?? from)) };
    if (lines.from === 0) continue;
    const at = start + match.index;
    found = { path, ...lines, label, start: at, end: at + match[0].length };
  }
  return found;
}

/** `chapter:3` and `12:30` name no file. */
function looksLikePath(path: string): boolean {
  return /[./\\]/.test(path) || /^[A-Z][a-z]+file$/.test(path);
}

/** The text with each citation's link replaced. */
export function withLinks(markdown: string, linkFor: (citation: Citation, place: number) => string): string {
  let out = '';
  let at = 0;
  const inOrder = citationsIn(markdown).map((citation, place) => ({ citation, place }));
  for (const { citation, place } of inOrder.sort((a, b) => a.citation.link.start - b.citation.link.start)) {
    if (citation.link.start < at) continue;
    out += markdown.slice(at, citation.link.start) + linkFor(citation, place);
    at = citation.link.end;
  }
  return out + markdown.slice(at);
}
