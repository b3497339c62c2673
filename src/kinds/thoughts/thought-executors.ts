import type { Move, MoveResult } from '../../core/kind/strategy.ts';
import type { NodeId, TreeNode } from '../../core/tree/tree.ts';
import type { Executors } from '../../engine/loop/executor.ts';
import { choose, revive } from './generate/choose-thoughts.ts';
import { combineThoughts, writeCombined } from './generate/combine.ts';
import { completeThought, expandThought, listFirstThoughts, tryAgain } from './generate/expand-thought.ts';
import { compareSolutions } from './judge/compare-solutions.ts';
import { evaluateThoughts } from './judge/evaluate-thoughts.ts';
import { verifySolution } from './judge/verify-solution.ts';
import type { ThoughtSearch } from './thought-search.ts';

/** The executors of a search for a solution. Decisions need no slot: they ask no model. */
export function thoughtExecutors(ctx: ThoughtSearch): Executors {
  return {
    'list-root': { needsSlot: true, run: (_move, signal) => listFirstThoughts(ctx, signal) },
    expand: {
      needsSlot: true,
      expands: true,
      run: (move, signal) => atOne(ctx, move, (node) => expandThought(ctx, node, signal)),
    },
    'try-again': { needsSlot: true, run: (move, signal) => atOne(ctx, move, (node) => tryAgain(ctx, node, signal)) },
    evaluate: { needsSlot: true, run: (move, signal) => evaluateThoughts(ctx, nodesOf(ctx, move), signal) },
    keep: { needsSlot: false, run: (move) => choose(ctx, nodesOf(ctx, move), true) },
    'set-aside': { needsSlot: false, run: (move) => choose(ctx, nodesOf(ctx, move), false) },
    'complete-way': {
      needsSlot: true,
      expands: true,
      run: (move, signal) => atOne(ctx, move, (node) => completeThought(ctx, node, signal)),
    },
    'second-verdict': {
      needsSlot: true,
      run: (move, signal) => atOne(ctx, move, (node) => verifySolution(ctx, node, signal)),
    },
    'compare-ends': { needsSlot: true, run: (move, signal) => atPair(ctx, move, signal) },
    'combine-ends': { needsSlot: false, run: (move) => combineThoughts(ctx, nodesOf(ctx, move)) },
    'write-combined': {
      needsSlot: true,
      run: (move, signal) => atOne(ctx, move, (node) => writeCombined(ctx, node, signal)),
    },
    revive: { needsSlot: false, run: (move) => revive(ctx, nodesOf(ctx, move)) },
  };
}

function nodesOf(ctx: ThoughtSearch, move: Move): TreeNode[] {
  return move.nodes.flatMap((id) => ctx.tree.get(id) ?? []);
}

async function atPair(ctx: ThoughtSearch, move: Move, signal: AbortSignal): Promise<MoveResult> {
  const [first, second] = nodesOf(ctx, move);
  return first && second ? await compareSolutions(ctx, [first, second], signal) : { outcome: 'dropped' };
}

async function atOne(
  ctx: ThoughtSearch,
  move: Move,
  work: (node: TreeNode) => Promise<MoveResult>,
): Promise<MoveResult> {
  const node = ctx.tree.get(move.nodes[0] as NodeId);
  return node ? await work(node) : { outcome: 'dropped' };
}
