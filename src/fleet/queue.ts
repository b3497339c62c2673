// This is the port of the queue: what it does, the rules of a fleet that it keeps, and the form of what it carries.
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { deflate, deflateSync, inflate, inflateSync } from 'node:zlib';
import * as z from 'zod';
import packageJson from '../../package.json' with { type: 'json' };
import { ThoughtTreeError } from '../core/search/errors.ts';
import * as say from './messages.ts';
import { type OwnRegistration, PROTOCOL, type Registration } from './protocol.ts';

/** A call as the queue carries it. */
export interface QueuedCall {
  /** A UUID: sent again, it is the same call. */
  readonly id: string;
  /** Of the model, as `queueOf` names it. */
  readonly queue: string;
  readonly payload: Packed;
  /** The seconds that it may take, from the moment that it is taken. */
  readonly seconds: number;
}

/** A call that a worker took. */
export interface TakenCall {
  readonly id: string;
  readonly queue: string;
  /** Not checked yet; undefined if it is too large. */
  readonly payload: unknown;
}

/** A call that was taken within a cap. */
export interface CappedCall {
  readonly id: string;
  /** As the cap names it. */
  readonly model: string;
  /** The most that it can cost, in dollars. */
  readonly usd: number;
}

/** The limits on what a worker may take. */
export interface TakeLimits {
  /** Of the model: all workers obey it together. */
  readonly cap?: ModelCap | undefined;
  /**
   * Looks at a call before it is taken.
   * @param most the dollars that the cap leaves; undefined without one
   * @returns the most that it can cost; undefined if it is not to be taken, so that it stays as it was
   */
  readonly admit: (call: TakenCall, most: number | undefined) => Promise<number | undefined>;
}

/** An answer that waits for its search; whoever wrote it, the payload is not checked yet. It is undefined if it is too large. */
export interface QueuedAnswer {
  readonly key: string;
  readonly payload: unknown;
}

/**
 * Where a call is: nobody took it yet, a worker has it, its answer was sent, its worker is gone, its leader withdrew it, or
 * the queue does not know it.
 */
export type CallState = 'waiting' | 'taken' | 'answered' | 'lost' | 'withdrawn' | 'unknown';

/** A call's place in the queue. */
export interface CallPlace {
  readonly id: string;
  readonly queue: string;
}

/** A search, and the number of the lease by which somebody leads it. */
export interface Lead {
  readonly search: string;
  readonly epoch: number;
}

/** Until when an account of a server has to be left alone. */
export interface RateNote {
  readonly account: string;
  readonly model: string;
  /** Milliseconds from now. */
  readonly ms: number;
}

/** A registration, and for how long its owner has not shown it anew, in milliseconds. */
export type SeenRegistration = Registration & { readonly silentMs: number };

/** The queue between leaders and workers. All of it may fail while its database is away; asking again is always safe. */
export interface FleetQueue {
  /**
   * Called whenever there may be something new in a queue, or in any. Hints may be missed, so that both sides look by
   * themselves, too.
   */
  onNews(listener: (queue: string | undefined) => void): () => void;

  // the leader's side
  /**
   * Leads a search by a lease. From then on, what this side sends, withdraws, reads or deletes is only done as long as no
   * later lease leads it: a process that was frozen and wakes must not touch what its successor has.
   * @param isLatest whether that is sure after a later one was in the way: a search that was put back has lower leases than
   *   the queue knows. It still has to be that one, and nobody who came meanwhile.
   * @returns false if a later one leads it; then nothing has changed
   */
  lead(lead: Lead, isLatest?: boolean): Promise<boolean>;
  /** Makes the queue of a search's answers, and those of its models' calls. */
  openSearch(search: string, queues: readonly string[]): Promise<void>;
  /** Deletes the queue of a search's answers: what still comes for it is dropped. */
  closeSearch(search: string): Promise<void>;
  /** @throws ThoughtTreeError `lease-lost` if a later lease leads the search */
  send(call: QueuedCall): Promise<void>;
  /** Takes calls back; returns the ids of those that nobody had taken, and now nobody will. */
  withdraw(calls: readonly CallPlace[]): Promise<ReadonlySet<string>>;
  /** Takes back only those calls that nobody had taken: others go on. */
  withdrawUntaken(calls: readonly CallPlace[]): Promise<ReadonlySet<string>>;
  states(calls: readonly CallPlace[]): Promise<ReadonlyMap<string, CallState>>;
  /**
   * Some answers that were not given out before, as many as are small enough together; none if there are no more. With
   * `again`, all are given out once more: those that an earlier process got, too.
   */
  answers(search: string, again?: boolean): Promise<readonly QueuedAnswer[]>;
  /** Deletes answers that have been applied, and the calls that they answered. */
  forget(search: string, keys: readonly string[], calls?: readonly CallPlace[]): Promise<void>;

  // the worker's side
  /** Takes up to so many calls, the oldest first; with limits, as far as those let it. */
  take(queue: string, most: number, limits?: TakeLimits): Promise<readonly TakenCall[]>;
  /** Says that calls that were taken within a cap go on: they count, also where the queue has forgotten them. */
  goOn(calls: readonly CappedCall[]): Promise<void>;
  /** Says that one of them is over, and what it cost. */
  isOver(call: CallPlace, usd: number): Promise<void>;
  /** Says that a worker lives and works on these; returns those that were withdrawn. */
  beat(calls: readonly CallPlace[]): Promise<ReadonlySet<string>>;
  /** Ends a call with its answer, in one transaction; an answer to a call that is no longer the worker's is only late. */
  answer(call: CallPlace, search: string, payload: Packed, by: string): Promise<void>;

  // both
  register(card: OwnRegistration): Promise<void>;
  unregister(id: string): Promise<void>;
  /** Returns the registrations of those that live. */
  registrations(): Promise<readonly SeenRegistration[]>;
  /** Counts the calls that nobody has taken yet, for each of these queues that has some. */
  waiting(queues: readonly string[]): Promise<ReadonlyMap<string, number>>;
  noteRate(note: RateNote): Promise<void>;
  rates(): Promise<readonly RateNote[]>;
  rules(): Promise<FleetRules>;
  /** Returns what counts towards the caps of a model now. */
  counted(cap: ModelCap): Promise<CapCount>;

  // the owner's side
  /**
   * Sets the caps of a model; without any, removes them.
   * @throws ThoughtTreeError `declined` for whoever may not
   */
  setCap(cap: ModelCap): Promise<void>;
  /** @throws ThoughtTreeError `declined` for whoever may not */
  setVersion(version: FleetVersion): Promise<void>;
  /** Deletes what nobody will ask for any more, as far as one may: of a week ago, and the traces of dead processes. */
  tidy(): Promise<void>;
  close(): Promise<void>;
}

/** The caps of a model for all workers together, set by the fleet's owner. At least one of the two is there. */
export const ModelCap = z.object({
  /** `provider/model`, at whatever server. */
  model: z.string().min(1).max(300),
  /** Calls at the same time; none at all if 0. */
  calls: z.number().int().min(0).max(1_000_000).optional(),
  usdAMinute: z.number().positive().max(1_000_000).optional(),
});
export type ModelCap = z.infer<typeof ModelCap>;

/** Which protocol the fleet speaks, and the version of the program that brought it. */
const FleetVersion = z.object({ protocol: z.number().int().positive().max(1_000_000), program: z.string().max(50) });
export type FleetVersion = z.infer<typeof FleetVersion>;

/** The use that counts towards the caps of a model now. */
export interface CapCount {
  /** Under way. */
  readonly calls: number;
  /** The cost of calls in the last minute, those under way at their worst; dear ones count for longer. */
  readonly usd: number;
}

/** The rules of a whole fleet. Workers read it; only those who own the queue write it. */
export interface FleetRules {
  readonly caps: readonly ModelCap[];
  /** Undefined until a search was there. */
  readonly version: FleetVersion | undefined;
}

/** One rule, as it is kept. */
export const FleetRule = z.discriminatedUnion('kind', [
  ModelCap.extend({ kind: z.literal('cap') }),
  FleetVersion.extend({ kind: z.literal('version') }),
]);
export type FleetRule = z.infer<typeof FleetRule>;

/** Returns how many minutes a call of this price counts: one, or as many as it fills alone, an hour at most. */
export function minutesOf(usd: number, { usdAMinute }: ModelCap): number {
  return Math.min(60, Math.max(1, usdAMinute === undefined ? 1 : usd / usdAMinute));
}

/** The most that the next call may cost: whatever it is where nothing else counts, so that a dear one is made, too. */
export function dollarsLeft({ usdAMinute }: ModelCap, spent: number): number {
  return usdAMinute === undefined || spent === 0 ? Number.POSITIVE_INFINITY : usdAMinute - spent;
}

/** The most that a call or an answer may be, in bytes of JSON: before it is compressed, and again once it is not. */
const MOST_BYTES = 8 * 1024 * 1024;
/** Deflate makes a text at most this much longer, and base64 a third. */
export const MOST_PACKED = 11 * 1024 * 1024;

/** Up to so many bytes, packed or not, a trip through the thread pool costs more than the work. */
const SMALL_BYTES = 64 * 1024;
/** Less room for them: most are a few kilobytes, and getting it ready costs more than it saves. */
const DEFLATE_SMALL = { windowBits: 13, memLevel: 6 };

const Packed = z.object({ packed: z.string().max(MOST_PACKED) });
const deflated = promisify(deflate);
const inflated = promisify<Buffer, { maxOutputLength: number }, Buffer>(inflate);

/** Packed data, as the queue carries it. */
export type Packed = z.infer<typeof Packed>;

/** @throws ThoughtTreeError `bad-request` if it is too long for the queue */
export async function pack(value: unknown): Promise<Packed> {
  const text = Buffer.from(JSON.stringify(value), 'utf8');
  if (text.length > MOST_BYTES)
    throw new ThoughtTreeError('bad-request', say.tooLong({ most: MOST_BYTES }), { charged: false, isTooLong: true });
  const packed = text.length <= SMALL_BYTES ? deflateSync(text, DEFLATE_SMALL) : await deflated(text);
  return { packed: packed.toString('base64') };
}

/** Returns what somebody put into the queue; undefined if it lacks the schema's form, or is too long. */
export async function unpack<T>(schema: z.ZodType<T>, value: unknown): Promise<T | undefined> {
  try {
    const { packed } = Packed.parse(value);
    const text = await unpacked(Buffer.from(packed, 'base64'));
    return schema.parse(JSON.parse(text.toString('utf8')));
  } catch {
    return undefined;
  }
}

/** Returns the packed length of something in the queue, in bytes; infinite if it was not packed so. */
export function packedLength(value: unknown): number {
  return Packed.safeParse(value).data?.packed.length ?? Number.POSITIVE_INFINITY;
}

async function unpacked(packed: Buffer): Promise<Buffer> {
  const within = { maxOutputLength: MOST_BYTES };
  if (packed.length > SMALL_BYTES) return await inflated(packed, within);
  try {
    return inflateSync(packed, { maxOutputLength: SMALL_BYTES });
  } catch {
    // Longer than that, or nothing of the kind.
    return await inflated(packed, within);
  }
}

/**
 * Asks the queue for something that cannot wait, and once more beside it as long as no answer comes. A connection may be
 * silent, as after a change of networks, and its statement in vain only after many seconds; the next one goes by another.
 * @param ask may be called while an earlier call is under way
 * @param at when, in milliseconds from now
 * @throws AggregateError if all of it was in vain
 */
export async function insistently<T>(at: readonly number[], ask: () => Promise<T>): Promise<T> {
  const heard = new AbortController();
  const asked = at.map(async (ms) => {
    if (ms > 0) await setTimeout(ms, undefined, { signal: heard.signal });
    return await ask();
  });
  return await Promise.any(asked).finally(() => heard.abort());
}

/** Of this program. */
export const VERSION: FleetVersion = { protocol: PROTOCOL, program: packageJson.version };
