import * as z from 'zod';
import { JournalEvent } from '../events.ts';
import type { LimitReached } from '../limit-reached.ts';
import { Guards, Limits } from '../limits.ts';
import type { Fold } from './fold.ts';
import type { SearchTurn } from './search-state.ts';

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

/** The runs of a search: what the last one began with, how it stands since, and within which limits. */
export class Runs implements Fold {
  #hasBegun = false;
  #run: RunBegin | undefined;
  #turn: SearchTurn | undefined;
  #end: RunEnd | undefined;
  #limits: Limits | undefined;
  /** The limit of the guard that it paused before. */
  #restsAt: number | undefined;
  #hasMore = false;
  /** The limits of its reach when it last finished. */
  #reachAtEnd: string | undefined;

  apply(event: JournalEvent): void {
    if (event.type === 'node-added' || (event.type === 'node-status' && event.status === 'unexpanded'))
      this.#hasMore = true;
    if (isTurn(event)) this.#take(event);
    else if (event.type === 'budget-changed') this.#limits = event.limits;
  }

  get state(): z.infer<typeof RunsState> {
    return {
      hasBegun: this.#hasBegun,
      run: this.#run,
      turn: this.#turn,
      end: this.#end,
      limits: this.#limits,
      restsAt: this.#restsAt,
      hasMore: this.#hasMore,
      reachAtEnd: this.#reachAtEnd,
    };
  }

  restore(state: z.infer<typeof RunsState>): void {
    const { hasBegun, run, turn, end, limits, restsAt, hasMore = false, reachAtEnd } = state;
    this.#hasBegun = hasBegun;
    this.#run = run as RunBegin | undefined;
    this.#turn = turn as SearchTurn | undefined;
    this.#end = end as RunEnd | undefined;
    this.#limits = limits;
    this.#restsAt = restsAt;
    this.#hasMore = hasMore;
    this.#reachAtEnd = reachAtEnd;
  }

  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  /** The beginning of the last one. */
  get begin(): RunBegin | undefined {
    return this.#run;
  }

  /** The last event about the search as a whole: that it began, waits, paused, finished. */
  get turn(): SearchTurn | undefined {
    return this.#turn;
  }

  /** The end of the last completed one. */
  get end(): RunEnd | undefined {
    return this.#end;
  }

  /** The limits that were last set. */
  get limits(): Limits | undefined {
    return this.#limits;
  }

  /** True if a node came, or was opened again, since the search last finished. */
  get hasMore(): boolean {
    return this.#hasMore;
  }

  /** True if it may go further than when it last finished. */
  get hasGrown(): boolean {
    return this.#reachAtEnd !== undefined && reachOf(this.#limits) !== this.#reachAtEnd;
  }

  /** True if the last event says that all remaining work is outside. */
  get waitsOutside(): boolean {
    return this.#turn?.type === 'search-waiting' && this.#turn.reason === 'offers';
  }

  /** True if its last run came to its end or paused, and was not cut off. */
  get isAtRest(): boolean {
    return this.#turn?.type === 'search-paused' || this.#turn?.type === 'search-finished';
  }

  /** The cause for which a person is needed, if it paused for one. */
  get cause(): string | undefined {
    return this.#turn?.type === 'search-paused' && this.#turn.reason === 'person' ? this.#turn.cause : undefined;
  }

  /** The guard that it paused before, unless that was raised since: until then, continuing would do nothing. */
  get limitReached(): LimitReached | undefined {
    const guard = guardIn(this.#turn);
    const limit = guard && this.#limits?.guards[guard];
    return guard && limit !== undefined && limit <= (this.#restsAt ?? limit) ? { guard, limit } : undefined;
  }

  #take(event: SearchTurn): void {
    this.#turn = event;
    const guard = guardIn(event);
    this.#restsAt = guard && this.#limits?.guards[guard];
    if (event.type === 'search-paused' || event.type === 'search-finished') this.#end = event;
    if (event.type === 'search-finished') {
      this.#hasMore = false;
      this.#reachAtEnd = reachOf(this.#limits);
    }
    if (event.type !== 'search-started' && event.type !== 'search-resumed') return;
    if (event.type === 'search-started') this.#hasBegun = true;
    this.#run = event;
    this.#limits = event.limits;
  }
}

function reachOf(limits: Limits | undefined): string | undefined {
  return limits && `${limits.size} ${limits.maxDepth}`;
}

/** The guard that a search paused before, if that is why it did. */
function guardIn(turn: SearchTurn | undefined): keyof Guards | undefined {
  return turn?.type === 'search-paused' && turn.reason === 'budget'
    ? Guards.keyof().safeParse(turn.cause).data
    : undefined;
}

function isTurn(event: JournalEvent): event is SearchTurn {
  return event.type.startsWith('search-');
}
