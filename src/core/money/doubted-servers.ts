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
