import * as z from 'zod';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import { isPruned, lineageOf, nodeAt, pathOf, type Tree, type TreeNode, walk } from '../../core/tree/tree.ts';
import type { Action, Actions, SearchContext } from '../../engine/context.ts';
import { noNode } from '../../engine-parts/actions/messages.ts';
import { addingWith, RedoArgs, restore, restoreBranch } from '../../engine-parts/actions/node-actions.ts';
import {
  anotherWanted,
  askedForOthers,
  combined,
  combinesBeside,
  combinesFromTwo,
  combinesNoDrafts,
  combinesOpen,
  judgedAgain,
  reconsidered,
  reconsiderNeeds,
} from './messages.ts';
import { discardJudgements } from './moves/ask-judge.ts';
import { addCombined } from './moves/combine.ts';
import { byPromise } from './strategy/whole-solutions.ts';
import {
  beginRound,
  nextNumber,
  nextRound,
  OPEN,
  type Place,
  placeIn,
  roundsBegun,
  thoughtId,
  thoughtSlug,
} from './thought-node.ts';
import type { ThoughtSearch } from './thought-search.ts';

/** Actions that differ for thoughts from those on other nodes. */
export function thoughtActionsOf(search: ThoughtSearch): Actions {
  return {
    add: addingWith((parent) => thoughtSlug(pathOf(parent), nextNumber(parent))),
    combine: search.settings.writesDrafts ? { ...combineWith, run: refuseToCombine } : combineWith,
    reconsider: reconsiderIn(search),
    'another-solution': anotherSolutionIn(search),
    redo: redoThought,
    /** A restored thought is selected, so that no strategy passes it over again. */
    restore: { ...restore, run: (at) => restoreBranch(at, { selected: true }) },
  };
}

async function refuseToCombine(): Promise<never> {
  throw new ThoughtTreeError('bad-input', combinesNoDrafts());
}

const MOST_OTHERS = 3;

const Args = z.object({ with: z.string().min(1).max(4000) });
const Result = z.object({ path: z.string(), others: z.number().int() });

/**
 * Makes one thought of two to four: a child of the nearest one above all of them, with a link to each. Its text is written
 * when the search runs, from the paths of all of them.
 */
const combineWith: Action<z.infer<typeof Args>, z.infer<typeof Result>> = {
  args: Args,
  result: Result,
  async run({ ctx, node, by }, given) {
    const names = given.with.split(/[\s,]+/).filter(Boolean);
    const others = [...new Set(names.map((name) => named(ctx.tree, name)))].filter((each) => each !== node);
    if (others.length < 1 || others.length > MOST_OTHERS) throw new ThoughtTreeError('bad-input', combinesFromTwo());
    const nodes = [node, ...others];
    for (const each of nodes) check(each, nodes);
    const made = await addCombined(ctx, nodes, by);
    return { path: pathOf(made), others: others.length };
  },
  say: ({ others }, { title }) => combined({ title, count: others }),
};

/** Returns a node by its slug path or its id. */
function named(tree: Tree, name: string): TreeNode {
  const found = nodeAt(tree, name) ?? [...walk(tree.root)].find((node) => node.parent && thoughtId(node) === name);
  if (found?.parent) return found;
  throw new ThoughtTreeError('bad-input', noNode({ path: name }));
}

function check(node: TreeNode, nodes: readonly TreeNode[]): void {
  if (isPruned(node) || node.fileId === undefined)
    throw new ThoughtTreeError('bad-input', combinesOpen({ node: thoughtId(node) }));
  const isAbove = nodes.some((other) => other !== node && lineageOf(other).includes(node));
  if (isAbove) throw new ThoughtTreeError('bad-input', combinesBeside({ node: thoughtId(node) }));
}

const Reconsider = z.object({
  threshold: z.number().min(0).max(10).optional(),
  candidates: z.number().int().min(1).max(50).optional(),
});
const Reconsidered = z.object({ judged: z.number().int() });

/** Another threshold, or more thoughts at a node, from now on: what judges pruned is judged again, or others are asked for. */
function reconsiderIn({ tree }: ThoughtSearch): Action<z.infer<typeof Reconsider>, z.infer<typeof Reconsidered>> {
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

/**
 * Returns one more solution, besides those that are there: what was passed over is taken up, or other thoughts are
 * asked for.
 */
function anotherSolutionIn({ tree, settings }: ThoughtSearch): Action<object, z.infer<typeof Another>> {
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
  const round = roundsBegun(node)[0] ?? nextRound(node);
  await history.record({ type: 'trying', node: pathOf(node), round }, true);
  beginRound(tree, node, round);
  ctx.changed([node.id]);
}

const Redone = z.object({ isJudged: z.boolean() });

/**
 * A thought's text is made by its parent. So a thought that was continued is asked for other next thoughts, and one that
 * was not is judged again.
 */
const redoThought: Action<z.infer<typeof RedoArgs>, z.infer<typeof Redone>> = {
  args: RedoArgs,
  result: Redone,
  async run({ ctx, loop, node, by }) {
    await loop.release(new Set([node.id]));
    if (node.status === 'expanded') {
      const round = roundsBegun(node)[0] ?? nextRound(node);
      await ctx.history.record({ type: 'trying', node: pathOf(node), round }, true);
      beginRound(ctx.tree, node, round);
      ctx.changed([node.id]);
      return { isJudged: false };
    }
    await discardJudgements(ctx, node);
    const reset = { evaluation: null, unscored: null, selected: null, leafReason: null, failure: null };
    await ctx.nodes.change(node, { ...reset, status: 'unexpanded' }, { by });
    return { isJudged: true };
  },
  say: ({ isJudged }, { title }) => (isJudged ? judgedAgain({ title }) : askedForOthers({ title })),
};
