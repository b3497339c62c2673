import * as z from 'zod';
import type { JournalEvent } from '../search/events.ts';

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
