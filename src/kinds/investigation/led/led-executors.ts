import type { Move } from '../../../core/kind/strategy.ts';
import type { NodeId, TreeNode } from '../../../core/tree/tree.ts';
import type { Executors } from '../../../engine/loop/executor.ts';
import { investigateLead } from './investigate-lead.ts';
import type { LedSearch } from './led-investigation.ts';
import { planLeads } from './plan-leads.ts';
import { settle } from './settle.ts';

/** The executors of an investigation that the engine leads. */
export function ledExecutors(ctx: LedSearch): Executors {
  const nodeOf = ({ nodes }: Move): TreeNode | undefined => ctx.tree.get(nodes[0] as NodeId);
  const at =
    (work: (ctx: LedSearch, node: TreeNode, signal: AbortSignal) => ReturnType<typeof settle>) =>
    async (move: Move, signal: AbortSignal): ReturnType<typeof settle> => {
      const node = nodeOf(move);
      return node ? await work(ctx, node, signal) : { outcome: 'dropped' };
    };
  return {
    settle: { needsSlot: false, run: at(settle) },
    plan: { needsSlot: true, run: at(planLeads) },
    investigate: { needsSlot: true, expands: true, run: at(investigateLead) },
  };
}
