import type { MoveResult } from '../../../core/kind/strategy.ts';
import { isPruned, pathOf, type TreeNode } from '../../../core/tree/tree.ts';
import { decompositionOf } from '../decompose.ts';
import type { ReadJudgement } from '../prompts/thought-answers.ts';
import { judgementsOf } from '../strategy/thought-place.ts';
import { thoughtId } from '../thought-id.ts';
import type { ThoughtSearch } from '../thought-search.ts';
import { askJudge, type Judged } from './ask-judge.ts';
import { combine, consequenceFor, isClaim, type Standing } from './judgement.ts';
import { type Judging, keptJudgement } from './judgement-session.ts';

/**
 * Judges nodes: those that equal another one are merged into it first; for the rest, a judgement that an earlier run paid
 * for is applied, then the judge is asked. The consequences of a node's judgement are written together with it. Nodes
 * that already have a score get a further opinion along with the new ones, but are not a reason to ask.
 */
export async function evaluateThoughts(
  ctx: ThoughtSearch,
  wanted: readonly TreeNode[],
  signal: AbortSignal,
): Promise<MoveResult> {
  const judgedBefore = wanted.filter((node) => node.evaluation);
  const fresh = await mergeEqual(
    ctx,
    wanted.filter((node) => !node.evaluation),
  );
  const left = await useKept(ctx, fresh, signal);
  if (left.length === 0) return { outcome: 'done' };
  // A kept judgement has also judged the others.
  const others = left.length === fresh.length ? judgedBefore.filter((node) => isOpen(ctx, node)) : [];
  const nodes = [...left, ...others];
  const judging = { nodes, before: nodes.map(judgementsOf) };
  await take(ctx, judging, await askJudge(ctx, judging, signal), signal);
  return { outcome: 'done' };
}

/** Applies what an earlier run paid for; returns the nodes that it did not judge. */
async function useKept(ctx: ThoughtSearch, nodes: readonly TreeNode[], signal: AbortSignal): Promise<TreeNode[]> {
  let left = nodes.filter((node) => isOpen(ctx, node));
  for (const node of [...left]) {
    const kept = left.includes(node) ? await keptJudgement(ctx, node) : undefined;
    if (!kept) continue;
    await take(ctx, kept, await askJudge(ctx, kept, signal), signal);
    left = left.filter((each) => !kept.nodes.includes(each));
  }
  return left;
}

function isOpen(ctx: ThoughtSearch, node: TreeNode): boolean {
  return ctx.tree.get(node.id) === node && node.status === 'unexpanded' && !isPruned(node);
}

/** Merges nodes into others with the same verified state; returns the remaining ones. */
async function mergeEqual(ctx: ThoughtSearch, nodes: readonly TreeNode[]): Promise<TreeNode[]> {
  const { states } = ctx;
  const left: TreeNode[] = [];
  for (const node of nodes) {
    const same = isOpen(ctx, node) ? states.equalTo(node) : undefined;
    if (!same) {
      left.push(node);
      continue;
    }
    await ctx.nodes.commit(node, undefined, async ({ status }) => {
      if (status !== 'unexpanded' || isPruned(same)) return;
      await ctx.nodes.change(node, { status: 'leaf', leafReason: 'duplicate', sameAs: pathOf(same) });
    });
  }
  return left;
}

/** Writes judgements. The first node, under whose name the judgement is kept, comes last. */
async function take(
  ctx: ThoughtSearch,
  { nodes, before }: Judging,
  { samples, isPoor }: Judged,
  signal: AbortSignal,
): Promise<void> {
  const order = [...nodes.keys()].slice(1);
  for (const index of [...order, 0]) {
    const node = nodes[index] as TreeNode;
    const own = samples.flatMap((each) => each.get(thoughtId(node)) ?? []);
    await ctx.nodes.commit(node, signal, async ({ status }) => {
      const isNew = judgementsOf(node) === (before[index] ?? 0) && !(node.evaluation && own.length === 0);
      if (isNew && status === 'unexpanded') await writeJudged(ctx, node, own, isPoor);
    });
  }
}

async function writeJudged(
  ctx: ThoughtSearch,
  node: TreeNode,
  samples: readonly ReadJudgement[],
  isPoor: boolean,
): Promise<void> {
  const judged = samples.length > 0 ? combine(samples, isPoor, node.evaluation) : undefined;
  const at = await standingOf(ctx, node);
  if (!judged) {
    await ctx.nodes.change(node, { unscored: true, ...consequenceFor(undefined, at) });
    return;
  }
  // A thought that is a solution by its score counts as one by the judge's word.
  const claim = isClaim(judged.evaluation, at) ? { solution: true } : {};
  const evaluation = { ...judged.evaluation, ...claim };
  const consequence = consequenceFor({ ...judged, evaluation }, at);
  await ctx.nodes.change(node, { evaluation, unscored: null, ...consequence });
}

/** Returns what decides about the consequences of a judgement, besides itself. */
export async function standingOf(ctx: ThoughtSearch, node: TreeNode): Promise<Standing> {
  const { settings } = ctx;
  return {
    depth: node.depth,
    maxDepth: ctx.limits.now.maxDepth,
    threshold: settings.threshold,
    hasGoalTest: settings.task?.solved !== undefined,
    isExact: (await decompositionOf(ctx)).solutions === 'exact',
  };
}
