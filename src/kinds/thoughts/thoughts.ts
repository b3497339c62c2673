import type { Strategy } from '../../core/kind/strategy.ts';
import type { SearchRecord } from '../../core/search/record/search-record.ts';
import { isSolved } from '../../core/tree/tree.ts';
import { reserveFor } from '../../engine/calls/closing-call.ts';
import type { Kind, KindRun } from '../../engine/kind/kind.ts';
import { thoughtActions } from './actions/thought-actions.ts';
import { prepareDecomposition } from './decompose.ts';
import { thoughtsFace } from './face.ts';
import { thoughtForecast } from './forecast.ts';
import { documentAgain } from './generate/document-again.ts';
import { thoughtSystemText } from './prompts/prompts.ts';
import { thoughtSystemText01 } from './prompts/system-text-0.1.ts';
import { Tries, takeTries } from './record/tries.ts';
import { Wanted } from './record/wanted.ts';
import { takeUpAnswer } from './report/answer.ts';
import { thoughtResults } from './report/outcome.ts';
import { ANSWER_CALL, writeThoughtReport } from './report/report.ts';
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
  begin: beginThoughts,
  usualDepth,
  forecast: thoughtForecast,
  system: thoughtSystemText,
  version01: { system: thoughtSystemText01, purposes: [] },
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
    actions: thoughtActions,
    takeUp: () => takeUpAnswer(search),
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

function strategyOf({ settings, tree, history, limits }: ThoughtSearch): Strategy {
  takeTries(tree, history.past);
  const wanted = history.past.part(Wanted);
  return new STRATEGIES[settings.strategy]({
    ...settings,
    size: limits.now.size,
    hasGoalTest: settings.task?.solved !== undefined,
    merges: settings.task?.state !== undefined,
    isWanted: (node) => wanted?.has(node) === true,
    isOver: isSolved(tree) && hasEnded(history.past),
  });
}

/** Whether its last run ended with a solution. Without a journal (a clone, an import), what is there counts as its end. */
function hasEnded({ hasBegun, end }: SearchRecord): boolean {
  return !hasBegun || (end?.type === 'search-finished' && end.reason === 'solved');
}
