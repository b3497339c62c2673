import { type Conversation, type ConversationTurn, withExchange } from '../../../core/search/conversation.ts';
import { digest } from '../../../core/text/digest.ts';
import { nodeAt, pathOf, type TreeNode } from '../../../core/tree/tree.ts';
import type { SearchContext } from '../../../engine/search-context.ts';

/**
 * The name under which a judgement is kept: that of the first node it is about, whose own file is written last, so that
 * it is found as long as one of them lacks its score. A short hash, since paths are not valid file names.
 */
function judgementSession(first: TreeNode): string {
  return `judge-${digest(pathOf(first))}`;
}

/** A judgement: the nodes it is about, and how often each of them had been judged before. */
export interface Judging {
  readonly nodes: readonly TreeNode[];
  readonly before: readonly number[];
}

/** One that was paid for and has not been applied: a node judged since then means that it has been. */
export interface KeptJudgement extends Judging {
  readonly conversation: Conversation;
}

/** The conversation that keeps judgements under a node's name, one after the other. */
export async function judgementsOn(ctx: SearchContext, first: TreeNode): Promise<Conversation> {
  const id = judgementSession(first);
  return (await ctx.store.readConversation(id)) ?? { id, turns: [] };
}

/** The last judgement that is kept under a node's name, if all of its nodes exist. */
export async function keptJudgement(ctx: SearchContext, first: TreeNode): Promise<KeptJudgement | undefined> {
  const conversation = await judgementsOn(ctx, first);
  const { about, before = [] } = conversation.turns.findLast((turn) => turn.about ?? isDiscarded(turn)) ?? {};
  if (about?.[0] !== pathOf(first)) return undefined;
  const nodes = about.map((path) => nodeAt(ctx.tree, path));
  return nodes.every((node) => node !== undefined) ? { conversation, nodes, before } : undefined;
}

/** The conversation of the second judgement of a node that was called a solution. */
export async function verdictOn(ctx: SearchContext, node: TreeNode): Promise<Conversation> {
  const id = `verdict-${digest(pathOf(node))}`;
  return (await ctx.store.readConversation(id)) ?? { id, turns: [] };
}

/** Makes nodes be judged again that were judged under this node's name: what is kept there no longer counts. */
export async function discardJudgements(ctx: SearchContext, first: TreeNode): Promise<void> {
  for (const kept of [await judgementsOn(ctx, first), await verdictOn(ctx, first)])
    if (kept.turns.length > 0)
      await ctx.store.writeConversation(
        withExchange(kept, DISCARDED, 'A person wants this judged again.', 'Understood.'),
      );
}

const DISCARDED = 'discarded';

function isDiscarded({ purpose }: ConversationTurn): boolean {
  return purpose === DISCARDED;
}

/** Distinguishes the answers of one judgement from earlier ones in the same conversation. */
export function isPartOf(
  { nodes, before }: Judging,
  { turns }: Conversation,
): (answer: ConversationTurn, at: number) => boolean {
  const since = turns.findLastIndex(isDiscarded);
  const about = JSON.stringify(nodes.map(pathOf));
  return (answer, at) =>
    at > since &&
    JSON.stringify(answer.about) === about &&
    JSON.stringify(answer.before ?? []) === JSON.stringify(before);
}
