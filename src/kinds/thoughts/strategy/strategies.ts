import { Adaptive, adaptive } from './adaptive.ts';
import { BestFirst, bestFirst } from './best-first.ts';
import { BreadthFirst, breadthFirst } from './breadth-first.ts';
import { DepthFirst, depthFirst } from './depth-first.ts';
import { Drafts, drafts } from './drafts.ts';
import type { StrategyFacts, ThoughtRules } from './thought-rules.ts';
import { Uct, uct } from './uct.ts';

/** The strategies of a search for a solution, by name. Plain data, so that every host may load it: what makes them is apart. */
export const STRATEGIES = {
  'breadth-first': breadthFirst,
  'depth-first': depthFirst,
  'best-first': bestFirst,
  adaptive,
  uct,
  drafts,
} as const;

/** Makes each strategy: functions, since another bundle has its own copy of a class. */
export const NEW_STRATEGY = {
  'breadth-first': (rules: ThoughtRules) => new BreadthFirst(rules),
  'depth-first': (rules: ThoughtRules) => new DepthFirst(rules),
  'best-first': (rules: ThoughtRules) => new BestFirst(rules),
  adaptive: (rules: ThoughtRules) => new Adaptive(rules),
  uct: (rules: ThoughtRules) => new Uct(rules),
  drafts: (rules: ThoughtRules) => new Drafts(rules),
} as const;

/** Decides which node is worked on next. */
export type StrategyName = keyof typeof STRATEGIES;

export const STRATEGY_NAMES = Object.keys(STRATEGIES) as readonly StrategyName[];

/** Returns what is known of a strategy, whichever it is. */
export function factsOf(strategy: StrategyName): StrategyFacts {
  return STRATEGIES[strategy];
}
