import { nextNumber, thoughtSlug } from '../../core/search/thought-id.ts';
import { pathOf } from '../../core/tree/tree.ts';
import type { Kind } from '../../engine/kind.ts';
import { composeAnswer } from './answer.ts';
import { prepareDecomposition } from './decompose.ts';
import { thoughtResults } from './outcome.ts';
import { thoughtSystemText } from './prompts.ts';
import { redoThought } from './redo-thought.ts';
import { writeThoughtReport } from './report.ts';
import { searchComplete } from './snapshot/search-complete.ts';
import { BestFirst } from './strategy/best-first.ts';
import { BreadthFirst } from './strategy/breadth-first.ts';
import { DepthFirst } from './strategy/depth-first.ts';
import type { ThoughtRules } from './strategy/thought-strategy.ts';
import { thoughtExecutors } from './thought-executors.ts';
import { thoughtsOf } from './thought-search.ts';
import { Tries, takeTries } from './tries.ts';

const STRATEGIES = { 'breadth-first': BreadthFirst, 'depth-first': DepthFirst, 'best-first': BestFirst } as const;

/** "Solve a problem": a tree of thoughts, proposed, judged, and the best of them gone on with. */
export const thoughts: Kind = {
  executors: thoughtExecutors,
  system: thoughtSystemText,
  needsProse: true,
  folds: () => [new Tries()],
  makeStrategy(ctx) {
    const { settings } = thoughtsOf(ctx);
    takeTries(ctx.tree, ctx.history.past);
    const { beam, judge, adaptive, tries, samples, task } = settings;
    const rules: ThoughtRules = {
      size: ctx.limits.size,
      beam,
      judge,
      adaptive,
      tries,
      samples,
      hasGoalTest: task?.solved !== undefined,
    };
    return new STRATEGIES[settings.strategy](rules);
  },
  takeUp: composeAnswer,
  writeReport: writeThoughtReport,
  message: searchComplete,
  prepare: prepareDecomposition,
  results: (ctx) => ({ thoughts: thoughtResults(ctx) }),
  restored: () => ({ selected: true }),
  redo: redoThought,
  childSlug: (parent) => thoughtSlug(pathOf(parent), nextNumber(parent)),
};
