import * as z from 'zod';
import { CitationCounts } from '../citations/citation.ts';
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

/** The title of a search or a node. */
export const Title = z.string().min(1).max(1000);

/** An edge in addition to the tree, such as `depends-on`, to a node by its id. */
export const Link = z.object({ type: z.string().min(1).max(100), to: z.string().min(1).max(100) });
export type Link = z.infer<typeof Link>;

/** The maximum length of all notes to a branch, in characters. */
export const LONGEST_NOTE = 100_000;

/** The maximum length of a kind's own data about a node, as JSON, in characters. */
const LONGEST_OWN = 20_000;

/** The fields of node.json besides title, slug and status, in the order in which they are written. */
const FIELDS = {
  /** Assigned once, with the node; distinguishes a renamed folder from a copy. */
  id: z.string().regex(/^[\w-]{1,100}$/),
  links: z.array(Link).max(1000),
  summary: z.string().max(2000),
  evaluation: Evaluation,
  leafReason: LeafReason,
  prunedBy: PrunedBy,
  failure: Failure,
  sessionId: z.string().regex(/^[\w-]{1,100}$/),
  model: z.string().max(300),
  /** The agent's session that its children's are forked from, if an agent worked on it. */
  agentSession: z.string().max(200),
  /** False if it was good enough but not kept, and can be taken up later. */
  selected: z.boolean(),
  /** The slug path of the equal node into which it was merged. */
  sameAs: z.string().max(1000),
  /** The results of checking the citations in its document. */
  citations: CitationCounts,
  /** The result for each of them, in a line. */
  quotations: z.array(z.string().max(400)).max(200),
  /** Judging it failed: it has no score, and a neutral place in the order. */
  unscored: z.boolean(),
  /** The state after its verified steps; two nodes with the same state are merged. */
  state: z.string().max(1000),
  /** Why it was pruned, in one line. */
  why: z.string().max(1000),
  /** The reason as data, where it is ours to say. */
  whySay: Said,
  /** A person's note to the branch. */
  note: z.string().max(LONGEST_NOTE),
  /** Its kind's own data; the kind checks it when reading. */
  own: z
    .record(z.string().max(60), z.json())
    .refine((own) => JSON.stringify(own).length <= LONGEST_OWN, `more than ${LONGEST_OWN} characters`),
} as const;

const NEXT = withoutId(FIELDS);

function withoutId({ id: _id, ...rest }: typeof FIELDS): Omit<typeof FIELDS, 'id'> {
  return rest;
}

/** node.json. An invalid optional field is dropped rather than losing the node. */
export const NodeFile = z.looseObject({
  ...lenient({ id: FIELDS.id }),
  title: Title.catch('Untitled'),
  slug: z.string().min(1).max(255).optional().catch(undefined),
  status: NodeStatus.catch('unexpanded'),
  ...lenient(NEXT),
});
export type NodeFile = z.infer<typeof NodeFile>;

/** Any of the fields, checked, as events contain them. */
export const ToldFields = { title: Title.optional(), ...optional(FIELDS) };

/** The content of node.json, apart from the name of its folder and fields added by others. */
export type NodeData = { title: string; status: NodeStatus } & {
  [K in keyof typeof FIELDS]?: z.infer<(typeof FIELDS)[K]> | undefined;
};

const NAMES = ['title', 'status', ...Object.keys(FIELDS)] as readonly (keyof NodeData)[];

/** Returns the part of a node.json that is ours. */
export function nodeDataOf(file: NodeFile): NodeData {
  const data: Partial<Record<keyof NodeData, unknown>> = {};
  for (const name of NAMES) if (file[name] !== undefined) data[name] = file[name];
  return data as NodeData;
}

type Shape = Readonly<Record<string, z.ZodType>>;

function optional<T extends Shape>(shape: T): { [K in keyof T]: z.ZodOptional<T[K]> } {
  return mapped(shape, (schema) => schema.optional()) as { [K in keyof T]: z.ZodOptional<T[K]> };
}

function lenient<T extends Shape>(shape: T): { [K in keyof T]: z.ZodCatch<z.ZodOptional<T[K]>> } {
  return mapped(shape, (schema) => schema.optional().catch(undefined)) as {
    [K in keyof T]: z.ZodCatch<z.ZodOptional<T[K]>>;
  };
}

function mapped(shape: Shape, change: (schema: z.ZodType) => z.ZodType): Record<string, z.ZodType> {
  return Object.fromEntries(Object.entries(shape).map(([name, schema]) => [name, change(schema)]));
}
