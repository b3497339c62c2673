import * as z from 'zod';
import type { JournalEvent } from '../search/events.ts';

export const WorkedTimeState = z.object({
  workedMs: z.number(),
  isWorking: z.boolean(),
  workedTo: z.number(),
  lastTime: z.number(),
});

/**
 * The time for which a search was at work, as a sum over its journal: from event to event, so that a clock that is set
 * back costs no more than one such step. A run that was killed is taken to have ended at its last event.
 */
export class WorkedTime {
  #workedMs = 0;
  #isWorking = false;
  /** When the last event of a search at work happened. */
  #workedTo = 0;
  #lastTime = 0;

  /** Takes one event of the journal into account. */
  apply(event: JournalEvent): void {
    // It is noted by the next process, before it runs anything.
    if (event.type === 'lease-taken') this.stop();
    this.#pass(event);
    if (isBegin(event) || event.type === 'search-running') this.#isWorking = true;
    else if (event.type === 'search-paused' || event.type === 'search-finished') this.stop();
    // Others answer offers in their own time: a search that waits for nothing else is not working.
    else if (event.type === 'search-waiting' && event.reason === 'offers') this.stop();
    else if (event.type === 'spend-remembered') this.#workedMs += event.minutes * 60_000;
  }

  #pass(event: JournalEvent): void {
    const time = Date.parse(event.time);
    if (Number.isNaN(time)) return; // a damaged time must not spoil the sum
    this.#lastTime = time;
    if (!isOfRun(event)) return;
    if (this.#isWorking && !isBegin(event)) this.#workedMs += Math.max(0, time - this.#workedTo);
    this.#workedTo = time;
  }

  get state(): z.infer<typeof WorkedTimeState> {
    return {
      workedMs: this.#workedMs,
      isWorking: this.#isWorking,
      workedTo: this.#workedTo,
      lastTime: this.#lastTime,
    };
  }

  restore({ workedMs, isWorking, workedTo, lastTime }: z.infer<typeof WorkedTimeState>): void {
    this.#workedMs = workedMs;
    this.#isWorking = isWorking;
    this.#workedTo = workedTo;
    this.#lastTime = lastTime;
  }

  /** Nobody works on it from here on. */
  stop(): void {
    this.#isWorking = false;
  }

  /** When the last event happened, in milliseconds since 1970; 0 before the first. */
  get lastTime(): number {
    return this.#lastTime;
  }

  /** To its last event, in minutes. */
  get minutes(): number {
    return this.minutesAt(this.#workedTo);
  }

  /** Returns the minutes at a moment in which it may still be at work. @param now milliseconds since 1970 */
  minutesAt(now: number): number {
    const running = this.#isWorking ? Math.max(0, now - this.#workedTo) : 0;
    return (this.#workedMs + running) / 60_000;
  }
}

function isBegin({ type }: JournalEvent): boolean {
  return type === 'search-started' || type === 'search-resumed';
}

/** Tells whether an event is one of a search at work. Others may come while nobody runs it, as after a kill. */
function isOfRun(event: JournalEvent): boolean {
  return !OUTSIDE.has(event.type) && !('by' in event && event.by !== undefined);
}

const OUTSIDE: ReadonlySet<JournalEvent['type']> = new Set(['steered', 'adopted', 'spend-remembered', 'lease-taken']);
