import * as z from 'zod';
import { type Message, messageOf } from '../../messages/message.ts';
import { Said } from '../../messages/said.ts';
import { type Fold, JournalEvent } from '../events.ts';
import { Limits, SpendLimits } from '../limits.ts';
import { withoutMissing } from '../search-file.ts';
import type { LimitReached, SearchTurn } from './search-state.ts';

type RunBegin = Extract<JournalEvent, { type: 'search-started' | 'search-resumed' }>;
type RunEnd = Extract<JournalEvent, { type: 'search-paused' | 'search-finished' }>;

// As they are in the journal, with fields of later versions.
const Told = z.custom<JournalEvent>((event) => JournalEvent.safeParse(event).success);

export const RunsState = z.object({
  hasBegun: z.boolean(),
  run: Told.optional(),
  turn: Told.optional(),
  end: Told.optional(),
  limits: z.custom<Limits>((limits) => Limits.safeParse(limits).success).optional(),
  restsAt: z.number().optional(),
  hasMore: z.boolean().optional(),
  reachAtEnd: z.string().optional(),
});

interface RunsNow {
  hasBegun: boolean;
  /** The beginning of the last one. */
  run?: RunBegin | undefined;
  /** The last event about the search as a whole: that it began, waits, paused, finished. */
  turn?: SearchTurn | undefined;
  /** The end of the last completed one. */
  end?: RunEnd | undefined;
  /** The limits that were last set. */
  limits?: Limits | undefined;
  /** The value of the spend limit that it paused before. */
  restsAt?: number | undefined;
  /** True if a node came, or was opened again, since the search last finished. */
  hasMore: boolean;
  /** The limits of its reach when it last finished. */
  reachAtEnd?: string | undefined;
}

/** The runs of a search: what the last one began with, how it stands since, and within which limits. */
export class Runs implements Fold {
  #now: RunsNow = { hasBegun: false, hasMore: false };

  apply(event: JournalEvent): void {
    if (event.type === 'node-added' || (event.type === 'node-status' && event.status === 'unexpanded'))
      this.#now.hasMore = true;
    if (isTurn(event)) this.#take(event);
    else if (event.type === 'budget-changed') this.#now.limits = event.limits;
    // Whatever limit was reached then, the fork has a budget of its own.
    else if (event.type === 'forked') this.#now.restsAt = 0;
  }

  get now(): Readonly<RunsNow> {
    return this.#now;
  }

  get state(): z.infer<typeof RunsState> {
    return { ...this.#now };
  }

  restore({ hasBegun, run, turn, end, limits, restsAt, hasMore = false, reachAtEnd }: z.infer<typeof RunsState>): void {
    this.#now = withoutMissing({ hasBegun, run, turn, end, limits, restsAt, hasMore, reachAtEnd }) as RunsNow;
  }

  /** True if it may go further than when it last finished. */
  get hasGrown(): boolean {
    return this.#now.reachAtEnd !== undefined && reachOf(this.#now.limits) !== this.#now.reachAtEnd;
  }

  /** True if the last event says that all remaining work is outside. */
  get waitsOutside(): boolean {
    return this.#now.turn?.type === 'search-waiting' && this.#now.turn.reason === 'offers';
  }

  /** True if its last run came to its end or paused, and was not cut off. */
  get isAtRest(): boolean {
    return this.#now.turn?.type === 'search-paused' || this.#now.turn?.type === 'search-finished';
  }

  /** The cause for which a person is needed, if it paused for one. */
  get cause(): string | undefined {
    return this.#now.turn?.type === 'search-paused' && this.#now.turn.reason === 'person'
      ? this.#now.turn.cause
      : undefined;
  }

  /** The spend limit that it paused before, unless that was raised since: until then, continuing would do nothing. */
  get limitReached(): LimitReached | undefined {
    const guard = guardIn(this.#now.turn);
    const limit = guard && this.#now.limits?.guards[guard];
    return guard && limit !== undefined && limit <= (this.#now.restsAt ?? limit) ? { guard, limit } : undefined;
  }

  #take(event: SearchTurn): void {
    this.#now.turn = event;
    const guard = guardIn(event);
    this.#now.restsAt = guard && this.#now.limits?.guards[guard];
    if (event.type === 'search-paused' || event.type === 'search-finished') this.#now.end = event;
    if (event.type === 'search-finished') {
      this.#now.hasMore = false;
      this.#now.reachAtEnd = reachOf(this.#now.limits);
    }
    if (event.type !== 'search-started' && event.type !== 'search-resumed') return;
    if (event.type === 'search-started') this.#now.hasBegun = true;
    this.#now.run = event;
    this.#now.limits = event.limits;
  }
}

function reachOf(limits: Limits | undefined): string | undefined {
  return limits && `${limits.size} ${limits.maxDepth}`;
}

/** Returns the spend limit that a search paused before, if that is why it did. */
function guardIn(turn: SearchTurn | undefined): keyof SpendLimits | undefined {
  return turn?.type === 'search-paused' && turn.reason === 'budget'
    ? SpendLimits.keyof().safeParse(turn.cause).data
    : undefined;
}

function isTurn(event: JournalEvent): event is SearchTurn {
  return event.type.startsWith('search-');
}

const CallUnderWay = z.object({
  call: z.string(),
  purpose: z.string(),
  /** Slug path, empty for requests about the search as a whole. */
  node: z.string(),
  model: z.string(),
  /** From 1, over the retries and corrections of one question. */
  attempt: z.number(),
  /** Milliseconds since 1970. */
  since: z.number(),
  /** The last message about it. */
  said: z.object({ text: z.string(), say: Said }).optional(),
});

/** A call that has begun and not ended, according to the journal. */
export type CallUnderWay = Readonly<z.infer<typeof CallUnderWay>>;

/** The calls under way, oldest first. Those of a killed run are dropped when the next one begins. */
export class CallsUnderWay implements Fold {
  readonly #calls = new Map<string, CallUnderWay>();

  apply(event: JournalEvent): void {
    if (event.type === 'search-started' || event.type === 'search-resumed') this.giveUp();
    else if (event.type === 'call-started') {
      const { call, purpose, node, model, attempt, time } = event;
      this.#calls.set(call, { call, purpose, node, model, attempt, since: Date.parse(time) || 0 });
    } else if (event.type === 'call-ended') this.#calls.delete(event.call);
    else if (event.type === 'progress' && event.call !== undefined) this.#tell(event.call, event);
  }

  #tell(call: string, { text, say }: Extract<JournalEvent, { type: 'progress' }>): void {
    const told = this.#calls.get(call);
    if (told) this.#calls.set(call, { ...told, said: { text, say } });
  }

  /** Those of a process that is gone never end. */
  giveUp(): void {
    this.#calls.clear();
  }

  get state(): CallUnderWay[] {
    return [...this.#calls.values()];
  }

  restore(state: unknown): void {
    for (const call of z.array(CallUnderWay).parse(state)) this.#calls.set(call.call, call);
  }

  get size(): number {
    return this.#calls.size;
  }

  get all(): IterableIterator<CallUnderWay> {
    return this.#calls.values();
  }

  /** The last message about the oldest of them that has any. */
  get said(): Message | undefined {
    for (const { said } of this.#calls.values()) if (said) return messageOf(said.text, said.say);
    return undefined;
  }
}
