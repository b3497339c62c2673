import type { Message } from '../../../core/messages/message.ts';
import { parseDocument } from '../../../core/text/document.ts';
import { lastOutput, withoutFence } from '../../../core/text/output-block.ts';
import type { TreeNode } from '../../../core/tree/tree.ts';
import { documentLink, placeOf, webAddress } from '../../../engine/report/link-target.ts';
import { blocksOf } from '../../../engine/report/markdown-blocks.ts';
import { type LinkRule, safeBlock, visibleText } from '../../../engine/report/safe-markdown.ts';
import type { Material } from './material.ts';
import * as say from './messages.ts';
import { citedPages } from './sources.ts';

/** A page is about 3,500 characters; anything much longer is not an opening. */
const LONGEST = 8000;
const MOST_LINES = 120;

/** A model's answer as text for the report, or why it is unusable. */
export type CleanAnswer = { readonly text: string } | { readonly why: Message };

/**
 * A model's answer as the opening of the report. Links lead to the given nodes and to pages that the documents cite; all
 * others become plain text, and so does everything that is not plain Markdown.
 */
export function cleanAnswer(material: Material, answer: string, nodeLinks: ReadonlyMap<string, TreeNode>): CleanAnswer {
  const whole = answer.slice(0, 2 * LONGEST);
  // Models that are asked for lists in such a block put their prose into one, too.
  const trimmed = visibleText(lastOutput(whole) ?? whole).trim();
  const body = withoutFrontMatter(withoutOuterFence(trimmed)).trim();
  if (body.length > LONGEST || answer.length > 2 * LONGEST) return { why: say.farTooLong() };
  const link = linkRule(material, nodeLinks);
  const text = blocksOf(body)
    .map((block) => safeBlock(block, link))
    .join('\n\n');
  if (!/[\p{L}\p{N}]/u.test(text)) return { why: say.noneGiven() };
  return text.split('\n').length > MOST_LINES ? { why: say.farTooLong() } : { text };
}

function linkRule(material: Material, nodeLinks: ReadonlyMap<string, TreeNode>): LinkRule {
  const { tree, folder } = material.ctx;
  const pages = citedPages(material.digests);
  return (target) => {
    const page = webAddress(target);
    if (page !== undefined) return pages.has(page) ? page : undefined;
    const node = placeOf(tree, folder, '', target)?.node;
    const link = node && documentLink(node);
    return link !== undefined && nodeLinks.get(link) === node ? link : undefined;
  };
}

function withoutOuterFence(answer: string): string {
  return /^(?:`{3,}|~{3,})(?:markdown|md)?\s*\n/.test(answer) ? withoutFence(answer) : answer;
}

function withoutFrontMatter(answer: string): string {
  try {
    return parseDocument(answer).body;
  } catch {
    return answer; // its lines of hyphens are dropped like all others
  }
}
