import type { Message } from '../../../core/messages/message.ts';
import type { Findings, NextAction } from '../../../core/search/findings.ts';
import { lineageOf, pathOf, type TreeNode, walk } from '../../../core/tree/tree.ts';
import { scoreText } from '../../../engine/report/node-text.ts';
import { CANDIDATES } from '../actions/action-faces.ts';
import { allPruned, nothingLeft } from '../messages.ts';
import { byPromise } from '../strategy/comparisons.ts';
import type { ThoughtSearch } from '../thought-search.ts';
import { backtracks, outcomeOf } from './outcome.ts';

/** The results of a search for a solution, in numbers and paths. */
export function thoughtResults(ctx: ThoughtSearch): Findings {
  const { settings, answer } = ctx;
  const { solved, finished, best } = outcomeOf(ctx);
  return {
    solved: solved !== undefined,
    ...(finished && answer !== undefined ? { answer } : {}),
    finishedPath: slugsTo(finished),
    bestPath: slugsTo(best),
    backtracks: backtracks(ctx, settings.strategy),
    next: nextActions(ctx),
    callsByPurpose: ctx.history.past.statistics.callsByPurpose,
  };
}

function slugsTo(node: TreeNode | undefined): string[] {
  return node ? lineageOf(node).map(pathOf) : [];
}

/** Why a search has no answer, and what may be done; undefined if it has one, or has not begun. */
export function whyNoAnswer(ctx: ThoughtSearch): Message | undefined {
  if (!ctx.tree.root.listed || outcomeOf(ctx).finished) return undefined;
  const { pruned, best } = prunedIn(ctx);
  if (!best) return nothingLeft();
  return allPruned({ count: pruned, score: scoreText(best) ?? '?', threshold: ctx.settings.threshold });
}

/** Suggests to a person, where nothing was found, settings that change something; else another solution. */
function nextActions(ctx: ThoughtSearch): NextAction[] {
  if (!ctx.tree.root.listed) return [];
  const { solved, finished } = outcomeOf(ctx);
  if (solved) return [{ action: 'another-solution', args: {} }];
  if (finished) return [];
  const { best } = prunedIn(ctx);
  const { threshold, candidates } = ctx.settings;
  const lower = Math.max(0, Math.min(Math.floor(best?.evaluation?.score ?? threshold), threshold - 1));
  return [
    ...(best ? [{ action: 'reconsider', args: { threshold: lower } }] : []),
    { action: 'reconsider', args: { candidates: Math.min(CANDIDATES.most, 2 * candidates) } },
  ];
}

/** Counts the thoughts that were pruned, and finds the best of those that a judge's word pruned. */
function prunedIn({ tree }: ThoughtSearch): { pruned: number; best: TreeNode | undefined } {
  const pruned = [...walk(tree.root)].filter(({ status }) => status === 'pruned');
  const judged = pruned.filter(({ prunedBy }) => prunedBy === 'threshold' || prunedBy === 'evaluator');
  return { pruned: pruned.length, best: judged.sort(byPromise)[0] };
}
