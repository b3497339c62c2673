import * as z from 'zod';

/** Which node of a search for a solution is worked on next. */
export const ThoughtStrategy = z.enum(['breadth-first', 'depth-first', 'best-first']);
export type ThoughtStrategy = z.infer<typeof ThoughtStrategy>;

/** Settings that belong together for one sort of problem; see `engine/thoughts/presets.ts`. */
export const PresetName = z.enum([
  'math_reasoning',
  'creative_writing',
  'planning',
  'architecture_design',
  'debugging',
]);
export type PresetName = z.infer<typeof PresetName>;

export const GenerationStrategy = z.enum(['independent_sampling', 'sequential_proposal']);
export type GenerationStrategy = z.infer<typeof GenerationStrategy>;

export const EvaluationStrategy = z.enum(['independent_scoring', 'comparative_voting']);
export type EvaluationStrategy = z.infer<typeof EvaluationStrategy>;

/** The name of a task's hooks; never code. */
export const TaskName = z.string().regex(/^[a-z][a-z0-9-]{0,59}$/);

/** What search.json may say of a search of kind `thoughts`, beside size, depth and slots. */
export const THOUGHT_OPTIONS = {
  preset: PresetName.optional(),
  task: TaskName.optional(),
  /** Thoughts asked for at one node. */
  candidates: z.number().int().min(1).max(50).optional(),
  /** Thoughts of one layer that are gone on with. */
  beam: z.number().int().min(1).max(50).optional(),
  /** Scores below it are pruned. */
  threshold: z.number().min(0).max(10).optional(),
  generation: GenerationStrategy.optional(),
  evaluation: EvaluationStrategy.optional(),
  /** Judgements of one thought, averaged. */
  samples: z.number().int().min(1).max(20).optional(),
  /** Whether one call judges a whole layer, or the children of one parent. */
  judge: z.enum(['layer', 'parent']).optional(),
  /** Whether the beam grows and shrinks with the scores of a layer. */
  adaptive: z.boolean().optional(),
  /** How often thoughts are asked for at one node before it is given up. */
  tries: z.number().int().min(1).max(20).optional(),
} as const;

const Shape = z.object(THOUGHT_OPTIONS);
type Shape = z.infer<typeof Shape>;

type Settings = { readonly [K in Exclude<keyof Shape, 'preset' | 'task'>]?: NonNullable<Shape[K]> };

/** What a task or a preset sets where nobody said otherwise. */
export interface ThoughtDefaults extends Settings {
  readonly strategy?: ThoughtStrategy;
  readonly maxDepth?: number;
}
