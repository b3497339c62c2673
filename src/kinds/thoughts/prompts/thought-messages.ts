import * as z from 'zod';

// The messages of the system that this kind of search comes from, in its terms and spelling.

const LONGEST_CONTENT = 20_000;
const LONGEST_LINE = 2000;
const MOST = 1000;

const content = z.string().min(1).max(LONGEST_CONTENT);
const line = z.string().max(LONGEST_LINE);
const nodeId = z.string().min(1).max(1000);
const score = z.number().min(0).max(10);
const confidence = z.number().min(0).max(1);

/** A model's additions to the text of a thought: small, plain data. */
export const Metadata = z
  .record(z.string().max(100), z.json())
  .refine((data) => JSON.stringify(data).length <= 4000, 'the metadata is too long');

/** One step towards a solution. */
export const Thought = z.object({
  content,
  /** The name that lists show; by default its beginning. */
  title: z.string().max(200).optional(),
  /** The state that it leads to, which later steps build on. */
  leads_to: line.optional(),
  action_type: z.string().max(100).optional(),
  metadata: Metadata.optional(),
});
export type Thought = z.infer<typeof Thought>;

const ThoughtStatus = z.enum(['pending', 'expanded', 'pruned', 'terminal']);

/** A node in the source's messages. `id` is `root`, or a slug such as `node_1_2`. */
export const ThoughtNode = z.object({
  id: nodeId,
  parent_id: nodeId.nullable(),
  children_ids: z.array(nodeId).max(MOST),
  depth: z.number().int().min(0).max(1000),
  content,
  action_type: z.string().max(100).optional(),
  evaluation: z
    .looseObject({ score, confidence: confidence.optional(), reasoning: z.string().max(LONGEST_CONTENT).optional() })
    .nullable(),
  status: ThoughtStatus,
  metadata: Metadata.optional(),
});
export type ThoughtNode = z.infer<typeof ThoughtNode>;

/** The decomposition of a problem: what a step is, how many there may be, the constraints, and when it is solved. */
export const Decomposition = z.object({
  /** As in `single_equation` or `paragraph_plan`. */
  thought_granularity: line,
  intermediate_steps: z.array(line).max(100),
  depth_estimate: z.number().int().min(1).max(64),
  constraints: z.array(line).max(100),
  /** The assumptions that the problem leaves open, and all steps take as given. */
  assumptions: z.array(line).max(100).optional(),
  /** One by one; in older files, and in the source, as one text. */
  success_criteria: z.union([line, z.array(line).min(1).max(20)]),
  /** `graded` if one complete solution can be better than another, `exact` if one is right or wrong. */
  solutions: z.enum(['graded', 'exact']).optional(),
});
export type Decomposition = z.infer<typeof Decomposition>;

/** Returns the success criteria, one by one. */
export function criteriaOf({ success_criteria: said }: Decomposition): readonly string[] {
  return typeof said === 'string' ? [said] : said;
}

export const DecomposeTask = z.object({
  type: z.literal('decompose_task'),
  payload: z.object({ problem: z.string(), task_type: z.string().max(100) }),
});
export type DecomposeTask = z.infer<typeof DecomposeTask>;

export const DecompositionResult = z.object({ type: z.literal('decomposition_result'), payload: Decomposition });

export const GenerateThoughts = z.object({
  type: z.literal('generate_thoughts'),
  payload: z.object({
    parent_node: ThoughtNode,
    generation_strategy: z.string().max(60),
    /** 1 with `independent_sampling`, which asks as many times instead. */
    num_candidates: z.number().int().min(1),
    context: z.object({
      problem: z.string(),
      goal: z.string(),
      constraints: z.array(z.string()),
      /** The thoughts from the first level down to the parent, in order; empty for the root. */
      path: z.array(z.string()),
      /** Thoughts already proposed here: a new one has to differ. */
      earlier: z.array(z.string()),
    }),
  }),
});
export type GenerateThoughts = z.infer<typeof GenerateThoughts>;

export const GeneratedThoughts = z.object({
  type: z.literal('generated_thoughts'),
  payload: z.object({ candidates: z.array(Thought.extend({ temp_id: z.string().max(100).optional() })).max(MOST) }),
});

export const EvaluateThoughts = z.object({
  type: z.literal('evaluate_thoughts'),
  payload: z.object({
    /** One or more, all of one depth unless the strategy judges several depths at once. */
    candidates: z.array(ThoughtNode).min(1),
    evaluation_strategy: z.string().max(60),
    evaluation_criteria: z.array(z.string()),
    context: z.object({
      problem: z.string(),
      goal: z.string(),
      constraints: z.array(z.string()),
      /** Depth of the first candidate. */
      current_depth: z.number().int(),
      max_depth: z.number().int(),
      /** The thoughts that each candidate continues: by the parent's id, from the first level down to it. */
      paths: z.record(z.string(), z.array(z.string())),
    }),
  }),
});
export type EvaluateThoughts = z.infer<typeof EvaluateThoughts>;

/** One judgement of one thought. */
export const Judgement = z.object({
  id: nodeId,
  score,
  confidence: confidence.optional(),
  reasoning: z.string().max(LONGEST_CONTENT).optional(),
  dimension_scores: z.record(z.string().max(100), score).optional(),
  /** Its defects, each in one sentence. */
  defects: z.array(line).max(MOST).optional(),
  /** The judge considers the thought a complete solution. */
  solution: z.boolean().optional(),
});
export type Judgement = z.infer<typeof Judgement>;

export const Judgements = z.object({
  evaluations: z.array(Judgement).max(MOST),
  /** Ids, best first. */
  ranking: z.array(nodeId).max(MOST).optional(),
  /** Ids of thoughts that should be pruned. */
  pruning_suggestions: z.array(nodeId).max(MOST).optional(),
});
export type Judgements = z.infer<typeof Judgements>;

export const EvaluationResults = z.object({ type: z.literal('evaluation_results'), payload: Judgements });

export const FinalSolution = z.object({
  type: z.literal('final_solution'),
  payload: z.object({
    answer: z.string(),
    reasoning_trace: z.array(z.string()),
    confidence: confidence.optional(),
    verification: z.object({ is_valid: z.boolean(), validation_errors: z.array(z.string()) }).optional(),
    alternative_solutions: z.array(z.string()),
  }),
});
export type FinalSolution = z.infer<typeof FinalSolution>;

/** The source's codes for failures; they are `reason`s of ours. */
export const ThoughtErrorCode = z.enum([
  'INVALID_FORMAT',
  'GENERATION_FAILED',
  'EVALUATION_TIMEOUT',
  'SEARCH_EXHAUSTED',
]);
export type ThoughtErrorCode = z.infer<typeof ThoughtErrorCode>;
