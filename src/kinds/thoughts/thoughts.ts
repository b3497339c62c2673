import type { Kind } from '../../engine/kind.ts';
import { keptForReport } from '../research/report/synthesis.ts';
import { thoughtActions } from './actions/thought-actions.ts';
import { composeAnswer } from './answer.ts';
import { beginThoughts } from './begin.ts';
import { prepareDecomposition } from './decompose.ts';
import { thoughtsFace } from './face.ts';
import { thoughtForecast } from './forecast.ts';
import { thoughtOptionsSchema } from './options.ts';
import { thoughtResults } from './outcome.ts';
import { thoughtSystemText } from './prompts.ts';
import { writeThoughtReport } from './report.ts';
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
import { thoughtsOf } from './thought-search.ts';
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
  executors: thoughtExecutors,
  system: thoughtSystemText,
  system01: thoughtSystemText01,
  hooks: taskHooks,
  formats: [thoughtTreeFormat],
  keptForReport,
  folds: () => [new Tries(), new Wanted()],
  makeStrategy(ctx) {
    const { settings } = thoughtsOf(ctx);
    takeTries(ctx.tree, ctx.history.past);
    const wanted = ctx.history.past.part(Wanted);
    return new STRATEGIES[settings.strategy]({
      ...settings,
      size: ctx.limits.size,
      hasGoalTest: settings.task?.solved !== undefined,
      isWanted: (node) => wanted?.has(node) === true,
    });
  },
  takeUp: composeAnswer,
  writeReport: writeThoughtReport,
  message: searchComplete,
  prepare: prepareDecomposition,
  textTree: textTreeOf,
  results: thoughtResults,
  actions: thoughtActions,
};
