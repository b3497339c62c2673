import * as z from 'zod';
import { Said } from '../messages/said.ts';
import { OFFER_EVENTS } from '../offers/offer-events.ts';
import { ToldFields } from '../tree/node-file.ts';
import { NodeStatus } from '../tree/node-status.ts';
import { KeptWords } from './kept-words.ts';
import { Limits } from './limits.ts';

const tokens = z.number().int().nonnegative();

export const UsageRecord = z.object({
  prompt: tokens,
  cached: tokens,
  completion: tokens,
  written: tokens.optional(),
  usd: z.number().nonnegative().optional(),
});

/** The most a call can cost: tokens of the prompt and of the longest answer, and their price where one is known. */
export const WorstCase = z.object({ tokens, usd: z.number().nonnegative().optional() });
export type WorstCase = z.infer<typeof WorstCase>;

/** What a search has come to, in numbers; what its kind adds is found under the kind's name, see `findings.ts`. */
export const Results = z.looseObject({
  expanded: z.number(),
  leaves: z.number(),
  /** Found finished on disk when this run opened the search. */
  skipped: z.number(),
  failed: z.number(),
  pruned: z.number(),
  /** Nodes still to be worked on. */
  open: z.number(),
  calls: z.number(),
  tokens: z.object({ prompt: z.number(), cached: z.number(), completion: z.number(), worstCase: z.number() }),
  usd: z.number(),
  /** Whether every call's price was known. */
  usdComplete: z.boolean(),
  minutes: z.number(),
});
export type Results = z.infer<typeof Results>;

/** Why a search stopped before its end. */
export const PauseReason = z.enum(['user', 'budget', 'person', 'store']);
export type PauseReason = z.infer<typeof PauseReason>;

/** Who changed something, where it was not the search's own work: a person's word, or one of `FOUND`. */
const by = z.string().optional();
/** What a call is for; missing in journals of version 0.1. */
const Asked = {
  /** The question that it is an attempt at: the same for its retries and corrections, also in a later process. */
  question: z.string().optional(),
  /** The slug paths of the nodes that it is about, where that is not the one it is made for. */
  about: z.array(z.string()).optional(),
};

/** Who changed what was changed in the folder: noticed by a search that is open, or on opening it. */
export const FOUND = { byHand: 'hand', onOpening: 'opening' } as const;

/** The SHA-256 of a document, in hex. */
const hash = z
  .string()
  .regex(/^[\da-f]{64}$/)
  .optional();

/**
 * Everything that can happen to a search, as the journal, the terminal, the tree view and the panel hear of it. What is
 * said to people is English text, and next to it `say`, the same as data, which journals of 0.1 do not have.
 */
const Happening = z.discriminatedUnion('type', [
  z.object({ type: z.literal('search-started'), model: z.string(), judge: z.string().optional(), limits: Limits }),
  z.object({ type: z.literal('search-resumed'), model: z.string(), judge: z.string().optional(), limits: Limits }),
  /** What every request of the search begins with, from here on. */
  z.object({ type: z.literal('system-text'), text: z.string() }),
  /** `reason` is that of a model that cannot be reached, or `offers`: all that is left to do is outside. */
  z.object({ type: z.literal('search-waiting'), reason: z.string(), message: z.string(), say: Said }),
  /** `reason` is `offers` where it waited for those. */
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
    results: Results,
  }),
  z.object({
    type: z.literal('node-added'),
    node: z.string(),
    /** With all that their files say; version 0.1 told the score alone. `at`: the place among all children, from 0. */
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
    /** Fields of a node were set or taken away; its status may be what it was. Version 0.1 told some of them only. */
    type: z.literal('node-status'),
    node: z.string(),
    status: NodeStatus,
    /** Its status before, where that is another one: who counts what happened counts these. */
    was: NodeStatus.optional(),
    ...ToldFields,
    /** The names of the fields that were taken away. */
    gone: z.array(z.string()).optional(),
    /** What document.md is by now, where it was written or found edited; it is among `gone` where it was taken away. */
    document: hash,
    by,
  }),
  z.object({ type: z.literal('node-removed'), node: z.string(), by }),
  /** A branch has another address now. It stands at place `at` among its siblings, from 0. */
  z.object({
    type: z.literal('node-moved'),
    node: z.string(),
    from: z.string(),
    id: z.string().optional(),
    at: z.number().int().nonnegative(),
    by,
  }),
  /** The children of a node have another order now: all of them, by slug. */
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
    /** A digest of all that is sent as text: calls of one question that share it sent the same. */
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
    /** False where the call cannot have cost anything. */
    charged: z.boolean(),
    /** Where its words come to stand, unless they are recorded by themselves. */
    kept: KeptWords.optional(),
  }),
  z.object({
    /** A model used a tool: with what, as in `src/a.ts:1-40`, and how long its result is, in UTF-16 code units. */
    type: z.literal('tool-used'),
    call: z.string(),
    node: z.string(),
    tool: z.string(),
    what: z.string(),
    isRefused: z.boolean(),
    length: z.number().int(),
  }),
  z.object({
    /** The conversation above a node did not fit into its model: what of it was sent in short, as slug paths. */
    type: z.literal('context-shortened'),
    node: z.string(),
    purpose: z.string(),
    documents: z.array(z.string()),
    lists: z.array(z.string()),
    /** Estimated tokens of the whole request before, and the most that the model takes. */
    tokens: z.number(),
    room: z.number(),
  }),
  /** A further try at a node that has children begins: until it is journaled as done, they are not all there. */
  z.object({ type: z.literal('trying'), node: z.string(), round: z.number().int() }),
  /** Thoughts were asked for at a node, and what came of it stands on disk; `round` counts from 1. */
  z.object({ type: z.literal('generated'), node: z.string(), round: z.number().int(), found: z.number().int() }),
  z.object({ type: z.literal('picked'), ranking: z.array(z.string()) }),
  z.object({
    type: z.literal('steered'),
    by: z.string(),
    action: z.string(),
    node: z.string().optional(),
    /** What it was told, and what came of it; version 0.1 kept neither. */
    args: z.record(z.string(), z.unknown()).optional(),
    value: z.unknown().optional(),
    /** What the one who asked was told. */
    message: z.string(),
    say: Said,
    /** For a leaf that is to be expanded: how many lists of children the model had given before. Now in `value`. */
    listsBefore: z.number().int().optional(),
  }),
  z.object({ type: z.literal('budget-changed'), by: z.string(), limits: Limits }),
  z.object({ type: z.literal('reconciled'), node: z.string(), what: z.string(), say: Said }),
  z.object({ type: z.literal('lease-taken'), epoch: z.number().int(), pid: z.number().int(), host: z.string() }),
  z.object({ type: z.literal('progress'), text: z.string(), say: Said }),
  ...OFFER_EVENTS,
]);

/** An event before it has its place in the journal. */
export type SearchEvent = z.infer<typeof Happening>;

/** An event as the journal holds it: `seq` counts from 1, `time` is ISO 8601 in UTC. */
export const JournalEvent = z.intersection(z.object({ seq: z.number().int().positive(), time: z.string() }), Happening);
export type JournalEvent = z.infer<typeof JournalEvent>;
