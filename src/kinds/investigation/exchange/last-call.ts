import * as z from 'zod';
import type { JournalEvent } from '../../../core/search/events.ts';
import type { KeptFold } from '../../../core/search/record/fold.ts';

/** When an investigation was last changed by a call, according to its journal. */
export class LastCall implements KeptFold {
  static readonly part = 'investigation-last-call';
  readonly name = LastCall.part;
  /** In milliseconds since 1970; undefined before the first call. */
  time: number | undefined;

  apply(event: JournalEvent): void {
    if (event.type === 'offers-answered') this.time = Date.parse(event.time);
  }

  get state(): { time?: number } {
    return this.time === undefined ? {} : { time: this.time };
  }

  restore(state: unknown): void {
    this.time = z.object({ time: z.number().optional() }).parse(state).time;
  }
}
