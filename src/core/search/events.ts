import * as z from 'zod';
import { Said } from '../messages/said.ts';
import { KnownPrice } from '../money/known-price.ts';
import { UsageDoubt } from '../money/usage-doubt.ts';
import { OFFER_EVENTS } from '../offers/offer.ts';
import { NodeStatus, ToldFields } from '../tree/node-file.ts';
import { Limits } from './limits.ts';
import { MOST_BESIDE } from './rankings.ts';

/** The search that another one began as a copy of, and the event after which. */
export const ForkedFrom = z.object({
  /** The name of its folder. */
  search: z.string().max(300),
  event: z.number().int().positive(),
  time: z.string().max(60),
});
export type ForkedFrom = z.infer<typeof ForkedFrom>;

const count = z.number().int().nonnegative();

/** Where the words of a call are kept: an answer in a conversation, with the question in the turn before it. */
export const KeptTranscript = z.object({
  conversation: z.string(),
  /** The answer's turn, from 0. */
  turn: count,
  /** The turns that were sent before the prompt: the first ones of these conversations, in order, and their number. */
  after: z.array(z.object({ conversation: z.string(), turns: count })).optional(),
});
export type KeptTranscript = z.infer<typeof KeptTranscript>;

const tokens = z.number().int().nonnegative();

export const UsageRecord = z.object({
  prompt: tokens,
  cached: tokens,
  completion: tokens,
  written: tokens.optional(),
  usd: z.number().nonnegative().optional(),
});

/** The most a call can cost: tokens of the prompt and of the longest answer, and their price if known. */
export const WorstCase = z.object({ tokens, usd: z.number().nonnegative().optional() });
export type WorstCase = z.infer<typeof WorstCase>;

/** One of the times that a call was made, where a queue that loses its memory may have it made twice. */
export const Delivery = z.object({
  /** Of the queue, which stands for the call. */
  job: z.string().max(100),
  /** Of whoever took it from the queue; empty if nobody did. */
  taken: z.string().max(100),
});
export type Delivery = z.infer<typeof Delivery>;

/** The results of a search, in numbers; what its kind adds is under the kind's name, see `record/search-state.ts`. */
export const Results = z.looseObject({
  expanded: z.number(),
  leaves: z.number(),
  /** Already finished on disk when this run opened the search. */
  skipped: z.number(),
  failed: z.number(),
  pruned: z.number(),
  /** Nodes still to be worked on. */
  open: z.number(),
  calls: z.number(),
  tokens: z.object({ prompt: z.number(), cached: z.number(), completion: z.number(), worstCase: z.number() }),
  usd: z.number(),
  /** True if every call's price was known. */
  usdComplete: z.boolean(),
  minutes: z.number(),
  /** The part of `calls`, `tokens` and `usd` that is only booked, for calls that were cut off or whose use nobody told. */
  booked: z.object({ calls: z.number(), tokens: z.number(), usd: z.number() }).optional(),
});
export type Results = z.infer<typeof Results>;

/** Why a search stopped before its end. */
export const PauseReason = z.enum(['user', 'budget', 'person', 'store']);
export type PauseReason = z.infer<typeof PauseReason>;

/** Who changed something, if not the search itself: a person's name, or one of `FOUND`. */
const by = z.string().optional();
/** The fields that say what a call is for. */
const Asked = {
  /** The question that it is an attempt at: the same for its retries and corrections, also in a later process. */
  question: z.string().optional(),
  /** The slug paths of the nodes that it is about, if not the one it is made for. */
  about: z.array(z.string()).optional(),
};

/** The models of a run, its limits, and the prices by which it counts, by model. */
const Begun = {
  model: z.string(),
  judge: z.string().optional(),
  limits: Limits,
  prices: z.record(z.string(), KnownPrice).optional(),
};

/** Who made a change in the folder: noticed while the search is open, or on opening it. */
export const FOUND = { byHand: 'hand', onOpening: 'opening' } as const;

/** A hash of a document: the first 128 bits of its SHA-256, in hex. */
const hash = z
  .string()
  .regex(/^[\da-f]{32,64}$/)
  .optional();

/**
 * Everything that can happen to a search, as the journal, the terminal, the tree view and the panel receive it. Messages
 * for people are English text with the same as data in `say`; a text that is not ours has no such data.
 */
const Happening = z.discriminatedUnion('type', [
  z.object({ type: z.literal('search-started'), ...Begun }),
  z.object({ type: z.literal('search-resumed'), ...Begun }),
  /** The beginning of every request of the search, from here on. */
  z.object({ type: z.literal('system-text'), text: z.string() }),
  /** `reason` is that of a model that cannot be reached, or `offers`: all remaining work is outside. */
  z.object({ type: z.literal('search-waiting'), reason: z.string(), message: z.string(), say: Said }),
  /** `reason` is `offers` if it waited for those. */
  z.object({ type: z.literal('search-running'), reason: z.string().optional() }),
  z.object({
    type: z.literal('search-paused'),
    reason: PauseReason,
    cause: z.string().optional(),
    message: z.string(),
    say: Said,
    results: Results,
  }),
  z.object({
    type: z.literal('search-finished'),
    reason: z.enum(['size', 'complete', 'solved', 'finish-now']),
    /** Why there is nothing to show, if there is not. */
    message: z.string().optional(),
    say: Said.optional(),
    results: Results,
  }),
  z.object({
    type: z.literal('node-added'),
    node: z.string(),
    /** With the full content of their files. `at`: its place among all children, from 0. */
    children: z.array(
      z.object({
        ...ToldFields,
        slug: z.string(),
        title: z.string(),
        score: z.number().optional(),
        at: z.number().int().nonnegative().optional(),
        status: NodeStatus.optional(),
        document: hash,
      }),
    ),
    by,
  }),
  z.object({
    /** Fields of a node were set or removed; its status may be unchanged. */
    type: z.literal('node-status'),
    node: z.string(),
    status: NodeStatus,
    /** Its status before, where that is another one: who counts what happened counts these. */
    was: NodeStatus.optional(),
    ...ToldFields,
    /** The names of the removed fields. */
    gone: z.array(z.string()).optional(),
    /** The hash of document.md, if it was written or found edited; if it was removed, it is in `gone`. */
    document: hash,
    by,
  }),
  z.object({ type: z.literal('node-removed'), node: z.string(), by }),
  /** A branch has a new path. It is at place `at` among its siblings, from 0. */
  z.object({
    type: z.literal('node-moved'),
    node: z.string(),
    from: z.string(),
    id: z.string().optional(),
    at: z.number().int().nonnegative(),
    by,
  }),
  /** The children of a node were reordered: all of them, by slug. */
  z.object({ type: z.literal('node-order'), node: z.string(), order: z.array(z.string()), by }),
  z.object({
    type: z.literal('call-started'),
    call: z.string(),
    ...Asked,
    purpose: z.string(),
    node: z.string(),
    model: z.string(),
    attempt: z.number().int(),
    worst: WorstCase,
    /** A hash of what was sent: calls of one question with the same hash sent the same. */
    sent: z.string().optional(),
  }),
  z.object({
    type: z.literal('call-ended'),
    call: z.string(),
    ...Asked,
    node: z.string(),
    purpose: z.string(),
    /** `ok`, or the reason of the failure. */
    outcome: z.string(),
    message: z.string().optional(),
    say: Said,
    ms: z.number(),
    usage: UsageRecord.optional(),
    /** The use that it counts as without a usage, where more arrived than its worst case allows. */
    booked: WorstCase.optional(),
    /** False if the call cannot have cost anything. */
    charged: z.boolean(),
    /** Where its words are kept, unless they are recorded separately. */
    kept: KeptTranscript.optional(),
    /** Its answer came to a later process, which took it. */
    late: z.literal(true).optional(),
    /** Whose answer it was, if there may be another one. */
    making: Delivery.optional(),
  }),
  z.object({
    /** A model's server gave figures of a call that cannot be right; told once a search, model and doubt. */
    type: z.literal('usage-doubted'),
    model: z.string(),
    doubt: UsageDoubt,
    message: z.string(),
    say: Said,
  }),
  z.object({
    /** A model used a tool: on what, as in `src/a.ts:1-40`, and the length of the result, in UTF-16 code units. */
    type: z.literal('tool-used'),
    call: z.string(),
    node: z.string(),
    tool: z.string(),
    what: z.string(),
    isRefused: z.boolean(),
    length: z.number().int(),
  }),
  z.object({
    /** The conversation above a node did not fit into its model: what was sent shortened, as slug paths. */
    type: z.literal('context-shortened'),
    node: z.string(),
    purpose: z.string(),
    documents: z.array(z.string()),
    lists: z.array(z.string()),
    /** Estimated tokens of the whole request before, and the most that the model accepts. */
    tokens: z.number(),
    room: z.number(),
  }),
  /** A prompt at a node was shown this text of other branches: it is used again in the same conversation. */
  z.object({ type: z.literal('shown'), node: z.string(), session: z.string(), text: z.string() }),
  /** A further round at a node that has children begins: until it is journaled as done, they are incomplete. */
  z.object({ type: z.literal('trying'), node: z.string(), round: z.number().int() }),
  z.object({
    /** The models, of several, that a round at a node goes on without, all of them; none where it ends without a result. */
    type: z.literal('models-passed'),
    node: z.string(),
    round: z.number().int(),
    models: z.array(z.string().max(300)).max(50),
    /** The last of them could spend nothing more, under this limit in US dollars. */
    spent: z.object({ model: z.string().max(300), most: z.number().nonnegative() }).optional(),
  }),
  /** Thoughts were asked for at a node, and the result is on disk; `round` counts from 1. */
  z.object({ type: z.literal('generated'), node: z.string(), round: z.number().int(), found: z.number().int() }),
  z.object({
    type: z.literal('picked'),
    ranking: z.array(z.string()),
    /** Missing if it was asked for alone, and replaces the one before. */
    beside: z
      .object({ nth: z.number().int().positive(), kept: z.number().int().positive().max(MOST_BESIDE) })
      .optional(),
  }),
  z.object({
    type: z.literal('steered'),
    by: z.string(),
    action: z.string(),
    node: z.string().optional(),
    /** Its arguments and its result. */
    args: z.record(z.string(), z.unknown()).optional(),
    value: z.unknown().optional(),
    /** The reply to whoever asked. */
    message: z.string(),
    say: Said,
  }),
  /** Everything before came with the search's folder, and this user had not opened it here: nothing is learnt from it. */
  z.object({ type: z.literal('adopted') }),
  /** This user is known to have spent more on the search than its journal says; tokens of every sort together. */
  z.object({
    type: z.literal('spend-remembered'),
    calls: z.number().int().nonnegative(),
    tokens,
    usd: z.number().nonnegative(),
    minutes: z.number().nonnegative(),
    /** Of the queue: it was a second answer to the call of this job. */
    job: z.string().optional(),
    /** Which of its deliveries: it is counted once, however often it is found in the queue. */
    taken: z.string().max(100).optional(),
  }),
  z.object({ type: z.literal('budget-changed'), by: z.string(), limits: Limits }),
  z.object({ type: z.literal('reconciled'), node: z.string(), what: z.string(), say: Said }),
  z.object({ type: z.literal('lease-taken'), epoch: z.number().int(), pid: z.number().int(), host: z.string() }),
  /** Everything before is that of another search, up to an event of it: its calls count there. */
  z.object({ type: z.literal('forked'), from: ForkedFrom }),
  /** A text of the search as a whole, such as notes.md, was written or found changed: its hash, if it is not gone. */
  z.object({ type: z.literal('text-written'), file: z.string().max(300), text: hash, by }),
  /** With a call, it is what that says of itself while it is under way. */
  z.object({ type: z.literal('progress'), text: z.string(), say: Said, call: z.string().optional() }),
  ...OFFER_EVENTS,
]);

/** An event without its place in the journal. */
export type SearchEvent = z.infer<typeof Happening>;

/** An event in the journal: `seq` counts from 1, `time` is ISO 8601 in UTC. */
export const JournalEvent = z.intersection(z.object({ seq: z.number().int().positive(), time: z.string() }), Happening);
export type JournalEvent = z.infer<typeof JournalEvent>;

/** Something computed from a journal, event by event, in order. */
export interface Fold {
  /** Takes one event into account; ignores irrelevant ones, including unknown types. */
  apply(event: JournalEvent): void;
}

/** A fold that can be kept and taken up again, so that a long journal need not be read from its beginning. */
export interface KeptFold extends Fold {
  /** Distinguishes it from others. */
  readonly name: string;
  /** All that it knows, as data for JSON. */
  readonly state: unknown;
  /**
   * Makes a new one know what another did.
   * @throws ZodError if that is no state of it
   */
  restore(state: unknown): void;
}

/** The class of a fold that is added to a record as a part of it. */
export interface PartClass<T extends KeptFold> {
  new (): T;
  /** The name of each of its instances. */
  readonly part: T['name'];
}

/** A hash of a text: the first 128 bits of its SHA-256, in hex. */
const hashOfText = z.string().regex(/^[\da-f]{32}$/);

/** The call that a node's findings came from. A claim: it counts where this user's journal tells the same. */
export const EngineReceipt = z.object({
  by: z.literal('engine'),
  call: z.string().max(100),
  model: z.string().max(300),
  /** Of the question, without the system text, and of the answer. */
  prompt: hashOfText,
  answer: hashOfText,
  usage: UsageRecord.optional(),
});
export type EngineReceipt = z.infer<typeof EngineReceipt>;

/** The origin of a node: the engine, an agent whose session file was found, or nobody knows. */
export type Receipt =
  | EngineReceipt
  | { readonly by: 'agent'; readonly agent: string }
  | { readonly by: 'unverified'; readonly agent?: string | undefined };

/** The number of nodes of each origin. */
export type ReceiptCounts = Readonly<Record<Receipt['by'], number>>;

/** Counts receipts; undefined if there are none. */
export function countReceipts(receipts: readonly Receipt[]): ReceiptCounts | undefined {
  if (receipts.length === 0) return undefined;
  const counts = { engine: 0, agent: 0, unverified: 0 };
  for (const { by } of receipts) counts[by]++;
  return counts;
}
