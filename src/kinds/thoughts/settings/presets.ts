import type { PresetName, ThoughtDefaults } from './options.ts';

/** A preset: its settings, and the criteria by which thoughts are judged. */
export interface Preset extends ThoughtDefaults {
  readonly criteria: readonly string[];
}

/**
 * The settings of the system that this kind comes from, by type of problem. Its `branching` is the beam of a breadth-first
 * search and the number of thoughts of a depth-first one; if it gives a range, the upper end is used here. It gives no
 * number of thoughts to ask for: 5, as in its example.
 */
export const PRESETS: Readonly<Record<PresetName, Preset>> = {
  math_reasoning: {
    strategy: 'breadth-first',
    beam: 5,
    candidates: 5,
    maxDepth: 4,
    threshold: 5,
    evaluation: 'independent_scoring',
    criteria: ['correctness', 'progress', 'feasibility'],
  },
  creative_writing: {
    strategy: 'breadth-first',
    beam: 4,
    candidates: 5,
    maxDepth: 3,
    threshold: 6,
    generation: 'independent_sampling',
    evaluation: 'comparative_voting',
    criteria: ['coherence', 'creativity', 'fit'],
  },
  planning: {
    strategy: 'depth-first',
    beam: 3,
    candidates: 3,
    maxDepth: 5,
    threshold: 5.5,
    evaluation: 'independent_scoring',
    criteria: ['correctness', 'progress', 'feasibility'],
  },
  architecture_design: {
    strategy: 'breadth-first',
    beam: 4,
    candidates: 5,
    maxDepth: 3,
    threshold: 6.5,
    evaluation: 'comparative_voting',
    criteria: ['fit', 'simplicity', 'feasibility'],
  },
  debugging: {
    strategy: 'depth-first',
    beam: 3,
    candidates: 3,
    maxDepth: 5,
    threshold: 5,
    evaluation: 'independent_scoring',
    criteria: ['plausibility', 'evidence', 'cost of checking'],
  },
};
