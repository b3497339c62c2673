import * as z from 'zod';
import { SearchFile } from '../../../core/search/search-file.ts';
import { NodeFile } from '../../../core/tree/node-file.ts';
import { NodeStatus } from '../../../core/tree/node-status.ts';
import { allThoughtOptions } from '../settings/options.ts';

/** The metadata key for what the source's format has no field for. */
export const OWN_KEY = 'thought_tree';

const {
  leafReason,
  prunedBy,
  failure,
  selected,
  sameAs,
  unscored,
  state,
  why,
  whySay,
  note,
  model,
  citations,
  quotations,
} = NodeFile.shape;

const json = z.record(z.string(), z.json());

/** The fields about the search itself in the root's metadata, as in search.json. */
const OwnSearch = z.object({
  title: SearchFile.shape.title,
  strategy: SearchFile.shape.strategy,
  model: SearchFile.shape.model,
  options: allThoughtOptions.default({}),
  createdAt: SearchFile.shape.createdAt,
  decomposition: z.json().optional(),
  notes: z.string().max(1_000_000).optional(),
});
export type OwnSearch = z.infer<typeof OwnSearch>;

/** Our own fields in a node's metadata, named as in node.json; invalid ones are ignored. */
export const OwnFields = z.object({
  status: NodeStatus.optional().catch(undefined),
  leafReason,
  prunedBy,
  failure,
  selected,
  /** The id of the equal node into which it was merged. */
  sameAs,
  unscored,
  /** The nodes that it was made from and the like; `to` is an id of this snapshot. */
  links: NodeFile.shape.links,
  /** The rest of a solution was to be written below it in one thought. */
  completes: z.boolean().optional().catch(undefined),
  state,
  why,
  whySay,
  note,
  model,
  citations,
  quotations,
  summary: NodeFile.shape.summary,
  /** If it is not the shortened thought. */
  title: SearchFile.shape.title.optional().catch(undefined),
  /** Votes, scores by criterion and the like: an evaluation's fields that the source lacks. */
  evaluation: json.optional().catch(undefined),
  /** Of a pruned node without children: that it was worked on. */
  listed: z.boolean().optional().catch(undefined),
  /** The number of times that thoughts were asked for at it, if its children do not show it. */
  tries: z.number().int().min(1).max(1000).optional().catch(undefined),
  /** Its document's front matter apart from the source's fields. */
  frontMatter: json.optional().catch(undefined),
  search: OwnSearch.optional().catch(undefined),
});
export type OwnFields = z.infer<typeof OwnFields>;

const id = z.string().min(1).max(1000);

/** A node of a snapshot. Whatever others may leave out is optional. */
export const SnapshotNode = z.looseObject({
  id: id.optional(),
  parent_id: id.nullish(),
  children_ids: z.array(id).nullish(),
  depth: z.number().int().nullish(),
  content: z
    .string()
    .max(900_000)
    .refine((text) => text.trim() !== '', 'it is empty'),
  action_type: z.string().max(1000).nullish(),
  evaluation: z
    .looseObject({
      score: z.number().min(0).max(10),
      confidence: z.number().min(0).max(1).nullish(),
      reasoning: z.string().max(20_000).nullish(),
    })
    .nullish(),
  status: z.enum(['pending', 'expanded', 'pruned', 'terminal']).nullish(),
  metadata: json.nullish(),
});
export type SnapshotNode = z.infer<typeof SnapshotNode>;

/** The source's ThoughtTree, as read: its nodes are checked one by one. */
export const Snapshot = z.looseObject({
  task_id: z.string().max(1000).nullish(),
  problem: z.string().nullish(),
  task_type: z.string().max(1000).nullish(),
  search_config: z
    .looseObject({
      strategy: z.string().max(60).nullish(),
      max_depth: z.number().nullish(),
      branching_factor: z.number().nullish(),
      num_candidates: z.number().nullish(),
      pruning_threshold: z.number().nullish(),
    })
    .nullish(),
  nodes: z.custom<Readonly<Record<string, unknown>>>(
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
    'it has to be an object with the nodes by their ids',
  ),
  root_id: id.nullish(),
  search_state: z.looseObject({ frontier: z.array(z.string()).nullish() }).nullish(),
});
export type Snapshot = z.infer<typeof Snapshot>;
