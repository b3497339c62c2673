import type { Conversation } from '../../../core/search/conversation.ts';
import { nodeAt, pathOf, type TreeNode } from '../../../core/tree/tree.ts';
import type { SearchContext } from '../../../engine/search-context.ts';

/**
 * Under which name a judgement is kept: that of the first node it is about, whose own file is written last, so that it
 * is found as long as one of them lacks its score. A short digest, since paths make no file names.
 */
export function judgementSession(first: TreeNode): string {
  return `judge-${digest(pathOf(first))}`;
}

/** A judgement that was paid for and not used up: for which nodes, and its answers. */
export interface KeptJudgement {
  readonly conversation: Conversation;
  readonly nodes: readonly TreeNode[];
  /** How often each of them had been judged before: one that was judged since has used it up. */
  readonly before: readonly number[];
}

/** The one that is kept under a node's name, if its nodes still stand. */
export async function keptJudgement(ctx: SearchContext, first: TreeNode): Promise<KeptJudgement | undefined> {
  const conversation = await ctx.store.readConversation(judgementSession(first));
  const { about, before = [] } = conversation?.turns.findLast((turn) => turn.about) ?? {};
  if (!conversation || about?.[0] !== pathOf(first)) return undefined;
  const nodes = about.map((path) => nodeAt(ctx.tree, path));
  return nodes.every((node) => node !== undefined) ? { conversation, nodes, before } : undefined;
}

/** A digest of 53 bits (cyrb53), as hexadecimal digits: no secret, only a name. */
function digest(text: string): string {
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    a = Math.imul(a ^ code, 2654435761);
    b = Math.imul(b ^ code, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return (4294967296 * (2097151 & b) + (a >>> 0)).toString(16).padStart(14, '0');
}
