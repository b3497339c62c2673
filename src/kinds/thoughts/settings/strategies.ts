/**
 * The strategies of a search for a solution, by name: how often a thought is continued by default, and what the source
 * calls the strategy. Breadth-first keeps enough next to a thought; the others return to it, best-first for less each
 * time. Plain data, so that every host may load it.
 */
export const STRATEGIES = {
  'breadth-first': { tries: 1, source: 'BFS' },
  'depth-first': { tries: 3, source: 'DFS' },
  'best-first': { tries: 8, source: 'best-first' },
} as const;

/** Decides which node is worked on next. */
export type ThoughtStrategy = keyof typeof STRATEGIES;

export const STRATEGY_NAMES = Object.keys(STRATEGIES) as readonly ThoughtStrategy[];
