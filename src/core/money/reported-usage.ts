import * as z from 'zod';
import { type JournalEvent, WorstCase } from '../search/events.ts';
import { UsageDoubt } from './usage-doubt.ts';

/** The least multiple of its worst case at which a call is booked whose server was caught. */
const CAUGHT = 3;
/** The factor by which a call may still exceed the most that was seen. */
const MARGIN = 1.5;

/** The doubts about a server that answers at greater length than it was asked to, or counts less than it used. */
const PASSES_ITS_WORST: ReadonlySet<UsageDoubt> = new Set(['reasoning', 'sums', 'length', 'endless']);

interface Caught {
  readonly doubts: Set<UsageDoubt>;
  /** The most tokens that a call used, in its worst case; 1 if none used more. */
  most: number;
}

const Booked = z.object({
  model: z.string(),
  worst: WorstCase,
  /** The factor in force when it was booked. */
  factor: z.number(),
});
type Booked = z.infer<typeof Booked>;

const DoubtedState = z.object({
  caught: z.array(z.object({ model: z.string(), doubts: z.array(UsageDoubt), most: z.number() })),
  open: z.array(z.tuple([z.string(), Booked])),
});

/** The servers whose figures turned out to be wrong, by model, and how carefully their calls are booked from then on. */
export class DoubtedServers {
  readonly #caught = new Map<string, Caught>();
  readonly #open = new Map<string, Booked>();

  /** Takes one event of the journal into account. */
  apply(event: JournalEvent): void {
    if (event.type === 'usage-doubted') this.#of(event.model).doubts.add(event.doubt);
    else if (event.type === 'call-started') {
      const { model, worst } = event;
      this.#open.set(event.call, { model, worst, factor: this.factor(model) });
    } else if (event.type === 'call-ended') this.#learn(event);
    else if (event.type === 'search-started' || event.type === 'search-resumed') this.#open.clear();
  }

  get state(): z.infer<typeof DoubtedState> {
    const caught = Array.from(this.#caught, ([model, { doubts, most }]) => ({ model, doubts: [...doubts], most }));
    return { caught, open: [...this.#open] };
  }

  restore(state: unknown): void {
    const { caught, open } = DoubtedState.parse(state);
    for (const { model, doubts, most } of caught) this.#caught.set(model, { doubts: new Set(doubts), most });
    for (const [call, booked] of open) this.#open.set(call, booked);
  }

  /** Tells whether this was said about a model's server before. */
  isKnown(model: string, doubt: UsageDoubt): boolean {
    return this.#caught.get(model)?.doubts.has(doubt) ?? false;
  }

  /** Returns the multiple of its worst case at which a call has to be booked; 1 for a server that was never caught. */
  factor(model: string): number {
    const caught = this.#caught.get(model);
    if (!caught) return 1;
    const least = [...caught.doubts].some((doubt) => PASSES_ITS_WORST.has(doubt)) ? CAUGHT : 1;
    return Math.max(least, caught.most > 1 ? MARGIN * caught.most : 1);
  }

  #learn({ call, usage, booked }: Extract<JournalEvent, { type: 'call-ended' }>): void {
    const start = this.#open.get(call);
    this.#open.delete(call);
    const tokens = usage ? usage.prompt + usage.completion : booked?.tokens;
    if (!start || tokens === undefined || start.worst.tokens === 0) return;
    const most = (start.factor * tokens) / start.worst.tokens;
    if (most > 1 && most > (this.#caught.get(start.model)?.most ?? 1)) this.#of(start.model).most = most;
  }

  #of(model: string): Caught {
    const caught = this.#caught.get(model) ?? { doubts: new Set(), most: 1 };
    this.#caught.set(model, caught);
    return caught;
  }
}

/** US dollars per token: upper bounds for one prompt token and one answer token. */
const Bound = z.object({ prompt: z.number(), completion: z.number() });
type Bound = Readonly<z.infer<typeof Bound>>;

const Heard = z.object({
  /** Its server has reported the cost of an answer; an answer without a cost settles it as well. */
  reports: z.boolean(),
  /** The tightest bounds that any one answer gives, and the loosest. */
  closest: Bound.optional(),
  widest: Bound.optional(),
  /** An answer cost more than the tightest bounds allow: then prices vary, and only the loosest are safe. */
  varies: z.boolean(),
});
type Heard = z.infer<typeof Heard>;

const CostsState = z.object({
  models: z.array(z.tuple([z.string(), Heard])),
  /** The models of calls under way. */
  calls: z.array(z.tuple([z.string(), z.string()])),
});

/**
 * Bounds on the prices of models whose price is unknown, if their servers report costs: enough to enforce a limit in
 * dollars. If an answer of `p` fresh prompt tokens and `c` completion tokens cost `d` dollars, a prompt token costs at
 * most `d / p` and a completion token at most `d / c`. Of several answers, the smallest bounds hold as long as prices
 * do not change; once a change is seen, the largest are used.
 */
export class ReportedCosts {
  readonly #models = new Map<string, Heard>();
  readonly #calls = new Map<string, string>();

  /** Takes one event of the journal into account. */
  apply(event: JournalEvent): void {
    if (event.type === 'call-started') this.#calls.set(event.call, event.model);
    if (event.type !== 'call-ended') return;
    const model = this.#calls.get(event.call);
    this.#calls.delete(event.call);
    if (model === undefined || !event.charged || (!event.usage && event.outcome !== 'ok')) return;
    const heard = this.#models.get(model) ?? { reports: false, closest: undefined, widest: undefined, varies: false };
    this.#models.set(model, heard);
    const { usage } = event;
    if (usage?.usd === undefined || usage.usd <= 0) return;
    heard.reports = true;
    const fresh = Math.max(1, usage.prompt - usage.cached);
    const bound = { prompt: usage.usd / fresh, completion: usage.usd / Math.max(1, usage.completion) };
    const { closest } = heard;
    const allowed = closest && usage.prompt * closest.prompt + usage.completion * closest.completion;
    if (allowed !== undefined && usage.usd > allowed * (1 + 1e-9)) heard.varies = true;
    heard.closest = combined(closest, bound, Math.min);
    heard.widest = combined(heard.widest, bound, Math.max);
  }

  get state(): z.infer<typeof CostsState> {
    return { models: [...this.#models], calls: [...this.#calls] };
  }

  restore(state: unknown): void {
    const { models, calls } = CostsState.parse(state);
    for (const [model, heard] of models) this.#models.set(model, heard);
    for (const [call, model] of calls) this.#calls.set(call, model);
  }

  /** Tells whether it is still unknown if this model's server reports costs. */
  isUnheard(model: string): boolean {
    return !this.#models.has(model);
  }

  /** The most that a request of so many tokens can cost, in US dollars; undefined if its server never reported a cost. */
  worstUsd(model: string, prompt: number, completion: number): number | undefined {
    const heard = this.#models.get(model);
    const bound = heard?.varies ? heard.widest : heard?.closest;
    return bound && prompt * bound.prompt + completion * bound.completion;
  }
}

function combined(a: Bound | undefined, b: Bound, which: (a: number, b: number) => number): Bound {
  return a ? { prompt: which(a.prompt, b.prompt), completion: which(a.completion, b.completion) } : b;
}
