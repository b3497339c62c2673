import type { Move, MoveResult, Strategy } from '../../core/kind/strategy.ts';
import { kept } from '../../core/messages/kept.ts';
import type { Offer } from '../../core/offers/offer.ts';
import { toThoughtTreeError } from '../../core/search/errors.ts';
import type { Failure } from '../../core/tree/node-status.ts';
import type { NodeId } from '../../core/tree/tree.ts';
import { failedInARow } from '../messages.ts';
import type { Offers } from '../offers/offers.ts';
import type { SearchContext } from '../search-context.ts';
import { type Consequence, consequenceOf } from './consequence.ts';
import type { Executor, Executors } from './executor.ts';
import { FailureStreak } from './failure-streak.ts';
import { type Stop, stopAfter, stopsAtOnce } from './stop.ts';

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
      const why = failedInARow({ nodes: streak.length, last });
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
