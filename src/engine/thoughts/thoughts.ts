import { nextNumber, thoughtSlug } from '../../core/thought-id.ts';
import { pathOf } from '../../core/tree.ts';
import { BestFirst } from '../../strategies/best-first.ts';
import { BreadthFirst } from '../../strategies/breadth-first.ts';
import { DepthFirst } from '../../strategies/depth-first.ts';
import type { ThoughtRules } from '../../strategies/thought-strategy.ts';
import type { Kind } from '../kind.ts';
import { composeAnswer } from './answer.ts';
import { prepareDecomposition } from './decompose.ts';
import { thoughtResults } from './outcome.ts';
import { thoughtSystemText } from './prompts.ts';
import { redoThought } from './redo-thought.ts';
import { writeThoughtReport } from './report.ts';
import { searchComplete } from './search-complete.ts';
import { thoughtExecutors } from './thought-executors.ts';
import { takeInJournal, thoughtsOf } from './thought-search.ts';

const STRATEGIES = { 'breadth-first': BreadthFirst, 'depth-first': DepthFirst, 'best-first': BestFirst } as const;

/** "Solve a problem": a tree of thoughts, proposed, judged, and the best of them gone on with. */
export const thoughts: Kind = {
  executors: thoughtExecutors,
  system: thoughtSystemText,
  needsProse: true,
  makeStrategy(ctx, _concurrency, journal) {
    const { settings } = thoughtsOf(ctx);
    takeInJournal(ctx, journal);
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
