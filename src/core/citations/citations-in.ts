import type { FileLines } from './citation.ts';
import { blocksIn, type CitedLink, linkIn } from './line-references.ts';
import type { Quotation } from './quotation.ts';

/** A citation in a Markdown text: the link that names the lines, and the words it quotes. */
export interface Citation extends FileLines {
  readonly quotation: Quotation;
  readonly link: CitedLink;
  /** Where a line of the quotation, from 0, begins in the text, and what is there before its first word. */
  readonly lines: (line: number) => readonly [number, string];
}

/** A quotation that still has no link, and the line of the text where it begins. */
interface Open {
  readonly quotation: Quotation;
  readonly first: number;
}

/** The most citations that are read from one text; nobody reads a document with more. */
const MOST = 200;
/** The mark of a block quote; the first one may be inside a list. */
const MARK = /^[ \t]*>[ \t]?/;
const FIRST_MARK = /^[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*>[ \t]?/;
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
  readonly #blocks: ReadonlyMap<number, QuotedBlock>;
  #at = 0;
  /** The link above that still has no quotation. */
  #link: CitedLink | undefined;
  /** The block quote above that still has no attribution. */
  #quote: Open | undefined;

  constructor(markdown: string) {
    const lines: { text: string; start: number }[] = [];
    let start = 0;
    for (const { 0: end, index } of markdown.matchAll(/\r\n|\n|\r|$/g)) {
      lines.push({ text: markdown.slice(start, index), start });
      start = index + end.length;
    }
    this.#lines = lines;
    this.#blocks = quotedBlocks(markdown);
  }

  /** Reads one block, or one line; false at the end. */
  next(): boolean {
    const line = this.#lines[this.#at];
    if (!line || this.citations.length >= MOST) return false;
    const block = this.#blocks.get(this.#at);
    if (block) {
      if (block.kind === 'fence')
        this.#take({ quotation: { kind: 'code', text: block.fences[0]?.text ?? '' }, first: block.from + 1 });
      else this.#blockQuote(block);
      this.#at = block.end;
    } else {
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

  #blockQuote(block: QuotedBlock): void {
    const lines = this.#lines.slice(block.from, block.end);
    const last = lines.at(-1);
    const isText = last && lines.length > 1 && !block.fences.some(({ end }) => end === block.end);
    const attribution = isText && ATTRIBUTION.test(last.text) ? linkIn(last.text, last.start) : undefined;
    const quotation = proseOrCode(
      block,
      (attribution ? lines.slice(0, -1) : lines).map(({ text }) => text),
    );
    if (attribution) {
      this.#cite(attribution, quotation);
      this.#link = undefined;
      this.#quote = undefined;
    } else this.#take(quotation);
  }

  /** A quotation below its link; one without a link may be followed by it. */
  #take(open: Open): void {
    if (this.#link) this.#cite(this.#link, open);
    this.#quote = this.#link || open.quotation.kind === 'code' ? undefined : open;
    this.#link = undefined;
  }

  #cite(link: CitedLink, { quotation, first }: Open): void {
    const { path, from, to } = link;
    const lines = (line: number): readonly [number, string] => {
      const { text = '', start = 0 } = this.#lines[first + line] ?? {};
      const words = quotation.text.split('\n')[line]?.trim() ?? '';
      return [start, text.slice(0, Math.max(0, text.indexOf(words)))];
    };
    this.citations.push({ path, from, to, quotation, link, lines });
  }
}

/** A block quote may hold a fence, and nothing else. */
function proseOrCode({ from, fences: [fence] }: QuotedBlock, lines: readonly string[]): Open {
  const isInFence = (at: number): boolean => fence !== undefined && at >= fence.from && at < fence.end;
  if (fence && lines.every((line, at) => isInFence(from + at) || /^[ \t>]*$/.test(line)))
    return { quotation: { kind: 'code', text: fence.text }, first: fence.from + 1 };
  const unmarked = lines.map((line, at) => line.replace(at === 0 ? FIRST_MARK : MARK, ''));
  return { quotation: { kind: 'prose', text: unmarked.join('\n') }, first: from };
}

/** Lines of a text, from 0, the end not included. */
interface Lines {
  readonly from: number;
  readonly end: number;
}

/** A fence and its content. */
interface Fence extends Lines {
  readonly text: string;
}

/** A block that readers see as one quotation: a fence, or a block quote with the fences in it. */
interface QuotedBlock extends Lines {
  readonly kind: 'fence' | 'quote';
  readonly fences: readonly Fence[];
}

/**
 * The fences and outermost block quotes of a text by first line, as Markdown reads them: what is shown inside one must
 * not escape the check. Where parsers disagree on a block's end, the furthest end counts.
 */
function quotedBlocks(markdown: string): ReadonlyMap<number, QuotedBlock> {
  const blocks = blocksBy(markdown, false);
  if (!/^[ \t>*+\-\d.)]*</m.test(markdown)) return blocks;
  for (const [from, other] of blocksBy(markdown, true)) {
    const block = blocks.get(from);
    if (block && block.end !== other.end)
      blocks.set(from, { kind: 'quote', from, end: Math.max(block.end, other.end), fences: [] });
  }
  return blocks;
}

// Fences and quotes as the inspector shows them, and as editors do, where HTML ends a paragraph. Deeper nesting is not
// worth reading and would take long.
function blocksBy(markdown: string, html: boolean): Map<number, QuotedBlock> {
  const blocks = new Map<number, QuotedBlock>();
  let depth = 0;
  let fences: Fence[] = [];
  for (const { type, map, content } of blocksIn(markdown, html, 20)) {
    if (type === 'blockquote_close') depth--;
    if (!map) continue;
    const lines = { from: map[0], end: map[1] };
    if (type === 'fence') {
      const fence = { ...lines, text: content };
      if (depth > 0) fences.push(fence);
      else blocks.set(lines.from, { kind: 'fence', ...lines, fences: [fence] });
    } else if (type === 'blockquote_open' && depth++ === 0) {
      fences = [];
      blocks.set(lines.from, { kind: 'quote', ...lines, fences });
    }
  }
  return blocks;
}
