import type { PresetName, ThoughtDefaults } from './options.ts';

/** A preset: its settings, and what usually counts in such problems, which becomes concrete as their success criteria. */
export interface Preset extends ThoughtDefaults {
  readonly aspects: readonly string[];
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
    aspects: ['correctness', 'completeness'],
  },
  creative_writing: {
    strategy: 'breadth-first',
    beam: 4,
    candidates: 5,
    maxDepth: 3,
    threshold: 6,
    generation: 'independent_sampling',
    evaluation: 'comparative_voting',
    aspects: ['coherence', 'creativity', 'fit'],
  },
  planning: {
    strategy: 'depth-first',
    beam: 3,
    candidates: 3,
    maxDepth: 5,
    threshold: 5.5,
    evaluation: 'independent_scoring',
    aspects: ['figures that add up', 'feasible with the means given', 'order and dependencies', 'fall-backs'],
  },
  architecture_design: {
    strategy: 'breadth-first',
    beam: 4,
    candidates: 5,
    maxDepth: 3,
    threshold: 6.5,
    evaluation: 'comparative_voting',
    aspects: ['fit', 'simplicity', 'feasibility', 'cost of later changes'],
  },
  debugging: {
    strategy: 'depth-first',
    beam: 3,
    candidates: 3,
    maxDepth: 5,
    threshold: 5,
    evaluation: 'independent_scoring',
    aspects: ['explains every symptom', 'evidence', 'cost of checking'],
  },
};
