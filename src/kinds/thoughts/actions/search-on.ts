import * as z from 'zod';
import { ThoughtTreeError } from '../../../core/search/errors.ts';
import { isPruned, pathOf, type TreeNode, walk } from '../../../core/tree/tree.ts';
import type { Action } from '../../../engine/actions/action.ts';
import type { SearchContext } from '../../../engine/search-context.ts';
import { discardJudgements } from '../judge/judgement-session.ts';
import { anotherWanted, reconsidered, reconsiderNeeds } from '../messages.ts';
import { beginRound, triesOf } from '../record/rounds.ts';
import { byPromise } from '../strategy/comparisons.ts';
import { OPEN, type Place, placeIn } from '../strategy/thought-place.ts';
import type { ThoughtSearch } from '../thought-search.ts';

const Reconsider = z.object({
  threshold: z.number().min(0).max(10).optional(),
  candidates: z.number().int().min(1).max(50).optional(),
});
const Reconsidered = z.object({ judged: z.number().int() });

/** Another threshold, or more thoughts at a node, from now on: what judges pruned is judged again, or others are asked for. */
export function reconsiderIn({
  tree,
}: ThoughtSearch): Action<z.infer<typeof Reconsider>, z.infer<typeof Reconsidered>> {
  return {
    args: Reconsider,
    result: Reconsidered,
    async run({ ctx, by }, { threshold, candidates }) {
      if (threshold === undefined && candidates === undefined)
        throw new ThoughtTreeError('bad-input', reconsiderNeeds());
      const pruned = threshold === undefined ? [] : [...walk(tree.root)].filter(isPrunedByJudge);
      for (const node of pruned) {
        await discardJudgements(ctx, node);
        const reset = { evaluation: null, unscored: null, selected: null, leafReason: null };
        const back = { prunedBy: null, why: null, whySay: null, status: 'unexpanded' as const };
        await ctx.nodes.change(node, { ...reset, ...back }, { by });
      }
      if (candidates !== undefined || pruned.length === 0) await askForOthers(ctx);
      return { judged: pruned.length };
    },
    say: ({ judged }) => reconsidered({ count: judged }),
  };
}

/** Tells whether a judge's word alone pruned a thought that nothing continues. */
function isPrunedByJudge(node: TreeNode): boolean {
  if (node.status !== 'pruned' || node.children.length > 0) return false;
  const isBelow = node.parent !== undefined && isPruned(node.parent);
  return !isBelow && (node.prunedBy === 'threshold' || node.prunedBy === 'evaluator');
}

const Another = z.object({ ends: z.number().int() });

/** One more solution, besides those that are there: what was passed over is taken up, or other thoughts are asked for. */
export function anotherSolutionIn({ tree, settings }: ThoughtSearch): Action<object, z.infer<typeof Another>> {
  const hasGoalTest = settings.task?.solved !== undefined;
  return {
    args: z.object({}),
    result: Another,
    async run({ ctx }) {
      const places = [...walk(tree.root)].map((node) => placeIn(node, hasGoalTest));
      const isLeft = places.some((place) => place !== undefined && OPEN.has(place));
      if (!isLeft) await askForOthers(ctx);
      return { ends: 1 + places.filter((place) => place !== undefined && ENDS.has(place)).length };
    },
    say: () => anotherWanted(),
  };
}

const ENDS: ReadonlySet<Place> = new Set<Place>(['solved', 'finished']);

/** Begins a further round where it promises most: at the best thought that leads nowhere so far, else for the first step. */
async function askForOthers(ctx: SearchContext): Promise<void> {
  const { tree, history } = ctx;
  const isDead = (node: TreeNode): boolean => node.children.every(isPruned);
  const dead = [...walk(tree.root)].filter(
    (node) => node.parent && node.status === 'expanded' && !isPruned(node) && isDead(node),
  );
  const [node = tree.root] = dead.sort(byPromise);
  await history.record({ type: 'trying', node: pathOf(node), round: triesOf(node) + 1 }, true);
  beginRound(tree, node);
  ctx.changed([node.id]);
}
