import type { Message } from '../../core/messages/message.ts';
import { parseDocument } from '../../core/text/document.ts';
import { proseIn, withoutFence } from '../../core/text/output-block.ts';
import { blocksOf } from './markdown-blocks.ts';
import * as say from './messages.ts';
import { type LinkRule, safeBlock, visibleText } from './safe-markdown.ts';

/** A page is about 6,000 characters, without the addresses of its links; anything much longer is not an opening. */
const LONGEST = 16_000;
const LONGEST_LINKED = 60_000;
const MOST_LINES = 160;

/** A model's answer as text for the report, or why it is unusable. */
export type CleanAnswer = { readonly text: string } | { readonly why: Message };

/**
 * A model's answer as the opening of the report, in which everything that is not plain Markdown becomes plain text.
 * @param link the links that stay; all others become plain text
 * @param refer makes links of what the answer refers to
 */
export function cleanAnswer(
  answer: string,
  link: LinkRule,
  refer: (body: string) => string = (body) => body,
): CleanAnswer {
  const whole = answer.slice(0, 2 * LONGEST);
  // Models that are asked for lists in such a block put their prose into one, too.
  const trimmed = visibleText(proseIn(whole)).trim();
  const said = withoutFrontMatter(withoutOuterFence(trimmed)).trim();
  if (said.length > LONGEST || answer.length > 2 * LONGEST) return { why: say.farTooLong() };
  const referred = refer(said);
  const body = referred.length > LONGEST_LINKED ? said : referred;
  const text = blocksOf(body)
    .map((block) => safeBlock(block, link))
    .join('\n\n');
  if (!/[\p{L}\p{N}]/u.test(text)) return { why: say.noneGiven() };
  return text.split('\n').length > MOST_LINES ? { why: say.farTooLong() } : { text };
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
