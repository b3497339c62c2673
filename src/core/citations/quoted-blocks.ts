import MarkdownIt from 'markdown-it';

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
export interface QuotedBlock extends Lines {
  readonly kind: 'fence' | 'quote';
  readonly fences: readonly Fence[];
}

type Parser = InstanceType<typeof MarkdownIt>;

// Fences and quotes as the inspector shows them, and as editors do, where HTML ends a paragraph. Deeper nesting is not
// worth reading and would take long.
const [PLAIN, WITH_HTML] = [false, true].map((html) => {
  const parser = new MarkdownIt({ html, maxNesting: 20 });
  parser.core.ruler.enableOnly(['normalize', 'block']);
  return parser;
}) as [Parser, Parser];

/**
 * The fences and outermost block quotes of a text by first line, as Markdown reads them: what is shown inside one must
 * not escape the check. Where parsers disagree on a block's end, the furthest end counts.
 */
export function quotedBlocks(markdown: string): ReadonlyMap<number, QuotedBlock> {
  const blocks = blocksBy(PLAIN, markdown);
  if (!/^[ \t>*+\-\d.)]*</m.test(markdown)) return blocks;
  for (const [from, other] of blocksBy(WITH_HTML, markdown)) {
    const block = blocks.get(from);
    if (block && block.end !== other.end)
      blocks.set(from, { kind: 'quote', from, end: Math.max(block.end, other.end), fences: [] });
  }
  return blocks;
}

function blocksBy(parser: Parser, markdown: string): Map<number, QuotedBlock> {
  const blocks = new Map<number, QuotedBlock>();
  let depth = 0;
  let fences: Fence[] = [];
  for (const { type, map, content } of parser.parse(markdown, {})) {
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
