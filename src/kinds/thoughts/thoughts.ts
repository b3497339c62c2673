import type { Strategy } from '../../core/search/strategy.ts';
import { reserveFor } from '../../engine/calls/closing-call.ts';
import type { Kind, KindRun } from '../../engine/kind.ts';
import { thoughtActions } from './actions/thought-actions.ts';
import { composeAnswer } from './answer.ts';
import { beginThoughts } from './begin.ts';
import { prepareDecomposition } from './decompose.ts';
import { thoughtsFace } from './face.ts';
import { thoughtForecast } from './forecast.ts';
import { thoughtOptionsSchema } from './options.ts';
import { thoughtResults } from './outcome.ts';
import { thoughtSystemText } from './prompts.ts';
import { ANSWER_CALL, writeThoughtReport } from './report.ts';
import { usualDepth } from './settings.ts';
import { searchComplete } from './snapshot/search-complete.ts';
import { thoughtTreeFormat } from './snapshot/thought-tree-format.ts';
import { BestFirst } from './strategy/best-first.ts';
import { BreadthFirst } from './strategy/breadth-first.ts';
import { DepthFirst } from './strategy/depth-first.ts';
import { thoughtSystemText01 } from './system-text-0.1.ts';
import { taskHooks } from './tasks/task-hooks.ts';
import { textTreeOf } from './text-tree.ts';
import { thoughtExecutors } from './thought-executors.ts';
import { openThoughts, type ThoughtSearch } from './thought-search.ts';
import { Tries, takeTries } from './tries.ts';
import { Wanted } from './wanted.ts';

const STRATEGIES = { 'breadth-first': BreadthFirst, 'depth-first': DepthFirst, 'best-first': BestFirst } as const;

/** "Solve a problem": a tree of thoughts, proposed, judged, and the best of them continued. */
export const thoughts: Kind = {
  face: thoughtsFace,
  options: thoughtOptionsSchema,
  begin: beginThoughts,
  usualDepth,
  forecast: thoughtForecast,
  system: thoughtSystemText,
  system01: thoughtSystemText01,
  hooks: taskHooks,
  formats: [thoughtTreeFormat],
  folds: () => [new Tries(), new Wanted()],
  textTree: textTreeOf,
  open: (ctx) => runOf(openThoughts(ctx)),
};

function runOf(search: ThoughtSearch): KindRun {
  return {
    strategy: strategyOf(search),
    executors: thoughtExecutors(search),
    actions: thoughtActions,
    takeUp: () => composeAnswer(search),
    async again({ id }) {
      search.wantedDeeper.add(id);
      return 0;
    },
    prepare: (show) => prepareDecomposition(search, show),
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
    isWanted: (node) => wanted?.has(node) === true,
  });
}
