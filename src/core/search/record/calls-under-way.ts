import * as z from 'zod';
import { messageOf } from '../../messages/kept.ts';
import type { Message } from '../../messages/message.ts';
import { Said } from '../../messages/said.ts';
import type { JournalEvent } from '../events.ts';
import type { Fold } from './fold.ts';

const CallUnderWay = z.object({
  call: z.string(),
  purpose: z.string(),
  /** Slug path, empty for requests about the search as a whole. */
  node: z.string(),
  model: z.string(),
  /** From 1, over the retries and corrections of one question. */
  attempt: z.number(),
  /** Milliseconds since 1970. */
  since: z.number(),
  /** The last message about it. */
  said: z.object({ text: z.string(), say: Said }).optional(),
});

/** A call that has begun and not ended, according to the journal. */
export type CallUnderWay = Readonly<z.infer<typeof CallUnderWay>>;

/** The calls under way, oldest first. Those of a killed run are dropped when the next one begins. */
export class CallsUnderWay implements Fold {
  readonly #calls = new Map<string, CallUnderWay>();

  apply(event: JournalEvent): void {
    if (event.type === 'search-started' || event.type === 'search-resumed') this.giveUp();
    else if (event.type === 'call-started') {
      const { call, purpose, node, model, attempt, time } = event;
      this.#calls.set(call, { call, purpose, node, model, attempt, since: Date.parse(time) || 0 });
    } else if (event.type === 'call-ended') this.#calls.delete(event.call);
    else if (event.type === 'progress' && event.call !== undefined) this.#tell(event.call, event);
  }

  #tell(call: string, { text, say }: Extract<JournalEvent, { type: 'progress' }>): void {
    const told = this.#calls.get(call);
    if (told) this.#calls.set(call, { ...told, said: { text, say } });
  }

  /** Those of a process that is gone never end. */
  giveUp(): void {
    this.#calls.clear();
  }

  get state(): CallUnderWay[] {
    return [...this.#calls.values()];
  }

  restore(state: unknown): void {
    for (const call of z.array(CallUnderWay).parse(state)) this.#calls.set(call.call, call);
  }

  get size(): number {
    return this.#calls.size;
  }

  get all(): IterableIterator<CallUnderWay> {
    return this.#calls.values();
  }

  /** The last message about the oldest of them that has any. */
  get said(): Message | undefined {
    for (const { said } of this.#calls.values()) if (said) return messageOf(said.text, said.say);
    return undefined;
  }
}
