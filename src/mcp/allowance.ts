import { ThoughtTreeError } from '../core/search/errors.ts';
import { formatUsd } from '../core/text/figures.ts';
import type { Permit, Wanted } from '../searches/agent-tools/agent-host.ts';
import * as say from './messages.ts';

/** Less than this buys nothing; sums are not more exact. */
const LEAST_USD = 0.000_1;

/** The permissions that a person gave on the server's own command line, for clients that cannot ask. */
export class Allowance {
  readonly #usd: number;
  readonly #mayDelete: boolean;
  /** The amounts that permissions under way may spend, and that were spent, in US dollars. */
  #reserved = 0;
  #spent = 0;

  /**
   * @param usd what all searches of this server may spend together, in US dollars
   * @param mayDelete whether something may be removed
   */
  constructor(usd: number, mayDelete: boolean) {
    this.#usd = usd;
    this.#mayDelete = mayDelete;
  }

  /**
   * Permits what the person allowed, as far as it goes.
   * @throws ThoughtTreeError `declined`, naming the flag that would allow it
   */
  permit(wanted: Wanted): Permit {
    if (wanted.removes && !this.#mayDelete) throw refused(say.needsDelete());
    return wanted.spends ? this.#spend(wanted) : {};
  }

  #spend({ isElsewhere, areModelsOwn, isPriced, isFree, models = [], mostUsd = 0 }: Wanted): Permit {
    const model = models.join(', ');
    if (isElsewhere && !isFree) throw refused(say.runsElsewhere());
    if (!areModelsOwn) throw refused(say.needsModel({ model }));
    if (isFree) return {};
    if (this.#usd === 0) throw refused(say.needsMoney());
    if (!isPriced) throw refused(say.needsPrice({ model }));
    if (mostUsd <= 0) throw refused(say.limitReached());
    const left = this.#usd - this.#reserved - this.#spent;
    if (left < LEAST_USD) throw refused(say.moneyGone({ allowed: formatUsd(this.#usd) }));
    return this.#reserve(Math.min(left, mostUsd));
  }

  #reserve(mostUsd: number): Permit {
    this.#reserved += mostUsd;
    let isOver = false;
    const settle = (usd: number): void => {
      if (isOver) return;
      isOver = true;
      this.#reserved -= mostUsd;
      this.#spent += usd;
    };
    return { mostUsd, settle };
  }
}

function refused(why: ReturnType<typeof say.needsDelete>): ThoughtTreeError {
  return new ThoughtTreeError('declined', why);
}
