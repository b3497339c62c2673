import * as z from 'zod';
import type { MoveResult } from '../../core/kind/strategy.ts';
import type { Message } from '../../core/messages/message.ts';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import type { JournalEvent, KeptFold } from '../../core/search/events.ts';
import { heldTokens } from '../../engine/messages.ts';
import { dollars, gainBelowPrice, gainBelowPriceAsks, nothingBetter, nothingBetterAsks } from './messages.ts';
import type { ThoughtSearch } from './thought-search.ts';

const GainsState = z.object({
  best: z.number(),
  rises: z.number(),
  risen: z.number(),
  calls: z.number(),
  goesOn: z.boolean().default(false),
});

/** The cause of a pause for want of gain. */
const STALLED = 'at-rest';
/** The best score of a solution. */
const MOST = 10;
const COUNTED: ReadonlySet<string> = new Set(['generate', 'evaluate', 'write-draft', 'read-draft']);

/** The rises of the best score of a search, and the calls since the last one, as its journal tells. */
export class Gains implements KeptFold {
  static readonly part = 'gains';
  readonly name = Gains.part;
  #best = 0;
  /** The number of times that it rose, and by how much in all. */
  #rises = 0;
  #risen = 0;
  #calls = 0;
  #goesOn = false;

  apply(event: JournalEvent): void {
    if (event.type === 'call-ended' && event.outcome === 'ok' && COUNTED.has(event.purpose)) this.#calls++;
    if (event.type === 'search-started') this.#calls = 0;
    if (event.type === 'search-paused' && event.cause === STALLED) {
      this.#calls = 0;
      this.#goesOn = true;
    }
    if (event.type !== 'node-status') return;
    const score = event.leafReason === 'solved' ? MOST : (event.evaluation?.score ?? 0);
    if (score <= this.#best) return;
    this.#rises++;
    this.#risen += score - this.#best;
    this.#best = score;
    this.#calls = 0;
    this.#goesOn = false;
  }

  /** Calls since the best score last rose. */
  get callsSince(): number {
    return this.#calls;
  }

  /** True if a person was asked since the best score last rose: who goes on then is asked again only after so many calls. */
  get wasAsked(): boolean {
    return this.#goesOn;
  }

  /**
   * The gain that the next call is expected to bring, in points: after n calls in vain, one in n + 1 is taken to bring what rises
   * brought on average, and no more than is missing.
   */
  get expected(): number {
    if (this.#rises === 0) return MOST;
    return Math.min(this.#risen / this.#rises, MOST - this.#best) / (this.#calls + 1);
  }

  get state(): z.infer<typeof GainsState> {
    return { best: this.#best, rises: this.#rises, risen: this.#risen, calls: this.#calls, goesOn: this.#goesOn };
  }

  restore(state: unknown): void {
    const { best, rises, risen, calls, goesOn } = GainsState.parse(state);
    this.#best = best;
    this.#rises = rises;
    this.#risen = risen;
    this.#calls = calls;
    this.#goesOn = goesOn;
  }
}

/** Returns why a search should stop for want of gain, as its options say; undefined if it should not. */
export function stallOf({ settings, history }: Pick<ThoughtSearch, 'settings' | 'history'>): Message | undefined {
  const { stopAfter, pointWorth } = settings;
  const gains = stopAfter === undefined && pointWorth === undefined ? undefined : history.past.part(Gains);
  if (!gains) return undefined;
  const asks = settings.onStall === 'ask';
  const { calls, usd, prompt, completion } = history.past.spend;
  const price = calls > 0 ? usd / calls : 0;
  const { callsSince: count } = gains;
  if (stopAfter !== undefined && count >= stopAfter) {
    if (!asks) return nothingBetter({ count });
    const tokens = calls > 0 ? Math.round((prompt + completion) / calls) : 0;
    const costs = (n: number): Message => (usd > 0 ? dollars({ usd: n * price }) : heldTokens({ count: n * tokens }));
    return nothingBetterAsks({ count, call: costs(1), all: costs(count) });
  }
  if (asks && gains.wasAsked) return undefined;
  const worth = pointWorth === undefined ? Number.POSITIVE_INFINITY : pointWorth * gains.expected;
  if (worth >= price) return undefined;
  return asks ? gainBelowPriceAsks({ worth, price }) : gainBelowPrice({ worth, price });
}

/**
 * Asks a person whether to go on without a gain: the search pauses, and who resumes it goes on.
 * @throws ThoughtTreeError `at-rest`, saying what going on costs
 */
export function askToGoOn(ctx: Pick<ThoughtSearch, 'settings' | 'history'>): MoveResult {
  const why = stallOf(ctx);
  if (why) throw new ThoughtTreeError(STALLED, why);
  return { outcome: 'done' };
}
