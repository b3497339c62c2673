import type { MoveResult } from '../../../core/kind/strategy.ts';
import { noted } from '../../../core/messages/kept.ts';
import { toThoughtTreeError } from '../../../core/search/errors.ts';
import { pathOf, type TreeNode } from '../../../core/tree/tree.ts';
import { consequenceOf } from '../../../engine/loop/consequence.ts';
import { solutionClaimed, solutionFound, solutionRefuted, solutionUnchecked } from '../messages.ts';
import { type ReadJudgement, readJudgements } from '../prompts/thought-answers.ts';
import { isClaimed, judgementsOf } from '../strategy/thought-place.ts';
import { thoughtId } from '../thought-id.ts';
import type { ThoughtSearch } from '../thought-search.ts';
import { judgedAbout, wordsFor } from './ask-judge.ts';
import { standingOf } from './evaluate-thoughts.ts';
import { combine, consequenceFor, isClaim, type Standing } from './judgement.ts';
import { isPartOf, verdictOn } from './judgement-session.ts';

/**
 * Asks the judge once more about a thought that was called a solution: in a fresh conversation, without what was said before,
 * and whether it holds. Only then it is one. If no verdict can be had, the first judge's word stands, and is marked.
 */
export async function verifySolution(ctx: ThoughtSearch, node: TreeNode, signal: AbortSignal): Promise<MoveResult> {
  const { title } = node;
  ctx.history.note({ type: 'progress', ...noted(solutionClaimed({ title })) });
  const verdict = await ask(ctx, node, signal);
  const at = await standingOf(ctx, node);
  const isHeld = verdict === undefined || isHeldBy(verdict, at);
  await ctx.nodes.commit(node, signal, async () => {
    if (!isClaimed(node) || !node.evaluation) return;
    const judged = verdict
      ? combine([verdict], false, node.evaluation)
      : { evaluation: { ...node.evaluation, low_confidence: true }, prune: false, violates: false };
    // Why it was proposed as one stays said, unless that is refuted.
    const said = isHeld && node.evaluation.reasoning ? { reasoning: node.evaluation.reasoning } : {};
    const claim = { ...judged.evaluation, ...said, solution: true };
    const consequence = consequenceFor({ ...judged, prune: false, evaluation: { ...claim, confirmed: isHeld } }, at);
    // A verdict that nobody gave is not written down as one.
    const evaluation = verdict ? { ...claim, confirmed: isHeld } : claim;
    await ctx.nodes.change(node, { evaluation, ...consequence });
    ctx.history.note({ type: 'progress', ...noted(isHeld ? solutionFound() : solutionRefuted({ title })) });
  });
  return { outcome: 'done' };
}

/** A verdict in words counts more than a score; what breaks a constraint is no solution. */
function isHeldBy(verdict: ReadJudgement, at: Standing): boolean {
  return verdict.violates_constraint !== true && (verdict.solution ?? isClaim(verdict, at));
}

/** One more judgement of the thought alone; undefined where the judge gives none. */
async function ask(ctx: ThoughtSearch, node: TreeNode, signal: AbortSignal): Promise<ReadJudgement | undefined> {
  const conversation = await verdictOn(ctx, node);
  const judging = { nodes: [node], before: [judgementsOf(node)] };
  const about = await judgedAbout(ctx, [node]);
  try {
    const given = await ctx.asks.ask(
      {
        purpose: 'evaluate',
        node: node.parent,
        about: [pathOf(node)],
        words: () => wordsFor(ctx, [node], { isSimple: false, isVerdict: true, sample: 0 }),
        check: (text) => readJudgements(text, { ...about, isCompared: false }),
        keep: {
          conversation,
          isLike: isPartOf(judging, conversation),
          marks: { about: [pathOf(node)], before: [...judging.before] },
        },
      },
      signal,
    );
    return given.value.get(thoughtId(node));
  } catch (error) {
    if (consequenceOf(error) !== 'fail') throw error;
    const code = toThoughtTreeError(error).reason === 'timed-out' ? 'EVALUATION_TIMEOUT' : 'INVALID_FORMAT';
    ctx.history.note({ type: 'progress', ...noted(solutionUnchecked({ code, title: node.title })) });
    return undefined;
  }
}
