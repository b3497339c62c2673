import * as z from 'zod';
import { type JournalEvent, Making, type WorstCase } from '../../core/search/events.ts';
import type { KeptFold } from '../../core/search/record/fold.ts';

/** Calls that are remembered: more than are answered in the time that a queue may forget. */
const REMEMBERED = 2000;
const Most = z.object({ tokens: z.number().nonnegative(), usd: z.number().nonnegative() });
const AnsweredState = z.object({ most: Most, makings: z.array(Making).max(REMEMBERED) });

/**
 * By which of their makings the latest calls were answered, where a queue that loses its memory may have one made twice:
 * another answer, also to a later process, was paid for, too.
 */
export class AnsweredCalls implements KeptFold {
  readonly name = 'answered';
  readonly #makings = new Map<string, Making>();
  #most = { tokens: 0, usd: 0 };

  apply(event: JournalEvent): void {
    if (event.type === 'call-started') this.#mayUse(event.worst);
    else if (event.type === 'call-ended' && event.making) this.#add(event.making);
    // Counted once, however often it is found in the queue.
    else if (event.type === 'spend-remembered' && event.job !== undefined) this.#makings.delete(event.job);
    // What came from somebody else is nobody's call here.
    else if (event.type === 'adopted') this.#makings.clear();
  }

  get state(): z.infer<typeof AnsweredState> {
    return { most: this.#most, makings: this.makings };
  }

  restore(state: unknown): void {
    const { most, makings } = AnsweredState.parse(state);
    this.#most = most;
    this.#makings.clear();
    for (const making of makings) this.#makings.set(making.job, making);
  }

  get makings(): Making[] {
    return [...this.#makings.values()];
  }

  /** The most that any call was booked with. */
  get most(): z.infer<typeof Most> {
    return this.#most;
  }

  #mayUse({ tokens, usd = 0 }: WorstCase): void {
    this.#most = { tokens: Math.max(this.#most.tokens, tokens), usd: Math.max(this.#most.usd, usd) };
  }

  #add(making: Making): void {
    this.#makings.delete(making.job);
    this.#makings.set(making.job, making);
    const oldest = this.#makings.keys().next();
    if (this.#makings.size > REMEMBERED && !oldest.done) this.#makings.delete(oldest.value);
  }
}
