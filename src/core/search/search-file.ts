import * as z from 'zod';
import { CitationCounts } from '../citations/citation.ts';
import { Evaluation, Failure, LeafReason, NodeStatus, PrunedBy } from '../tree/node-status.ts';

/** The version of the files that this program writes, and the newest it reads. */
export const FORMAT_VERSION = 1;

const title = z.string().min(1).max(1000);

/**
 * What a clone may decide: nothing that spends, reaches a host or runs. These are the options of all kinds; each kind
 * checks its own when a search of it is opened.
 */
export const SearchOptions = z.looseObject({
  size: z.enum(['small', 'medium', 'large', 'all']).optional(),
  maxDepth: z.number().int().min(1).max(64).optional(),
  concurrency: z.number().int().min(1).max(256).optional(),
  /** False where prompts are to carry no quotations of the workspace. */
  context: z.boolean().optional(),
  /** Whether the model may list, search and read the workspace's files while it writes. */
  tools: z.boolean().optional(),
});
export type SearchOptions = z.infer<typeof SearchOptions>;

/** search.json */
export const SearchFile = z.looseObject({
  version: z.number().int(),
  kind: z.string().min(1).max(60),
  title,
  prompt: z.string().min(1).max(100_000),
  strategy: z.string().max(60).optional(),
  model: z.string().max(300).optional(),
  options: SearchOptions.default({}),
  createdAt: z.string().max(60).optional(),
});
export type SearchFile = z.infer<typeof SearchFile>;

/** children.json: membership and order. */
export const ChildrenFile = z.array(z.looseObject({ title, slug: z.string().min(1).max(255) })).max(100_000);
export type ChildrenFile = z.infer<typeof ChildrenFile>;

/** node.json. What cannot be understood in an optional field is dropped rather than losing the node. */
export const NodeFile = z.looseObject({
  title: title.catch('Untitled'),
  slug: z.string().min(1).max(255).optional().catch(undefined),
  status: NodeStatus.catch('unexpanded'),
  summary: z.string().max(2000).optional().catch(undefined),
  evaluation: Evaluation.optional().catch(undefined),
  leafReason: LeafReason.optional().catch(undefined),
  prunedBy: PrunedBy.optional().catch(undefined),
  failure: Failure.optional().catch(undefined),
  sessionId: z
    .string()
    .regex(/^[\w-]{1,100}$/)
    .optional()
    .catch(undefined),
  model: z.string().max(300).optional().catch(undefined),
  /** The agent's own session that its children's are forked from, where an agent worked on it. */
  agentSession: z.string().max(200).optional().catch(undefined),
  /** False where it was good enough but not kept, to be taken up later. */
  selected: z.boolean().optional().catch(undefined),
  /** The slug path of the node that it equals, where it was merged into one. */
  sameAs: z.string().max(1000).optional().catch(undefined),
  /** What a check made of the citations in its document. */
  citations: CitationCounts.optional().catch(undefined),
  /** Judging it failed: it has no score, and a neutral place in the order. */
  unscored: z.boolean().optional().catch(undefined),
  /** What its verified steps have come to; two nodes with the same state are one. */
  state: z.string().max(1000).optional().catch(undefined),
  /** Why it was cut off, in a line. */
  why: z.string().max(1000).optional().catch(undefined),
  /** What a person told the branch. */
  note: z.string().max(100_000).optional().catch(undefined),
});
export type NodeFile = z.infer<typeof NodeFile>;
