import pLimit from 'p-limit';
import { type CitationRecord, recordsIn } from '../../../core/citations/citation-marks.ts';
import { isThoughtTreeError } from '../../../core/search/errors.ts';
import { type ParsedDocument, parseDocument } from '../../../core/text/document.ts';
import { pathOf, type TreeNode } from '../../../core/tree/tree.ts';
import { activeMarkdown } from '../../../engine/grounding/inert-markdown.ts';
import { type Found, findingsTakenFrom, foundIn } from '../../../engine/report/findings.ts';
import { type Block, blocksOf } from '../../../engine/report/markdown-blocks.ts';
import { type Mention, mentionsIn } from '../../../engine/report/mentions.ts';
import { visibleText } from '../../../engine/report/safe-markdown.ts';
import type { SearchContext } from '../../../engine/search-context.ts';

const READS_AT_ONCE = 8;
/** The number of documents whose words are kept; of the others only their citations are. */
const MOST_QUOTED = 12;
/** The most that is read of a document, in characters: for its citations, and for its key passage. */
const LOOKED_AT = 100_000;
const QUOTED = 6000;

/** The parts of one document that a report uses. */
export interface Digest {
  readonly node: TreeNode;
  readonly path: string;
  /** Its findings, and what it left open. */
  readonly found: Found;
  /** The beginning of its text; empty if it is not one of the most informative. */
  readonly blocks: readonly Block[];
  readonly mentions: readonly Mention[];
  /** The results of checking its quotations of files. */
  readonly quotations: readonly CitationRecord[];
}

/** Reads documents, the most informative first; leaves out missing ones, and keeps a small part of each. */
export async function readDocuments(ctx: SearchContext, nodes: readonly TreeNode[]): Promise<Digest[]> {
  const limit = pLimit(READS_AT_ONCE);
  const digests = await limit.map(nodes, async (node, place): Promise<Digest | undefined> => {
    const path = pathOf(node);
    const text = await ctx.store.readDocument(path);
    if (text === undefined) return undefined;
    const { data, body } = partsOf(text);
    const { findings, open } = foundIn(data);
    const found = { findings: findings.length > 0 ? findings : findingsTakenFrom(body.slice(0, LOOKED_AT)), open };
    const blocks = place < MOST_QUOTED ? blocksOf(visibleText(body.slice(0, QUOTED))) : [];
    return {
      node,
      path,
      found,
      blocks,
      mentions: mentionsIn(visibleText(body.slice(0, LOOKED_AT))),
      quotations: recordsIn(node.file?.quotations),
    };
  });
  return digests.filter((digest) => digest !== undefined);
}

function partsOf(text: string): ParsedDocument {
  try {
    const { data, body } = parseDocument(text);
    return { data, body: activeMarkdown(body) }; // the report has rules of its own for what is shown
  } catch (error) {
    if (isThoughtTreeError(error, 'bad-answer')) return { data: {}, body: '' }; // a person's text need not meet our requirements for models
    throw error;
  }
}
