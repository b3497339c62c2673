import type { Ledger } from '../../core/money/ledger.ts';
import type { Model } from '../../core/ports/model.ts';
import type { Purpose } from '../../core/ports/purpose.ts';
import type { WorstCase } from '../../core/search/events.ts';
import type { Guards } from '../../core/search/limits.ts';

/** A call whose server has not been checked may use its worst case so many times. */
const UNCHECKED = 8;

/**
 * Calls for a purpose to a server none of whose answers for it was checked: it may use more than it is asked to, and
 * nobody knows yet. They run together as far as several times their worst case fits under the guards, and one at a time
 * beyond that.
 */
export class FirstCalls {
  readonly #checked = new Set<string>();
  readonly #open = new Map<string, { readonly model: string; readonly worst: WorstCase }>();

  /** Tells whether a call has to wait for the end of those under way. */
  mustWait(ledger: Ledger, guards: Guards, { model, purpose, worst, now }: FirstCall): boolean {
    if (this.#isChecked(model, purpose)) return false;
    const others = [...this.#open.values()].filter((open) => open.model === model.name);
    if (others.length === 0) return false;
    // Calls under way are booked once already.
    const more = [times(worst, UNCHECKED), ...others.map((open) => times(open.worst, UNCHECKED - 1))];
    const guard = ledger.guardInTheWay(guards, more.reduce(sumOf), now);
    return guard === 'tokens' || guard === 'usd';
  }

  begin(call: string, model: Model, purpose: Purpose, worst: WorstCase): void {
    if (!this.#isChecked(model, purpose)) this.#open.set(call, { model: model.name, worst });
  }

  /** @param isChecked whether there was an answer, and what it used was compared with it */
  end(call: string, model: Model, purpose: Purpose, isChecked: boolean): void {
    this.#open.delete(call);
    if (isChecked) this.#checked.add(`${model.name} ${purpose}`);
  }

  #isChecked(model: Model, purpose: Purpose): boolean {
    return !model.metered || this.#checked.has(`${model.name} ${purpose}`);
  }
}

interface FirstCall {
  readonly model: Model;
  readonly purpose: Purpose;
  readonly worst: WorstCase;
  /** Milliseconds since 1970. */
  readonly now: number;
}

function times({ tokens, usd }: WorstCase, factor: number): WorstCase {
  return { tokens: tokens * factor, ...(usd === undefined ? {} : { usd: usd * factor }) };
}

function sumOf(a: WorstCase, b: WorstCase): WorstCase {
  return { tokens: a.tokens + b.tokens, usd: (a.usd ?? 0) + (b.usd ?? 0) };
}
