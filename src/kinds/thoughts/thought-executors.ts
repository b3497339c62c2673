import type { Move, MoveResult } from '../../core/search/strategy.ts';
import type { NodeId, TreeNode } from '../../core/tree/tree.ts';
import type { Executor } from '../../engine/dispatcher.ts';
import type { SearchContext } from '../../engine/search-context.ts';
import { choose, revive } from './generate/choose-thoughts.ts';
import { expandThought, listFirstThoughts, tryAgain } from './generate/expand-thought.ts';
import { evaluateThoughts } from './judge/evaluate-thoughts.ts';

/** Who carries out the moves of a search for a solution. Decisions need no slot: they ask no model. */
export const thoughtExecutors: Readonly<Record<string, Executor>> = {
  'list-root': { needsSlot: true, run: (ctx, _move, signal) => listFirstThoughts(ctx, signal) },
  expand: { needsSlot: true, run: (ctx, move, signal) => atOne(ctx, move, (node) => expandThought(ctx, node, signal)) },
  'try-again': { needsSlot: true, run: (ctx, move, signal) => atOne(ctx, move, (node) => tryAgain(ctx, node, signal)) },
  evaluate: { needsSlot: true, run: (ctx, move, signal) => evaluateThoughts(ctx, nodesOf(ctx, move), signal) },
  keep: { needsSlot: false, run: (ctx, move) => choose(ctx, nodesOf(ctx, move), true) },
  'set-aside': { needsSlot: false, run: (ctx, move) => choose(ctx, nodesOf(ctx, move), false) },
  revive: { needsSlot: false, run: (ctx, move) => revive(ctx, nodesOf(ctx, move)) },
};

function nodesOf(ctx: SearchContext, move: Move): TreeNode[] {
  return move.nodes.flatMap((id) => ctx.tree.get(id) ?? []);
}

async function atOne(
  ctx: SearchContext,
  move: Move,
  work: (node: TreeNode) => Promise<MoveResult>,
): Promise<MoveResult> {
  const node = ctx.tree.get(move.nodes[0] as NodeId);
  return node ? await work(node) : { outcome: 'dropped' };
}
