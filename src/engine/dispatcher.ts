import { kept } from '../core/messages/kept.ts';
import type { Said } from '../core/messages/message.ts';
import type { Offer } from '../core/offers/offer.ts';
import { toThoughtTreeError } from '../core/search/errors.ts';
import type { PauseReason } from '../core/search/events.ts';
import type { Move, MoveResult, SearchEnd, Strategy } from '../core/search/strategy.ts';
import type { Failure } from '../core/tree/node-status.ts';
import type { NodeId } from '../core/tree/tree.ts';
import { type Consequence, consequenceOf } from './consequence.ts';
import { FailureStreak } from './failure-streak.ts';
import { failedInARow } from './messages.ts';
import type { OfferingExecutor } from './offers/offer-protocol.ts';
import type { Offers } from './offers/offers.ts';
import type { SearchContext } from './search-context.ts';

/** Carries out the moves of one kind itself. */
interface RunningExecutor {
  /** Whether it takes one of the search's slots. */
  readonly needsSlot: boolean;
  /** Whether it works on its node until that has children or is a leaf; one that succeeds ends a row of failures. */
  readonly expands?: true;
  readonly run: (move: Move, signal: AbortSignal) => Promise<MoveResult>;
}

/** Carries out the moves of one kind, or has them carried out by somebody outside. */
export type Executor = RunningExecutor | OfferingExecutor;

/** Who carries out moves, by their kind. */
export type Executors = Readonly<Record<string, Executor>>;

/** A move under way, as hosts show it. */
export interface MoveUnderWay extends Move {
  /** Whether its nodes are worked on; who is only asked what to do next does none of that. */
  readonly isWork: boolean;
  /** Whether its node is being expanded. */
  readonly expands: boolean;
}

/** Characters of what is kept of a failure. */
const LONGEST_MESSAGE = 2000;

/** Why the loop came to its end. */
export type Stop =
  | { readonly kind: 'finished'; readonly reason: SearchEnd | 'finish-now' }
  | {
      readonly kind: 'paused';
      readonly reason: PauseReason;
      readonly cause?: string;
      readonly message: string;
      readonly say: Said;
    }
  /** All that is left to do is outside. */
  | { readonly kind: 'waiting'; readonly offers: readonly Offer[] }
  | { readonly kind: 'lost'; readonly error: unknown };

/** How a loop deals with offers when nothing else is left to do. */
export interface Waiting {
  /** Whether it stays until somebody answers; it ends by default. */
  readonly stays: boolean;
  /** Told when it begins to wait, and when it works again. */
  readonly onChange: (offers: readonly Offer[]) => void;
}

/** What the loop works with: who says what is next, and who does it. */
interface DispatchedRun {
  readonly strategy: Strategy;
  readonly executors: Executors;
}

interface Running {
  readonly move: MoveUnderWay;
  readonly needsSlot: boolean;
  readonly abort: AbortController;
  readonly over: Promise<void>;
}

/**
 * The loop: whenever a slot is free, it asks the strategy, dispatches, and tells what came of it. Driven by what ends,
 * never by a timer.
 */
export class Dispatcher {
  readonly #ctx: SearchContext;
  readonly #strategy: Strategy;
  readonly #executors: Executors;
  readonly #offers: Offers;
  readonly #running = new Map<string, Running>();
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
  }

  /** Moves under way, for whoever draws the slots. */
  get running(): readonly MoveUnderWay[] {
    return [...this.#running.values()].map(({ move }) => move);
  }

  /** Forgets why it stopped last; what stops it from here on holds for the next run. */
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

  /** Begins nothing new; with `now`, what is under way is stopped as well. The first stop is the one that counts. */
  stop(stop: Stop, now: boolean): void {
    this.#stop ??= stop;
    if (now) for (const { abort } of this.#running.values()) abort.abort();
    this.pump();
  }

  /** Whether the loop is at work. */
  get isRunning(): boolean {
    return this.#end !== undefined;
  }

  /** Whether all that is left to do is outside. */
  get isWaiting(): boolean {
    return this.#isWaiting;
  }

  /**
   * Stops the moves that work on these nodes, which are told as dropped, and withdraws their offers; resolves when the
   * last one has let go.
   */
  async release(nodes: ReadonlySet<NodeId>): Promise<void> {
    const concerned = [...this.#running.values()].filter(
      ({ move }) => move.isWork && move.nodes.some((id) => nodes.has(id)),
    );
    for (const { abort } of concerned) abort.abort();
    await Promise.all(concerned.map(({ over }) => over));
    this.#offers.release(nodes);
  }

  /** Fills the free slots, unless somebody acts on the search; called whenever something may have changed. */
  pump(): void {
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

  /** What follows where nothing is left to do here; nothing while it stays for offers, or where there is more to do. */
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
    let busy = 0;
    for (const { needsSlot } of this.#running.values()) if (needsSlot) busy++;
    return this.#ctx.concurrency - busy;
  }

  #begin(move: Move): void {
    const executor = this.#executors[move.kind];
    if (!executor) throw new RangeError(`no executor for moves of kind ${move.kind}`);
    const abort = new AbortController();
    const over = this.#carryOut(move, executor, abort.signal).then((result) => {
      this.#running.delete(move.id);
      if (result !== 'offered') this.#strategy.tell(move, result);
      this.pump();
    });
    const isOffer = 'offer' in executor;
    const needsSlot = !isOffer && executor.needsSlot;
    const underWay = { ...move, isWork: needsSlot || isOffer, expands: !isOffer && executor.expands === true };
    this.#running.set(move.id, { move: underWay, needsSlot, abort, over });
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
        this.#stopFor(second, consequenceOf(second));
        return { outcome: 'dropped' };
      }
    }
  }

  /** Makes of an error what it means for the move's nodes and for the search. */
  async #settle(move: Move, error: unknown, consequence: Consequence): Promise<MoveResult> {
    if (consequence !== 'fail') {
      this.#stopFor(error, consequence);
      if (consequence !== 'lost' && consequence !== 'store') await this.#reopen(move.nodes);
      return { outcome: 'dropped' };
    }
    // The root has no status that could say so.
    if (move.nodes.includes(this.#ctx.tree.root.id)) {
      this.#stopFor(error, 'person');
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

  #stopFor(error: unknown, consequence: Consequence): void {
    const { reason, say, details } = toThoughtTreeError(error);
    const cause = details.guard ?? reason;
    const why = kept(say);
    if (consequence === 'lost') this.stop({ kind: 'lost', error }, true);
    else if (consequence === 'store') this.stop({ kind: 'paused', reason: 'store', cause, ...why }, true);
    else if (consequence === 'budget') this.stop({ kind: 'paused', reason: 'budget', cause, ...why }, false);
    else if (consequence !== 'stopped') this.stop({ kind: 'paused', reason: 'person', cause, ...why }, false);
  }

  async #fail(id: NodeId, failure: Failure): Promise<void> {
    const { tree, nodes } = this.#ctx;
    const node = tree.get(id);
    if (node && (await nodes.wanted(node))) await nodes.change(node, { status: 'failed', failure }, { flush: true });
  }

  /** Puts nodes back to where they can be worked on again. */
  async #reopen(ids: readonly NodeId[]): Promise<void> {
    const { tree, nodes } = this.#ctx;
    for (const id of ids) {
      const node = tree.get(id);
      if (!node?.parent || (node.status !== 'in-progress' && node.status !== 'failed')) continue;
      if (await nodes.wanted(node)) await nodes.reopen(node);
    }
  }
}

/** What follows where the files cannot be written. */
export function stopFor(error: unknown): Stop {
  const { reason, say: why } = toThoughtTreeError(error);
  if (reason === 'lease-lost') return { kind: 'lost', error };
  return { kind: 'paused', reason: 'store', cause: reason, ...kept(why) };
}
