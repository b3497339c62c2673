import * as z from 'zod';
import type { Strategy } from '../../core/kind/strategy.ts';
import type { SearchRecord } from '../../core/search/record/search-record.ts';
import { isSolved } from '../../core/tree/tree.ts';
import { reserveFor } from '../../engine/calls/closing-call.ts';
import type { Kind, KindRun } from '../../engine/kind/kind.ts';
import { thoughtActionsOf } from './actions/thought-actions.ts';
import { decompositionOf, prepareDecomposition } from './decompose.ts';
import { thoughtsFace } from './face.ts';
import { thoughtForecast } from './forecast.ts';
import { documentAgain } from './generate/document-again.ts';
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
import { thoughtExecutors } from './thought-executors.ts';
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
