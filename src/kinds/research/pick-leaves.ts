import type { MoveResult } from '../../core/kind/strategy.ts';
import { noted } from '../../core/messages/kept.ts';
import { expansionsOf } from '../../core/search/limits.ts';
import { isPruned, type NodeId, pathOf, type TreeNode } from '../../core/tree/tree.ts';
import { notesFor, withNotes } from '../../engine/calls/notes.ts';
import { consequenceOf } from '../../engine/loop/consequence.ts';
import { slotsToPlan } from '../../engine/slots-to-plan.ts';
import { type Ranking, readRanking } from './answers/ranking-answer.ts';
import { pickingLeaf } from './messages.ts';
import { outlineOf, wholeOutline } from './outline.ts';
import { byRule, type PickData } from './prompts/prompt-data.ts';
import type { ResearchSearch } from './research-search.ts';
import type { PickMove } from './strategy/rankings-side-by-side.ts';
import { rankingLength } from './strategy/research.ts';

/**
 * Asks the picker which of a move's nodes come next, and does what it says of the others: a dropped one is pruned, one that
 * repeats another becomes a leaf with a link. If it fails, there is no ranking, and no harm is done.
 */
export async function pickLeaves(ctx: ResearchSearch, move: PickMove, signal: AbortSignal): Promise<MoveResult> {
  const nodes = new Map<string, TreeNode>();
  for (const id of move.nodes) {
    const node = ctx.tree.get(id);
    if (node) nodes.set(pathOf(node), node);
  }
  if (nodes.size === 0) return { outcome: 'dropped' };
  ctx.history.note({ type: 'progress', ...noted(pickingLeaf()) });
  try {
    const { order, dropped, same } = await rank(ctx, [...nodes.values()], signal);
    const { beside } = move;
    await ctx.history.record({ type: 'picked', ranking: [...order], ...(beside && { beside }) }, true);
    for (const path of dropped) await setAside(ctx, nodes.get(path), signal, { status: 'pruned', prunedBy: 'picker' });
    for (const [path, as] of same)
      await setAside(ctx, nodes.get(path), signal, { status: 'leaf', leafReason: 'duplicate', sameAs: as });
    return { outcome: 'ranked', ranking: order.map((path) => (nodes.get(path) as TreeNode).id as NodeId) };
  } catch (error) {
    if (consequenceOf(error) !== 'fail') throw error;
    return { outcome: 'failed' };
  }
}

type Aside =
  | { readonly status: 'pruned'; readonly prunedBy: 'picker' }
  | { readonly status: 'leaf'; readonly leafReason: 'duplicate'; readonly sameAs: string };

/** Changes a leaf that is still open: not one that is worked on by now, and none that a person added. */
async function setAside(
  ctx: ResearchSearch,
  node: TreeNode | undefined,
  signal: AbortSignal,
  patch: Aside,
): Promise<void> {
  if (!node?.evaluation || node.status !== 'unexpanded' || isPruned(node) || ctx.nodes.isUnderWay(node)) return;
  await ctx.nodes.commit(node, signal, async ({ status }) => {
    if (status === 'unexpanded') await ctx.nodes.change(node, patch);
  });
}

async function rank(ctx: ResearchSearch, nodes: readonly TreeNode[], signal: AbortSignal): Promise<Ranking> {
  const plain = ctx.picker === 'one-at-a-time';
  const longest = rankingLength({ concurrency: slotsToPlan(ctx), inRounds: ctx.inRounds });
  const limit = plain ? 1 : Math.max(1, Math.min(nodes.length, longest));
  const numbers = new Map(nodes.map((node, at) => [node, at + 1]));
  const { text, shown } = plain ? wholeOutline(ctx.tree.root, numbers) : outlineOf(ctx.tree.root, numbers);
  const left = expansionsOf(ctx.limits.now.size) - ctx.tree.worked;
  const data: PickData = {
    purpose: 'pick',
    question: ctx.file.prompt,
    outline: text,
    candidates: nodes.map((node) => ({
      path: pathOf(node),
      title: node.title,
      isInOutline: shown.has(node),
      ...(node.evaluation ? { score: node.evaluation.score } : {}),
    })),
    limit,
    worked: Math.max(1, Math.min(nodes.length, left)),
  };
  const paths = data.candidates.map(({ path }) => path);
  const { value } = await ctx.asks.ask(
    {
      purpose: 'pick',
      words: async () => ({
        prompt: withNotes(ctx.prompts.pick(data), await notesFor(ctx, undefined)),
        data: byRule(data),
        // A number and a comma for each, or the longest line of a path where a person's own prompt asks for those.
        maxOutputTokens: 1000 + (ctx.prompts.own.has('pick') ? 50 : 8) * limit,
      }),
      check: (answer) => readRanking(answer, paths, limit),
    },
    signal,
  );
  return value;
}
