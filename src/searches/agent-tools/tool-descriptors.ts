import * as z from 'zod';
import type { KindDescriptor, OptionDescriptor } from '../../core/kind/kind-descriptor.ts';

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

/** One side of a comparison. */
const ComparedSide = z.object({
  search: z.string(),
  node: z.string(),
  state: z.string(),
  nodes: z.number(),
  calls: z.number(),
  tokens: z.number(),
  usd: z.number(),
});

/** Tells the differences between two searches, moments or nodes, in pieces that fit into an answer. */
export const ComparedTwo = z.object({
  a: ComparedSide,
  b: ComparedSide,
  /** The number of the last event that both have, of two that have one past. */
  same_until: z.number().optional(),
  same_nodes: z.number(),
  changed_nodes: z.number(),
  only_a: z.number(),
  only_b: z.number(),
  text: z.string(),
  offset: z.number(),
  next_offset: z.number().optional(),
  total_chars: z.number(),
});
export type ComparedTwo = z.infer<typeof ComparedTwo>;

/** The promises that a client may rely on. A tool that can do several things carries the worst of them. */
interface ToolAnnotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

/** A tool as clients see it: plain data and schemas, so that a host can show it before anything else is loaded. */
interface ToolDescriptor {
  readonly name: TreeToolName;
  readonly title: string;
  readonly description: string;
  readonly input: z.ZodObject;
  readonly output: z.ZodObject;
  readonly annotations: ToolAnnotations;
}

/** The longest question, in characters. */
const LONGEST_QUESTION = 20_000;
/** The longest plan, in characters. */
const LONGEST_PLAN = 200_000;
/** The longest wait of one call, in seconds: below the minute after which clients give up. */
const LONGEST_WAIT = 50;

const READS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false } as const;

const search = z.string().min(1).max(300).describe('The search, by the name that tree_start or tree_list gave.');
const node = z.string().max(1000).describe('A node, by its path as in the outline or by its title.');
const maxUsd = z
  .number()
  .nonnegative()
  .max(1_000_000)
  .describe('Pause before it spends more than this, in US dollars. It can only lower what the person allows.');
const seconds = z.number().min(0).max(LONGEST_WAIT);
const model = z.string().min(1).max(300);

const StartInput = z.object({
  question: z.string().min(1).max(LONGEST_QUESTION).describe('What to find out, or the problem to solve.'),
  kind: z.string().min(1).max(60).optional().describe('The kind of search; by default the first one of this program.'),
  plan: z
    .string()
    .min(1)
    .max(LONGEST_PLAN)
    .optional()
    .describe(
      'The plan of a goal (work-graph) as YAML: goal, base_case, and atoms with id, title, run or does, depends_on, touches and checks.',
    ),
  title: z.string().min(1).max(200).optional().describe('What to call it; by default made from the question.'),
  size: z.enum(['small', 'medium', 'large', 'all']).optional().describe('How far to go: 20, 60, 200 or all nodes.'),
  max_depth: z.int().min(1).max(64).optional().describe('How deep the tree may grow.'),
  options: z
    .object({})
    .catchall(z.union([z.string().max(1000), z.number(), z.boolean()]))
    .optional()
    .describe('Options of its kind, by name.'),
  model: model
    .optional()
    .describe('PROVIDER/MODEL; by default the one that the person chose. workspace/quotes is free.'),
  judge: model.optional().describe('The model that picks and scores, if different.'),
  max_usd: maxUsd.optional(),
  wait_seconds: seconds.default(0).describe('How long to wait for its end before answering.'),
});

const WaitInput = z.object({ search, seconds: seconds.default(20).describe('How long to wait at most.') });
const StatusInput = z.object({ search });

const ReadInput = z.object({
  search,
  what: z
    .enum(['outline', 'node', 'report', 'words'])
    .describe('The tree, a node with its document, the report, or the exact words of a call made for a node.'),
  node: node.optional().describe('The node; for an outline, the branch. Left out: the whole search.'),
  call: z.int().min(1).max(100_000).optional().describe('Which call of the node, from 1; the last one by default.'),
  offset: z.int().min(0).max(100_000_000).default(0).describe('Where to continue a long text: its next_offset.'),
});

const ActInput = z.object({
  search,
  node: node.optional().describe('The node to act on. Left out: the search as a whole.'),
  action: z.string().min(1).max(60).optional().describe('What to do. Left out: says what can be done now.'),
  arguments: z.looseObject({}).optional().describe('The arguments of the action, by name.'),
  max_usd: maxUsd.optional(),
});

const CompareInput = z.object({
  search: search.describe('A search by its name, or a moment of one: NAME@42 is NAME right after event 42.'),
  with: search.describe('The search or moment that it is compared with.'),
  node: node.optional().describe('Only this node and what is below it. Left out: the whole search.'),
  with_node: node.optional().describe('The node of the other one; by default the same.'),
  offset: z.int().min(0).max(100_000_000).default(0).describe('Where to continue a long text: its next_offset.'),
});

/** The tools over searches of every kind, in a fixed order: hosts offer them as they are. */
export const TREE_TOOLS = [
  {
    name: 'tree_start',
    title: 'Start a search',
    description:
      'Starts a tree search for a question in the background and gives its name. ' +
      'What costs money needs the permission of a person; workspace/quotes, which only quotes the folder, is free.',
    input: StartInput,
    output: Status,
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  },
  {
    name: 'tree_wait',
    title: 'Wait for a search',
    description: 'Waits until a search has ended or paused, but not longer than asked, and says how it is then.',
    input: WaitInput,
    output: Status,
    annotations: READS,
  },
  {
    name: 'tree_status',
    title: 'Status of a search',
    description: 'Says what a search does, what it has spent, its best nodes, and what can be done with it.',
    input: StatusInput,
    output: Status,
    annotations: READS,
  },
  {
    name: 'tree_read',
    title: 'Read a search',
    description: 'Reads the outline of a search, a node and its document, its report, or the exact words of a call.',
    input: ReadInput,
    output: Read,
    annotations: READS,
  },
  {
    name: 'tree_act',
    title: 'Steer a search',
    description:
      'Does something with a search or one of its nodes: expand, prune, pause, resume, note, and whatever its kind offers. ' +
      'Without an action it says what can be done now, and changes nothing.',
    input: ActInput,
    output: Acted,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  },
  {
    name: 'tree_list',
    title: 'List searches',
    description: 'Lists the searches of the folder, the latest first.',
    input: z.object({}),
    output: Listed,
    annotations: READS,
  },
  {
    name: 'tree_compare',
    title: 'Compare searches',
    description:
      'Says where two searches, two moments of one, or two nodes part, and what differs: nodes, scores, documents, branches.',
    input: CompareInput,
    output: ComparedTwo,
    annotations: READS,
  },
] as const satisfies readonly ToolDescriptorOf<string>[];

/** Returns the tools of a program, with the kinds of searches that it knows and their options. */
export function toolsFor(kinds: readonly KindDescriptor[]): readonly ToolDescriptor[] {
  const [first, ...others] = kinds.map(({ name }) => name);
  if (first === undefined) return TREE_TOOLS;
  const lines = kinds.map(({ name, words }) => `- ${name}: ${words.title}. ${words.detail}`);
  const options = kinds.flatMap((kind) => optionLine(kind) ?? []);
  const { shape } = StartInput;
  const input = StartInput.extend({
    kind: z
      .enum([first, ...others])
      .optional()
      .describe(`The kind of search (default: ${first}):\n${lines.join('\n')}`),
    options: shape.options.describe(`Options of its kind, by name:\n${options.join('\n')}`),
  });
  return TREE_TOOLS.map((tool) => (tool.name === 'tree_start' ? { ...tool, input } : tool));
}

/** Returns the options of a kind that agents may set; undefined if there are none. */
function optionLine({ name, options }: KindDescriptor): string | undefined {
  const open = options.filter(({ hidden, forPeople }) => !hidden && !forPeople);
  return open.length === 0 ? undefined : `- ${name}: ${open.map(optionText).join(', ')}`;
}

function optionText({ name, type, choices, least, most }: OptionDescriptor): string {
  const range = least !== undefined && most !== undefined ? `${least} to ${most}` : type;
  return `${name} (${choices?.join(', ') ?? range})`;
}

type ToolDescriptorOf<N> = Omit<ToolDescriptor, 'name'> & { readonly name: N };

/**
 * Those that an editor's window offers its agents itself, with its own cards and models. The others come from the server
 * that runs next to it: only a server's answer can be drawn as a page in the chat.
 */
export const WINDOW_TOOLS = [
  'tree_start',
  'tree_wait',
  'tree_read',
  'tree_act',
  'tree_list',
] as const satisfies readonly TreeToolName[];

/** The names of these tools. */
export type TreeToolName =
  | 'tree_start'
  | 'tree_wait'
  | 'tree_status'
  | 'tree_read'
  | 'tree_act'
  | 'tree_list'
  | 'tree_compare';

export type StartArgs = z.infer<typeof StartInput>;
export type ReadArgs = z.infer<typeof ReadInput>;
export type ActArgs = z.infer<typeof ActInput>;
export type CompareArgs = z.infer<typeof CompareInput>;
