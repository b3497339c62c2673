import type { Packed } from './payload.ts';
import type { Card, OwnCard } from './protocol.ts';
import type { CapCount, FleetRules, FleetVersion, ModelCap } from './rules.ts';

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

/** A card, and for how long its owner has not shown it anew, in milliseconds. */
export type SeenCard = Card & { readonly silentMs: number };

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
  showCard(card: OwnCard): Promise<void>;
  removeCard(id: string): Promise<void>;
  /** The cards of those that live. */
  cards(): Promise<readonly SeenCard[]>;
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
