import * as z from 'zod';

// The tools answer these as data, which goes along as text, too.

const Counts = z.object({
  expanded: z.number(),
  leaf: z.number(),
  'in-progress': z.number(),
  unexpanded: z.number(),
  pruned: z.number(),
  failed: z.number(),
});

/** A node in a list. */
const NodeRow = z.object({
  node: z.string(),
  title: z.string(),
  status: z.string(),
  score: z.number().optional(),
  /** Children that the list leaves out. */
  hidden: z.number().optional(),
});
export type NodeRow = z.infer<typeof NodeRow>;

const ActionArgument = z.object({
  name: z.string(),
  type: z.string(),
  required: z.boolean(),
  help: z.string(),
  choices: z.array(z.string()).optional(),
});

/** An action that can be taken now. */
const OfferedAction = z.object({
  action: z.string(),
  title: z.string(),
  help: z.string(),
  arguments: z.array(ActionArgument),
  /** It needs a person's permission because it may cost money, or because it removes something. */
  spends: z.boolean(),
  removes: z.boolean(),
});
export type OfferedAction = z.infer<typeof OfferedAction>;

const Band = z.object({ low: z.number(), likely: z.number(), high: z.number() });

/** The state of a search. */
export const Status = z.object({
  search: z.string(),
  title: z.string(),
  question: z.string(),
  kind: z.string(),
  state: z.enum(['running', 'waiting', 'paused', 'interrupted', 'finished']),
  reason: z.string().optional(),
  /** Who works on it: this program, another one, or nobody. */
  run_by: z.enum(['this program', 'another program', 'nobody']),
  folder: z.string(),
  model: z.string().optional(),
  spent: z.object({
    calls: z.number(),
    tokens: z.number(),
    usd: z.number(),
    /** True if the price of every call is known. */
    usd_complete: z.boolean(),
    minutes: z.number(),
  }),
  limits: z.object({ size: z.string(), max_depth: z.number(), max_usd: z.number().optional() }),
  nodes: Counts,
  /** The forecast for the rest, if it costs anything. */
  left: z.object({ usd: Band.optional(), minutes: Band }).optional(),
  best: z.array(NodeRow),
  answer: z.string().optional(),
  has_report: z.boolean(),
  /** Pieces of work that wait for somebody outside. */
  offers: z.number(),
  actions: z.array(z.string()),
  next: z.string(),
});
export type Status = z.infer<typeof Status>;

/** A part of a search, in pieces that fit into an answer. */
export const Read = z.object({
  search: z.string(),
  what: z.enum(['outline', 'node', 'report', 'words']),
  node: z.string(),
  title: z.string(),
  status: z.string().optional(),
  text: z.string(),
  offset: z.number(),
  /** Where the rest begins; missing if this is the end. */
  next_offset: z.number().optional(),
  total_chars: z.number(),
  nodes: z.array(NodeRow).optional(),
  calls: z.array(z.object({ call: z.number(), purpose: z.string(), outcome: z.string() })).optional(),
  actions: z.array(z.string()).optional(),
});
export type Read = z.infer<typeof Read>;

/** The result of an action, and what can be done now. */
export const Acted = z.object({
  search: z.string(),
  node: z.string().optional(),
  state: z.string(),
  done: z
    .object({ action: z.string(), ok: z.boolean(), message: z.string(), reason: z.string().optional() })
    .optional(),
  value: z.unknown().optional(),
  actions: z.array(OfferedAction),
});
export type Acted = z.infer<typeof Acted>;

/** The searches of a folder. */
export const Listed = z.object({
  searches: z.array(
    z.object({
      search: z.string(),
      title: z.string(),
      kind: z.string(),
      state: z.string(),
      /** Of a search that somebody outside leads, how far it is. */
      reason: z.string().optional(),
      nodes: z.number(),
      usd: z.number(),
      created: z.string().optional(),
      problem: z.string().optional(),
    }),
  ),
  /** The number of further ones. */
  more: z.number(),
});
export type Listed = z.infer<typeof Listed>;
