import * as z from 'zod';
import type { Move, MoveResult, Strategy } from '../../core/kind/strategy.ts';
import type { SearchRecord } from '../../core/search/record/search-record.ts';
import { isSolved, type NodeId, type TreeNode } from '../../core/tree/tree.ts';
import { reserveFor } from '../../engine/calls/closing-call.ts';
import type { Kind, KindRun } from '../../engine/kind/kind.ts';
import type { Executors } from '../../engine/loop/executor.ts';
import { thoughtActionsOf } from './actions/thought-actions.ts';
import { decompositionOf, prepareDecomposition } from './decompose.ts';
import { thoughtsFace } from './face.ts';
import { thoughtForecast } from './forecast.ts';
import { choose, revive } from './generate/choose-thoughts.ts';
import { combineThoughts, writeCombined } from './generate/combine.ts';
import { documentAgain } from './generate/document-again.ts';
import { completeThought, expandThought, listFirstThoughts, tryAgain } from './generate/expand-thought.ts';
import { compareSolutions } from './judge/compare-solutions.ts';
import { evaluateThoughts } from './judge/evaluate-thoughts.ts';
import { verifySolution } from './judge/verify-solution.ts';
import { thoughtSystemText } from './prompts/prompts.ts';
import { Tries, takeTries } from './record/tries.ts';
import { Wanted } from './record/wanted.ts';
import { takeUpAnswer } from './report/answer.ts';
import { ANSWER_CALL } from './report/final-answer.ts';
import { writeThoughtReport } from './report/report.ts';
import { thoughtResults, whyNoAnswer } from './report/results.ts';
import { textTreeOf } from './report/text-tree.ts';
import { beginThoughts } from './settings/begin.ts';
import { thoughtOptionsSchema } from './settings/options.ts';
import { usualDepth } from './settings/settings.ts';
import { searchComplete } from './snapshot/search-complete.ts';
import { thoughtTreeFormat } from './snapshot/thought-tree-format.ts';
import { BestFirst } from './strategy/best-first.ts';
import { BreadthFirst } from './strategy/breadth-first.ts';
import { DepthFirst } from './strategy/depth-first.ts';
import { taskHooks } from './tasks/task-hooks.ts';
import { openThoughts, type ThoughtSearch } from './thought-search.ts';

const STRATEGIES = { 'breadth-first': BreadthFirst, 'depth-first': DepthFirst, 'best-first': BestFirst } as const;

/** "Solve a problem": a tree of thoughts, proposed, judged, and the best of them continued. */
export const thoughts: Kind = {
  face: thoughtsFace,
  options: thoughtOptionsSchema,
  own: z.object({ completes: z.boolean().optional() }),
  begin: beginThoughts,
  usualDepth,
  forecast: thoughtForecast,
  system: thoughtSystemText,
  hooks: taskHooks,
  formats: [thoughtTreeFormat],
  folds: () => [new Tries(), new Wanted()],
  textTree: textTreeOf,
  documentAgain,
  open: (ctx) => runOf(openThoughts(ctx)),
};

function runOf(search: ThoughtSearch): KindRun {
  return {
    strategy: strategyOf(search),
    executors: thoughtExecutors(search),
    actions: thoughtActionsOf(search),
    whyNothing: () => whyNoAnswer(search),
    async takeUp() {
      // The strategy has to know whether solutions are graded before it is asked for anything.
      if (search.tree.root.listed) await decompositionOf(search);
      await takeUpAnswer(search);
    },
    async again({ id }) {
      search.wantedDeeper.add(id);
      return 0;
    },
    prepare: (show, making) => prepareDecomposition(search, show, making),
    keptForReport: reserveFor(search, ANSWER_CALL),
    writeReport: (results) => writeThoughtReport(search, results),
    message: () => searchComplete(search),
    results: () => thoughtResults(search),
  };
}

function strategyOf(search: ThoughtSearch): Strategy {
  const { settings, tree, history, limits } = search;
  const hasGoalTest = settings.task?.solved !== undefined;
  takeTries(tree, history.past);
  const wanted = history.past.part(Wanted);
  return new STRATEGIES[settings.strategy]({
    ...settings,
    size: limits.now.size,
    hasGoalTest,
    isGraded: () => !hasGoalTest && search.decomposition?.solutions === 'graded',
    merges: settings.task?.state !== undefined,
    wantedEnds: () => wanted?.ends ?? 1,
    ownThreshold: () => wanted?.changed.threshold,
    isWanted: (node) => wanted?.has(node) === true,
    isOver: isSolved(tree) && hasEnded(history.past),
  });
}

/** Tells whether its last run ended with a solution; true without a journal (a clone, an import). */
function hasEnded({ hasBegun, end }: SearchRecord): boolean {
  return !hasBegun || (end?.type === 'search-finished' && end.reason === 'solved');
}

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
