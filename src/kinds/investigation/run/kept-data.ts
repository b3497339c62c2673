import * as z from 'zod';
import type { ReadStore } from '../../../core/ports/store.ts';
import { type Conversation, isAnswer } from '../../../core/search/conversation.ts';
import {
  EngineReceipt,
  type JournalEvent,
  type KeptFold,
  type Receipt,
  UsageRecord,
} from '../../../core/search/events.ts';
import type { SearchRecord } from '../../../core/search/record/search-record.ts';
import type { TreeNode } from '../../../core/tree/tree.ts';
import { investigationPurposes } from '../descriptor.ts';
import type { Change, Progress } from '../protocol/investigation.ts';
import { PROFILES, profileOf, type State, statesOf } from '../protocol/profiles.ts';

const STATES = [...new Set(PROFILES.flatMap((profile) => statesOf(profileOf({ profile }))))] as [State, ...State[]];

/** Every state that some profile knows. */
export const OwnState = z.enum(STATES);

/** The outcome of a lead that the engine had looked into, or of a check: more than the protocol has states for. */
export const Outcome = z.enum([
  'settled',
  'open',
  'nothing',
  'quoted',
  'confirmed',
  'in part',
  'refuted',
  'not checked',
]);
export type Outcome = z.infer<typeof Outcome>;

/** A finding of a lead by its number, from 1. */
const ClaimAt = z.object({ node: z.string().max(100), claim: z.int().min(1).max(100) });

/** Where an investigation that the engine leads stands, as its last plan says; kept with the question itself. */
const Standing = z.object({
  answer: z.string().max(4000),
  weakest: z.string().max(1000),
  /** The facts that the answer still needs. */
  open: z.array(z.string().max(500)).max(10),
  /** Findings that cannot both be true. */
  contradictions: z.array(z.tuple([ClaimAt, ClaimAt])).max(20),
});

/** The fields that an investigation keeps of a node: `own` in its node.json. */
export const OwnFields = z
  .object({
    /** Its id in the protocol, such as `R2.A1`. */
    nodeId: z.string().max(100),
    round: z.int().min(0),
    plannedAction: z.string(),
    /** The evidence that would show that a lead is wrong. */
    wrongIf: z.string().max(2000).optional(),
    /** In milliseconds since 1970. */
    proposedAt: z.number(),
    /** Its purpose, where the engine leads. */
    role: z.enum(['lead', 'check']).optional(),
    /** Missing as long as it is proposed. */
    state: OwnState.optional(),
    outcome: Outcome.optional(),
    /** The number of findings that its document names; the other is true if it names something that is still open. */
    findings: z.int().min(0).optional(),
    isIncomplete: z.boolean().optional(),
    /** Its place among all committed nodes, from 0, and the commit that it came with, from 1. */
    order: z.int().min(0).optional(),
    commit: z.int().min(0).optional(),
    agentId: z.string().max(100).optional(),
    /** Its agent was found. */
    isVerified: z.boolean().optional(),
    /** Its origin, where the engine asked a model. */
    receipt: EngineReceipt.optional().catch(undefined),
    /** The number of plans when it was committed. */
    plans: z.int().min(0).optional(),
    /** The number of plans that were taken from the model, where the engine leads; kept with the question itself. */
    lists: z.int().min(0).optional(),
    /** The leads of another plan are being added. */
    isPlacing: z.boolean().optional(),
    standing: Standing.optional().catch(undefined),
    /** The title as it was given, if node.json cannot have it. */
    title: z.string().max(1000).optional(),
  })
  .catchall(z.json());
export type OwnFields = z.infer<typeof OwnFields>;

/** Returns the fields that an investigation keeps of a node; undefined if it is none of its nodes. */
export function ownFieldsOf(own: unknown): OwnFields | undefined {
  return OwnFields.safeParse(own).data;
}

/** The kind of the one offer of an investigation: its next call. */
export const CALL = 'call';

/** The progress of an investigation, as it is kept. */
export const KeptProgress = z.object({
  currentRound: z.number().int().min(0),
  currentBatch: z.number().int().min(0),
  minRounds: z.number().int().min(1),
  allowEarlyTerminal: z.boolean(),
  commits: z.number().int().min(0),
  hasEnded: z.boolean(),
});

const id = z.string();
const progress = KeptProgress;

/** The change of an accepted call, as the journal keeps it before any file is made from it. */
const KeptChange = z.object({
  change: z.discriminatedUnion('do', [
    z.object({
      do: z.literal('propose'),
      nodes: z.array(
        z.object({ id, parent: id.nullable(), title: z.string(), plannedAction: z.string(), proposedAt: z.number() }),
      ),
      progress,
    }),
    z.object({
      do: z.literal('commit'),
      results: z.array(
        z.object({
          id,
          state: z.string(),
          findings: z.string(),
          agentId: z.string().optional(),
          isVerified: z.boolean().optional(),
        }),
      ),
      progress,
    }),
    z.object({ do: z.literal('reclassify'), id, state: z.string(), progress }),
    z.object({ do: z.literal('end'), progress }),
  ]),
  /** The names of the folders of new nodes, by their ids. */
  slugs: z.record(z.string(), z.string()).optional(),
});

/** An accepted call: what it changes, and where new nodes are put. */
export interface KeptCall {
  readonly change: Change;
  readonly slugs: Readonly<Record<string, string>>;
}

/** Returns a call as it was kept; undefined if it is damaged. */
export function keptCallOf(result: unknown): KeptCall | undefined {
  const { data } = KeptChange.safeParse(result);
  return data && { change: data.change as Change, slugs: data.slugs ?? {} };
}

/** The progress of an investigation, according to its journal. */
export class KeptCalls implements KeptFold {
  static readonly part = 'investigation-calls';
  readonly name = KeptCalls.part;
  progress: Progress | undefined;

  apply(event: JournalEvent): void {
    if (event.type !== 'offers-answered') return;
    for (const { result } of event.answers) this.progress = keptCallOf(result)?.change.progress ?? this.progress;
  }

  get state(): { progress?: Progress } {
    return this.progress ? { progress: this.progress } : {};
  }

  restore(state: unknown): void {
    this.progress = z.object({ progress: KeptProgress.optional() }).parse(state).progress;
  }
}

const KnownCall = z.object({ model: z.string(), node: z.string(), usage: UsageRecord.optional() });
type KnownCall = z.infer<typeof KnownCall>;

/** The calls about nodes that this user's journal tells of. */
export class KnownCalls implements KeptFold {
  static readonly part = 'investigation-known-calls';
  readonly name = KnownCalls.part;
  readonly #begun = new Map<string, string>();
  #ended = new Map<string, KnownCall>();

  apply(event: JournalEvent): void {
    // Calls that came with the folder may have been written by anybody.
    if (event.type === 'adopted') {
      this.#ended.clear();
      this.#begun.clear();
    }
    if (event.type === 'call-started' && event.purpose in investigationPurposes)
      this.#begun.set(event.call, event.model);
    if (event.type !== 'call-ended') return;
    const model = this.#begun.get(event.call);
    this.#begun.delete(event.call);
    const { call, node, outcome, usage } = event;
    if (model !== undefined && outcome === 'ok') this.#ended.set(call, { model, node, ...(usage && { usage }) });
  }

  /** Returns a call by its id; undefined if the journal does not tell of it. */
  find(call: string): KnownCall | undefined {
    return this.#ended.get(call);
  }

  get state(): { begun: [string, string][]; ended: [string, KnownCall][] } {
    return { begun: [...this.#begun], ended: [...this.#ended] };
  }

  restore(state: unknown): void {
    const kept = z
      .object({ begun: z.array(z.tuple([z.string(), z.string()])), ended: z.array(z.tuple([z.string(), KnownCall])) })
      .parse(state);
    for (const [call, model] of kept.begun) this.#begun.set(call, model);
    this.#ended = new Map(kept.ended);
  }
}

/** Returns the receipt of an answer that a conversation ends with; undefined if its call is not kept. */
export function receiptFor(
  { turns }: Conversation,
  text: string,
  calls: KnownCalls | undefined,
  { hashOf }: Pick<ReadStore, 'hashOf'>,
): EngineReceipt | undefined {
  const at = turns.findLastIndex((turn) => isAnswer(turn) && turn.text === text);
  const answer = turns[at];
  const question = turns.slice(0, Math.max(0, at)).findLast(({ role, toolResults }) => role === 'user' && !toolResults);
  if (!answer?.call || !question) return undefined;
  const known = calls?.find(answer.call);
  if (!known) return undefined;
  const { model, usage } = known;
  const hashes = { prompt: hashOf(question.text), answer: hashOf(answer.text) };
  return { by: 'engine', call: answer.call, model, ...hashes, ...(usage && { usage }) };
}

/** Returns a committed node's origin; undefined for others. An engine's receipt counts if the journal has its call. */
export function receiptOf({ file }: TreeNode, record?: SearchRecord): Receipt | undefined {
  const own = ownFieldsOf(file?.own);
  if (own?.state === undefined) return undefined;
  const { receipt, agentId: agent, isVerified } = own;
  if (receipt && (!record || record.part(KnownCalls)?.find(receipt.call))) return receipt;
  if (isVerified && agent !== undefined) return { by: 'agent', agent };
  return { by: 'unverified', ...(agent !== undefined && { agent }) };
}

/** When an investigation was last changed by a call, according to its journal. */
export class LastCall implements KeptFold {
  static readonly part = 'investigation-last-call';
  readonly name = LastCall.part;
  /** In milliseconds since 1970; undefined before the first call. */
  time: number | undefined;

  apply(event: JournalEvent): void {
    if (event.type === 'offers-answered') this.time = Date.parse(event.time);
  }

  get state(): { time?: number } {
    return this.time === undefined ? {} : { time: this.time };
  }

  restore(state: unknown): void {
    this.time = z.object({ time: z.number().optional() }).parse(state).time;
  }
}
