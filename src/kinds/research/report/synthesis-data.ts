import { oneLine, utf8Length } from '../../../core/text/text.ts';
import type { TreeNode } from '../../../core/tree/tree.ts';
import { notesFor, notesText } from '../../../engine/calls/notes.ts';
import { documentLink } from '../../../engine/report/link-target.ts';
import type { Block } from '../../../engine/report/markdown-blocks.ts';
import { scoreText } from '../../../engine/report/node-text.ts';
import { fenced, visibleText } from '../../../engine/report/safe-markdown.ts';
import type { SynthesisData } from '../prompts/prompt-data.ts';
import type { Material } from './material.ts';
import { nestedList } from './sections.ts';

/** The maximum length of the opening's prompt, in bytes of UTF-8. */
export const PROMPT_BYTES = 24_000;
/** Its parts; the rest is for its fixed words. */
const OUTLINE_BYTES = 8000;
const DOCUMENT_BYTES = 13_000;
const LONGEST_DOCUMENT = 4000;
const NOTE_BYTES = 1000;
const OPEN_TITLES = 10;

/** What the model gets for the opening, and the nodes that it may link to, by their links. */
export async function synthesisData(
  material: Material,
): Promise<{ data: SynthesisData; nodeLinks: ReadonlyMap<string, TreeNode> }> {
  const { ctx, digests, survey } = material;
  const documents = tellingDocuments(material);
  const shown = shownNodes(material);
  const outline = nestedList(ctx.tree.root, shown, describe);
  const open = survey.open.named.slice(0, OPEN_TITLES).map((node) => oneLine(node.title, 60));
  if (open.length > 0) outline.push(`(${survey.open.count} topics stayed open: ${cutToBytes(open.join('; '), 700)})`);
  const nodes = new Set([...shown, ...digests.slice(0, documents.length).map(({ node }) => node)]);
  const notes = cutToBytes(visibleText(notesText(await notesFor(ctx, undefined))), NOTE_BYTES);
  return {
    data: { purpose: 'synthesize', question: ctx.file.prompt, outline: outline.join('\n'), documents, notes },
    nodeLinks: new Map([...nodes].map((node) => [documentLink(node), node])),
  };
}

/** As many topics as there is room for: the most informative documents first. */
function shownNodes({ digests }: Material): Set<TreeNode> {
  const shown = new Set<TreeNode>();
  let room = OUTLINE_BYTES - 800;
  for (const { node } of digests) {
    room -= utf8Length(describe(node)) + 2 * node.depth + 1;
    if (room < 0) break;
    shown.add(node);
  }
  return shown;
}

function describe(node: TreeNode): string {
  const score = scoreText(node);
  const title = oneLine(node.title, 100).replace(/[[\]]/g, ' ');
  const summary = oneLine(node.summary ?? '', 200);
  return `[${title}](${documentLink(node)})${score === undefined ? '' : ` ${score}`}${summary === '' ? '' : `: ${summary}`}`;
}

/** The beginnings of the most informative documents: complete blocks, each document with its share of the room. */
function tellingDocuments({ digests }: Material): SynthesisData['documents'] {
  const quoted = digests.filter(({ blocks }) => blocks.length > 0);
  const documents: { link: string; text: string }[] = [];
  let room = DOCUMENT_BYTES;
  for (const [place, { node, blocks }] of quoted.entries()) {
    const link = documentLink(node);
    const share = Math.min(LONGEST_DOCUMENT, Math.floor(room / (quoted.length - place)));
    const text = beginningOf(blocks, share - utf8Length(link) - 50);
    if (text === '') continue;
    documents.push({ link, text });
    room -= utf8Length(text) + utf8Length(link) + 50;
  }
  return documents;
}

function beginningOf(blocks: readonly Block[], bytes: number): string {
  const parts: string[] = [];
  let room = bytes;
  for (const block of blocks) {
    const text = rawBlock(block).replace(/<(?=\/?document\b)/gi, '< ');
    const size = utf8Length(text) + 2;
    if (size > room) {
      if (parts.length === 0 && room > 100) parts.push(cutToBytes(text, room));
      break;
    }
    parts.push(text);
    room -= size;
  }
  return parts.join('\n\n');
}

function rawBlock(block: Block): string {
  if (block.kind === 'fence') return fenced(block.lines, block.language);
  return block.kind === 'heading' ? `${'#'.repeat(block.level)} ${block.text}` : block.lines.join('\n');
}

function cutToBytes(text: string, bytes: number): string {
  if (utf8Length(text) <= bytes) return text;
  let [low, high] = [0, text.length];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (utf8Length(text.slice(0, middle)) <= bytes - 3) low = middle;
    else high = middle - 1;
  }
  return `${text.slice(0, low).replace(/[\ud800-\udbff]$/, '')}…`;
}
