import * as z from 'zod';
import type { MadeBefore } from '../../core/ports/model.ts';
import { type JournalEvent, Making, type WorstCase } from '../../core/search/events.ts';
import type { KeptFold } from '../../core/search/record/fold.ts';

/**
 * Answered calls that are remembered: more than there are in the time that a queue may forget, or that a process needs to write
 * an answer's words.
 */
export const MOST_ANSWERED = 2000;
const Most = z.object({ tokens: z.number().nonnegative(), usd: z.number().nonnegative() });
const Counted = Making.extend({
  /** That it answered no call, and was counted besides. */
  isFurther: z.literal(true).optional(),
});
type Counted = z.infer<typeof Counted>;
const AnsweredState = z.object({ most: Most, makings: z.array(Counted).max(MOST_ANSWERED) });

/**
 * Which makings of the latest calls are counted, where a queue that loses its memory may have one made twice: those that
 * ended a call, be it at no cost, and further ones. Any other was paid for, too, to whichever process it comes; none of these is counted
 * again, however often it is found.
 */
export class AnsweredCalls implements KeptFold, MadeBefore {
  static readonly part = 'answered';
  readonly name = AnsweredCalls.part;
  readonly #counted = new Map<string, Counted>();
  #most = { tokens: 0, usd: 0 };

  apply(event: JournalEvent): void {
    if (event.type === 'call-started') this.#mayUse(event.worst);
    else if (event.type === 'call-ended' && event.making) this.#add(event.making);
    else if (event.type === 'spend-remembered' && event.job !== undefined && event.taken !== undefined)
      this.#add({ job: event.job, taken: event.taken, isFurther: true });
    // Calls of an adopted search are nobody's calls here.
    else if (event.type === 'adopted') this.#counted.clear();
  }

  get state(): z.infer<typeof AnsweredState> {
    return { most: this.#most, makings: [...this.#counted.values()] };
  }

  restore(state: unknown): void {
    const { most, makings } = AnsweredState.parse(state);
    this.#most = most;
    this.#counted.clear();
    for (const making of makings) this.#add(making);
  }

  get makings(): Making[] {
    return [...this.#counted.values()].filter(({ isFurther }) => !isFurther);
  }

  get further(): Making[] {
    return [...this.#counted.values()].flatMap(({ isFurther, ...making }) => (isFurther ? making : []));
  }

  /** The most that any call was booked with. */
  get most(): z.infer<typeof Most> {
    return this.#most;
  }

  #mayUse({ tokens, usd = 0 }: WorstCase): void {
    this.#most = { tokens: Math.max(this.#most.tokens, tokens), usd: Math.max(this.#most.usd, usd) };
  }

  #add(making: Counted): void {
    const key = `${making.job} ${making.taken}`;
    this.#counted.delete(key);
    this.#counted.set(key, making);
    const oldest = this.#counted.keys().next();
    if (this.#counted.size > MOST_ANSWERED && !oldest.done) this.#counted.delete(oldest.value);
  }
}
