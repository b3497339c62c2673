import * as z from 'zod';
import { Said } from '../messages/said.ts';

/** The status of a node. An unknown word on disk reads as `unexpanded`. */
export const NodeStatus = z.enum(['unexpanded', 'in-progress', 'expanded', 'leaf', 'pruned', 'failed']);
export type NodeStatus = z.infer<typeof NodeStatus>;

/** Who or what pruned a branch. */
export const PrunedBy = z.enum(['user', 'threshold', 'evaluator', 'constraint', 'verifier', 'picker']);
export type PrunedBy = z.infer<typeof PrunedBy>;

/** Why a finished node has no children. */
export const LeafReason = z.enum(['model', 'depth-limit', 'no-sources', 'duplicate', 'solved']);
export type LeafReason = z.infer<typeof LeafReason>;

/** Why a node failed: `reason` is a `Reason` of our errors, `message` says what to do. */
export const Failure = z.object({ reason: z.string().max(100), message: z.string().max(4000), say: Said });
export type Failure = z.infer<typeof Failure>;

/** A node's worth: `score` from 0 to 10, `confidence` from 0 to 1. */
export const Evaluation = z.looseObject({
  score: z.number().min(0).max(10),
  confidence: z.number().min(0).max(1).optional(),
  reasoning: z.string().max(20_000).optional(),
  /** Scores of single criteria, 0 to 10 each. */
  dimension_scores: z.record(z.string().max(100), z.number().min(0).max(10)).optional().catch(undefined),
  /** The faults that judges named, each in one sentence. */
  defects: z.array(z.string().max(1000)).max(200).optional().catch(undefined),
  /** The samples of which the score is the mean, 0 to 10 each. */
  votes: z.array(z.number().min(0).max(10)).max(100).optional().catch(undefined),
  /** Its mean place among those it was judged with, from 1, if the judge ranked them: decides between equal scores. */
  rank: z.number().min(1).optional().catch(undefined),
  /** Judged by simpler criteria, or with fewer samples, than requested. */
  low_confidence: z.boolean().optional().catch(undefined),
  /** The judge considers it a complete solution. */
  solution: z.boolean().optional().catch(undefined),
  /** A second judge, who did not know what the first one said, considers it one as well. */
  confirmed: z.boolean().optional().catch(undefined),
});
export type Evaluation = z.infer<typeof Evaluation>;
