import { oneLine } from '../../../core/text/text.ts';
import { lineageOf, type TreeNode } from '../../../core/tree/tree.ts';
import { decompositionOf } from '../decompose.ts';
import type { BesideData, PathData } from '../prompts/prompt-data.ts';
import { eachOnce } from '../prompts/thought-answers.ts';
import { criteriaOf, type Decomposition } from '../prompts/thought-messages.ts';
import { restsOn } from '../strategy/comparisons.ts';
import { byRank, worthOf } from '../strategy/thought-place.ts';
import { thoughtAt } from '../thought-document.ts';
import type { ThoughtSearch } from '../thought-search.ts';

/** From this score on, a criterion counts as met. */
const MET = 9;
/** The most defects of one path that a request names; more would hide the latest. */
const MOST_DEFECTS = 30;
const MOST_BESIDE = 4;
const LONGEST_KEY = 100;

/** A criterion as the key of its score. */
export function criterionKey(criterion: string): string {
  return oneLine(criterion, LONGEST_KEY);
}

/** The defects that judges named of these nodes, each once, in order. */
export function defectsOf(nodes: readonly TreeNode[]): string[] {
  return eachOnce(nodes.flatMap(({ evaluation }) => evaluation?.defects ?? []));
}

/** The success criteria that the last judged thought of a path leaves open; none where no judge said. */
function openAt(node: TreeNode, decomposition: Decomposition): PathData['open'] {
  const judged = lineageOf(node).findLast(({ evaluation }) => evaluation);
  const scores = judged?.evaluation?.dimension_scores;
  if (!scores) return [];
  const scored = criteriaOf(decomposition).map((each, at) => ({
    number: at + 1,
    score: scores[criterionKey(each)] ?? MET,
  }));
  return scored.filter(({ score }) => score < MET);
}

/** The path to a node, with what judges said of it, and of what its thoughts were made from. */
export async function judgedPath(ctx: ThoughtSearch, node: TreeNode): Promise<PathData> {
  const path = lineageOf(node);
  const steps = await Promise.all(path.map((each) => thoughtAt(ctx, each)));
  const open = openAt(node, await decompositionOf(ctx));
  return { steps, objections: defectsOf(restsOn(ctx.tree, node)).slice(-MOST_DEFECTS), open };
}

/** The best that were proposed beside a node and not chosen, with what is said against them. */
export async function besideOf(ctx: ThoughtSearch, node: TreeNode): Promise<BesideData[]> {
  const isWhole = ({ prunedBy, leafReason }: TreeNode): boolean =>
    prunedBy !== 'verifier' && prunedBy !== 'user' && leafReason !== 'duplicate';
  const others = (node.parent?.children ?? []).filter((each) => each !== node && isWhole(each) && !each.failure);
  const best = [...others].sort((a, b) => worthOf(b) - worthOf(a) || byRank(a, b)).slice(0, MOST_BESIDE);
  return await Promise.all(best.map((each) => besideAt(ctx, each)));
}

/** A thought with what judges said against it. */
export async function besideAt(ctx: ThoughtSearch, node: TreeNode): Promise<BesideData> {
  return { thought: await thoughtAt(ctx, node), objections: node.evaluation?.defects ?? [] };
}
