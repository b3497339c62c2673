import type { Move, MoveResult } from '../../../core/kind/strategy.ts';
import type { NodeId, TreeNode } from '../../../core/tree/tree.ts';
import type { Executor, Executors } from '../../../engine/loop/executor.ts';
import { decomposeAtom } from './moves/decompose-atom.ts';
import { adopt } from './moves/discovered.ts';
import { extendGoal } from './moves/extend-goal.ts';
import { joinAtom } from './moves/join-atom.ts';
import { layOut } from './moves/lay-out.ts';
import { probeAtom } from './moves/probe-atom.ts';
import { rest } from './moves/rest.ts';
import { switchGroup } from './moves/switch-group.ts';
import { verifyGoal } from './moves/verify-goal.ts';
import { workOn } from './moves/work-atom.ts';
import { type GraphMove, type GraphMoveKind, TAKES_SLOT } from './strategy/graph-move.ts';
import { offerOf } from './work-offers.ts';
import { DROPPED, type WorkSearch } from './work-search.ts';

type Run = (node: TreeNode, move: GraphMove, signal: AbortSignal) => Promise<MoveResult>;

/** The executors of the moves that are about one node. */
function runs(search: WorkSearch): Readonly<Record<Exclude<GraphMoveKind, 'offer-work' | 'rest'>, Run>> {
  const taken = ({ iteration = 1 }: GraphMove): number => iteration;
  return {
    'lay-out': (_root, _move, signal) => layOut(search, signal),
    work: (node, move, signal) => workOn(search, node, taken(move), signal),
    probe: (node, move, signal) => probeAtom(search, node, taken(move), signal),
    decompose: (node, move, signal) => decomposeAtom(search, node, taken(move), signal),
    join: (node, _move, signal) => joinAtom(search, node, signal),
    switch: (node, move, signal) => switchGroup(search, node, move, signal),
    verify: (node, move, signal) => verifyGoal(search, node, taken(move), signal),
    extend: (node, _move, signal) => extendGoal(search, node, signal),
  };
}

/** The executors of a work graph. */
export function workExecutors(search: WorkSearch): Executors {
  const nodeOf = ({ nodes }: Move): TreeNode | undefined => search.tree.get(nodes[0] as NodeId);
  const ours = Object.entries(runs(search)).map(([kind, run]): [string, Executor] => [
    kind,
    {
      needsSlot: TAKES_SLOT[kind as GraphMoveKind],
      isWork: kind === 'join',
      run: async (move, signal) => {
        const node = nodeOf(move);
        if (!node) return DROPPED;
        await adopt(search, node);
        return await run(node, move as GraphMove, signal);
      },
    },
  ]);
  return {
    ...Object.fromEntries(ours),
    rest: { needsSlot: false, run: (move) => rest(search, (move as GraphMove).why ?? { kind: 'base-case' }) },
    'offer-work': {
      offer: async (move, signal) => {
        const node = nodeOf(move) ?? search.tree.root;
        await adopt(search, node);
        return await offerOf(search, node, signal);
      },
    },
  };
}
