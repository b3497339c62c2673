import type { Move, MoveResult, SearchEnd, Strategy } from '../core/kind/strategy.ts';
import { kept, type Message, type Said } from '../core/messages/message.ts';
import type { Spend } from '../core/money/ledger.ts';
import { causeOfLimit } from '../core/money/several-models.ts';
import type { Offer } from '../core/offers/offer.ts';
import { type Reason, toThoughtTreeError } from '../core/search/errors.ts';
import type { PauseReason, Results } from '../core/search/events.ts';
import type { Failure } from '../core/tree/node-file.ts';
import type { Tree } from '../core/tree/tree.ts';
import type { NodeId } from '../core/tree/tree-node.ts';
import type { Executor, Executors, Offers, SearchContext } from './context.ts';
import * as say from './messages.ts';

/** A move under way, as hosts show it. */
export interface MoveUnderWay extends Move {
  /** True if its nodes are worked on; a pick, for example, does no work on them. */
  readonly isWork: boolean;
  readonly expands: boolean;
}

/** The maximum length of a failure's message, in characters. */
const LONGEST_MESSAGE = 2000;

/** The ways in which a loop treats offers when nothing else is left to do. */
export interface Waiting {
  /** True if it stays until somebody answers; by default it ends. */
  readonly stays: boolean;
  /** Called when it begins to wait, and when it works again. */
  readonly onChange: (offers: readonly Offer[]) => void;
}

interface DispatchedRun {
  readonly strategy: Strategy;
  readonly executors: Executors;
}

interface Running {
  readonly move: MoveUnderWay;
  readonly abort: AbortController;
  readonly over: Promise<void>;
  isReleased?: true;
}

/**
 * The loop: whenever a slot is free, it asks the strategy, dispatches, and reports the result. Driven by completed work,
 * never by a timer.
 */
export class Dispatcher {
  readonly #ctx: SearchContext;
  readonly #strategy: Strategy;
  readonly #executors: Executors;
  readonly #offers: Offers;
  readonly #running = new Map<string, Running>();
  #busySlots = 0;
  readonly #streak = new FailureStreak();
  #stop: Stop | undefined;
  #end: ((stop: Stop) => void) | undefined;
  #waiting: Waiting | undefined;
  #isWaiting = false;

  constructor(ctx: SearchContext, { strategy, executors }: DispatchedRun, offers: Offers) {
    this.#ctx = ctx;
    this.#strategy = strategy;
    this.#executors = executors;
    this.#offers = offers;
    ctx.gate.onFree = () => this.pump();
    ctx.slots?.onChange(() => this.pump());
  }

  /** Moves under way, for drawing the slots. */
  get running(): readonly MoveUnderWay[] {
    return [...this.#running.values()].map(({ move }) => move);
  }

  /** Forgets why it last stopped; later stops apply to the next run. */
  ready(): void {
    this.#stop = undefined;
  }

  /** Runs until nothing is left to do or something stops it; resolves when the last slot is empty. */
  run(waiting: Waiting): Promise<Stop> {
    return new Promise((resolve) => {
      this.#end = resolve;
      this.#waiting = waiting;
      this.pump();
    });
  }

  /**
   * Begins nothing new, and takes back what waits for a slot elsewhere; with `now`, work under way is stopped as well. Only
   * the first stop counts.
   */
  stop(stop: Stop, now: boolean): void {
    this.#stop ??= stop;
    if (now) for (const { abort } of this.#running.values()) abort.abort();
    else this.#ctx.slots?.takeBack();
    this.pump();
  }

  get isRunning(): boolean {
    return this.#end !== undefined;
  }

  /** Tells whether all remaining work is outside. */
  get isWaiting(): boolean {
    return this.#isWaiting;
  }

  /**
   * Stops the moves that work on these nodes, which count as dropped, and withdraws their offers; resolves when the last
   * one has ended.
   */
  async release(nodes: ReadonlySet<NodeId>): Promise<void> {
    const concerned = [...this.#running.values()].filter(
      ({ move }) => move.isWork && move.nodes.some((id) => nodes.has(id)),
    );
    for (const each of concerned) {
      each.isReleased = true;
      each.abort.abort();
    }
    await Promise.all(concerned.map(({ over }) => over));
    this.#offers.release(nodes);
  }

  /** Fills the free slots, unless an action is under way; called whenever something may have changed. */
  pump(): void {
    try {
      this.#pump();
    } catch (error) {
      this.#stopAfter(error, 'person'); // the strategy is not asked again
      this.#pump();
    }
  }

  #pump(): void {
    if (!this.#end || !this.#ctx.gate.isFree) return;
    if (!this.#stop) for (const move of this.#strategy.ask(this.#freeSlots())) this.#begin(move);
    if (!this.#stop && this.#strategy.end) this.#dropHelpers();
    if (this.#running.size > 0) {
      this.#setWaiting([]);
      return;
    }
    const stop = this.#stop ?? this.#whenIdle();
    const end = this.#end;
    if (!stop || !end) return;
    if (!this.#stop) this.#setWaiting([]);
    this.#isWaiting = false;
    this.#end = undefined;
    end(stop);
  }

  /** Tells how to stop if nothing is left to do here; undefined while it stays for offers, or has more to do. */
  #whenIdle(): Stop | undefined {
    const { end } = this.#strategy;
    if (!end && this.#offers.sweep()) {
      this.pump();
      return undefined;
    }
    const offers = end ? [] : this.#offers.pending;
    if (offers.length === 0) return { kind: 'finished', reason: end ?? 'complete' };
    if (!this.#waiting?.stays) return { kind: 'waiting', offers };
    this.#setWaiting(offers);
    return undefined;
  }

  #setWaiting(offers: readonly Offer[]): void {
    const isWaiting = offers.length > 0;
    if (isWaiting === this.#isWaiting) return;
    this.#isWaiting = isWaiting;
    this.#waiting?.onChange(offers);
  }

  /** At the end nobody waits for a pick that is still under way. */
  #dropHelpers(): void {
    for (const { move, abort } of this.#running.values()) if (!move.isWork) abort.abort();
  }

  #freeSlots(): number {
    const { slots, concurrency } = this.#ctx;
    const most = slots?.areAllTaken ? Number.POSITIVE_INFINITY : concurrency;
    return Math.max(0, Math.min(most, slots?.count ?? Number.POSITIVE_INFINITY) - this.#busySlots);
  }

  #begin(move: Move): void {
    const executor = this.#executors[move.kind];
    if (!executor) throw new RangeError(`no executor for moves of kind ${move.kind}`);
    const isOffer = 'offer' in executor;
    const isWork = isOffer || executor.needsSlot || executor.isWork === true;
    // Where slots are elsewhere, a pick takes one of them as well: nothing is begun that would have to wait there.
    const takesSlot = !isOffer && (executor.needsSlot || this.#ctx.slots !== undefined);
    const abort = new AbortController();
    const over = this.#carryOut(move, executor, abort.signal).then((result) => {
      const isReleased = this.#running.get(move.id)?.isReleased === true;
      if (this.#running.delete(move.id) && takesSlot) this.#busySlots--;
      if (result !== 'offered')
        this.#tell(move, isReleased && result.outcome === 'dropped' ? { ...result, isReleased } : result);
      this.pump();
    });
    const underWay = { ...move, isWork, expands: !isOffer && executor.expands === true };
    this.#running.set(move.id, { move: underWay, abort, over });
    if (takesSlot) this.#busySlots++;
  }

  #tell(move: Move, result: MoveResult): void {
    try {
      this.#strategy.tell(move, result);
    } catch (error) {
      this.#stopAfter(error, 'person');
    }
  }

  async #carryOut(move: Move, executor: Executor, signal: AbortSignal): Promise<MoveResult | 'offered'> {
    try {
      if ('offer' in executor) return await this.#offers.make(move, executor, signal);
      const result = await executor.run(move, signal);
      if (executor.expands && result.outcome === 'done') this.#streak.reset();
      return result;
    } catch (error) {
      const consequence = consequenceOf(error);
      try {
        return await this.#settle(move, error, consequence);
      } catch (second) {
        this.#stopAfter(second, consequenceOf(second));
        return { outcome: 'dropped' };
      }
    }
  }

  /** Applies the consequence of an error to the move's nodes and to the search. */
  async #settle(move: Move, error: unknown, consequence: Consequence): Promise<MoveResult> {
    if (consequence !== 'fail') {
      this.#stopAfter(error, consequence);
      if (consequence !== 'lost' && consequence !== 'store') await this.#reopen(move.nodes);
      return { outcome: 'dropped' };
    }
    // The root has no status for that.
    if (move.nodes.includes(this.#ctx.tree.root.id)) {
      this.#stopAfter(error, 'person');
      return { outcome: 'failed' };
    }
    const { reason, say: last } = toThoughtTreeError(error);
    for (const id of move.nodes) await this.#fail(id, { reason, ...kept(last, LONGEST_MESSAGE) });
    const streak = this.#streak.add(reason, move.nodes);
    if (streak) {
      await this.#reopen(streak);
      const why = say.failedInARow({ nodes: streak.length, last });
      this.stop({ kind: 'paused', reason: 'person', cause: 'five-failures', ...kept(why) }, false);
    }
    return { outcome: 'failed' };
  }

  #stopAfter(error: unknown, consequence: Consequence): void {
    const stop = stopAfter(error, consequence);
    if (stop) this.stop(stop, stopsAtOnce(stop));
  }

  async #fail(id: NodeId, failure: Failure): Promise<void> {
    const { tree, nodes } = this.#ctx;
    const node = tree.get(id);
    if (node && (await nodes.wanted(node))) await nodes.change(node, { status: 'failed', failure });
  }

  /** Makes nodes available for work again. */
  async #reopen(ids: readonly NodeId[]): Promise<void> {
    const { tree, nodes } = this.#ctx;
    for (const id of ids) {
      const node = tree.get(id);
      if (!node?.parent || (node.status !== 'in-progress' && node.status !== 'failed')) continue;
      if (await nodes.wanted(node)) await nodes.reopen(node);
    }
  }
}

/** Why the loop ended. */
export type Stop =
  | {
      readonly kind: 'finished';
      readonly reason: SearchEnd | 'finish-now';
      readonly message?: string;
      readonly say?: Said;
    }
  | {
      readonly kind: 'paused';
      readonly reason: PauseReason;
      readonly cause?: string;
      readonly message: string;
      readonly say: Said;
    }
  /** All remaining work is outside. */
  | { readonly kind: 'waiting'; readonly offers: readonly Offer[] }
  | { readonly kind: 'lost'; readonly error: unknown };

/** Tells how to stop after an error with this consequence; returns undefined if its work was stopped on purpose. */
export function stopAfter(error: unknown, consequence: Consequence): Stop | undefined {
  if (consequence === 'stopped') return undefined;
  if (consequence === 'lost') return { kind: 'lost', error };
  const { reason, say, details } = toThoughtTreeError(error);
  // An error of one node stops the search only where it belongs to none: then a person has to look at it.
  const why = consequence === 'fail' ? 'person' : consequence;
  // No limit of the whole search helps where that of one model is in the way.
  const cause = details.model === undefined ? (details.guard ?? reason) : causeOfLimit(details.model);
  return { kind: 'paused', reason: why, cause, ...kept(say) };
}

/** Tells how to stop if the files cannot be written. */
export function stopUnwritable(error: unknown): Stop {
  const isLost = toThoughtTreeError(error).reason === 'lease-lost';
  return stopAfter(error, isLost ? 'lost' : 'store') as Stop;
}

/** Tells whether work under way has no use any more, since its results could not be written. */
export function stopsAtOnce(stop: Stop): boolean {
  return stop.kind === 'lost' || (stop.kind === 'paused' && stop.reason === 'store');
}

export type Outcome =
  | {
      readonly state: 'finished';
      readonly reason: SearchEnd | 'finish-now';
      /** Why there is nothing to show, if there is not. */
      readonly message?: string;
      readonly say?: Said;
      readonly results: Results;
    }
  | {
      readonly state: 'paused';
      readonly reason: PauseReason;
      readonly cause?: string;
      readonly message: string;
      readonly say: Said;
      readonly results: Results;
    }
  /** All remaining work is outside: somebody has to answer these offers. */
  | {
      readonly state: 'waiting';
      readonly reason: 'offers';
      readonly offers: readonly Offer[];
      readonly message: string;
      readonly say: Said;
      readonly results: Results;
    };

export interface RunOptions {
  /** True if it stays while all remaining work is outside; by default it ends as `waiting`. */
  readonly wait?: boolean | undefined;
}

/** Consecutive nodes that may fail for the same reason before a person is asked. */
const LONGEST = 5;

/** Counts consecutive nodes that fail for the same reason: after a few, the nodes are not the problem. */
export class FailureStreak {
  #reason = '';
  #nodes: NodeId[] = [];

  /** Adds a failure; returns the nodes of the streak once it is long enough, and starts over. */
  add(reason: string, nodes: readonly NodeId[]): NodeId[] | undefined {
    this.#nodes = reason === this.#reason ? [...this.#nodes, ...nodes] : [...nodes];
    this.#reason = reason;
    if (this.#nodes.length < LONGEST) return undefined;
    const streak = this.#nodes;
    this.reset();
    return streak;
  }

  reset(): void {
    this.#nodes = [];
    this.#reason = '';
  }
}

/**
 * The consequence for the search when a piece of work ends with an error: the node fails and the search continues; the
 * search pauses (for its budget, for a person, or because files cannot be written); the work was stopped on purpose; or
 * the search now belongs to another process.
 */
type Consequence = 'fail' | 'budget' | 'person' | 'store' | 'stopped' | 'lost';

const CONSEQUENCES: Record<Reason, Consequence> = {
  unreachable: 'person',
  'rate-limited': 'fail',
  'server-error': 'fail',
  'key-refused': 'person',
  'quota-exceeded': 'person',
  'unknown-model': 'person',
  redirected: 'person',
  'bad-request': 'fail',
  'timed-out': 'fail',
  'cut-off': 'fail',
  refused: 'fail',
  'bad-answer': 'fail',
  aborted: 'stopped',
  'not-found': 'fail',
  'not-writable': 'store',
  'disk-full': 'store',
  damaged: 'fail',
  'newer-version': 'store',
  outside: 'fail',
  held: 'lost',
  'lease-lost': 'lost',
  'bad-input': 'person',
  exists: 'store',
  budget: 'budget',
  declined: 'person',
  'five-failures': 'person',
  'at-rest': 'person',
  edited: 'fail',
  'offer-gone': 'fail',
  'offer-answered': 'fail',
  'offer-taken': 'fail',
  'offer-expired': 'fail',
  INVALID_FORMAT: 'fail',
  GENERATION_FAILED: 'fail',
  EVALUATION_TIMEOUT: 'fail',
  SEARCH_EXHAUSTED: 'fail',
  internal: 'fail',
};

export function consequenceOf(error: unknown): Consequence {
  return CONSEQUENCES[toThoughtTreeError(error).reason];
}

/** Returns the results of a search. */
export function resultsOf(tree: Tree, spend: Spend, skipped: number): Results {
  const { counts } = tree;
  return {
    expanded: counts.expanded,
    leaves: counts.leaf,
    skipped,
    failed: counts.failed,
    pruned: counts.pruned,
    open: counts.unexpanded + counts['in-progress'],
    calls: spend.calls,
    tokens: {
      prompt: spend.prompt,
      cached: spend.cached,
      completion: spend.completion,
      worstCase: spend.worstCase,
    },
    usd: spend.usd,
    usdComplete: spend.usdComplete,
    minutes: spend.minutes,
    booked: spend.booked,
  };
}

/** Tells whether a search tried something, and all of it failed. */
export function isNothing({ expanded, leaves, failed }: Pick<Results, 'expanded' | 'leaves' | 'failed'>): boolean {
  return failed > 0 && expanded + leaves === 0;
}

/** Returns the results of a finished search, in one line. */
export function completed(results: Results): Message {
  if (isNothing(results)) return say.nothingWritten();
  const { expanded, leaves: count, skipped, failed } = results;
  const counts = { expanded, leaves: say.leaves({ count }), skipped };
  return failed > 0 ? say.completeButFailed({ ...counts, failed }) : say.complete(counts);
}
