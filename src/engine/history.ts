import * as z from 'zod';
import type { Ledger } from '../core/money/ledger.ts';
import type { MadeBefore, MadeCall } from '../core/ports/model.ts';
import type { Clock } from '../core/ports/ports.ts';
import type { Store } from '../core/ports/store.ts';
import { Delivery, type JournalEvent, type KeptFold, type SearchEvent, type WorstCase } from '../core/search/events.ts';
import { SearchRecord } from '../core/search/record/search-record.ts';

export type Listener = (event: JournalEvent) => void;

/** The events of a search: numbered, summed up, passed to listeners, and written to the journal, in that order. */
export class History {
  /** The record so far, including earlier runs. */
  readonly past: SearchRecord;
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #onStoreFailure: (error: unknown) => void;
  readonly #listeners = new Set<Listener>();

  /** @param past the record of earlier runs; taken over, and kept up to date from here */
  constructor(store: Store, clock: Clock, onStoreFailure: (error: unknown) => void, past = new SearchRecord()) {
    this.#store = store;
    this.#clock = clock;
    this.#onStoreFailure = onStoreFailure;
    this.past = past;
  }

  get ledger(): Ledger {
    return this.past.ledger;
  }

  /** Adds a listener; returns a function that removes it. Errors of listeners are ignored. */
  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Records an event; resolves when the journal has it.
   * @param flush whether it, and all before it, must be on the disk itself by then
   */
  async record(event: SearchEvent, flush = false): Promise<void> {
    const time = new Date(this.#clock.now()).toISOString();
    const entry = { seq: this.past.seq + 1, time, ...event } as JournalEvent;
    this.past.apply(entry);
    for (const listener of this.#listeners) tell(listener, entry);
    await this.#store.append(entry, flush);
  }

  /** Brings everything recorded so far to the disk itself. */
  async flush(): Promise<void> {
    await this.#store.flushJournal();
  }

  /** Records an event that nobody waits for; a journal that cannot be written stops the search. */
  note(event: SearchEvent): void {
    this.record(event).catch(this.#onStoreFailure);
  }
}

function tell(listener: Listener, event: JournalEvent): void {
  try {
    listener(event);
  } catch {
    // a view that fails to draw an event must not stop the search
  }
}

/** Questions that are remembered besides those under way: the ones that are asked again were answered last. */
const REMEMBERED = 1000;
/** `true` for a question that is under way. */
const AttemptsState = z.array(z.tuple([z.string(), z.number(), z.literal(true).optional()])).max(100_000);

/** Counts how often each of the latest questions was sent, in this process or an earlier one. */
export class Attempts implements KeptFold {
  static readonly part = 'attempts';
  readonly name = Attempts.part;
  /** Those under way: with many slots, more than are remembered. */
  readonly #underWay = new Map<string, number>();
  /** The others, in the order in which their last calls ended. */
  readonly #made = new Map<string, number>();

  apply(event: JournalEvent): void {
    if (event.type === 'call-started') this.#begin(event.question);
    else if (event.type === 'call-ended') this.#end(event.question);
  }

  get state(): z.infer<typeof AttemptsState> {
    const underWay = [...this.#underWay].map(([question, made]): [string, number, true] => [question, made, true]);
    return [...this.#made, ...underWay];
  }

  restore(state: unknown): void {
    this.#underWay.clear();
    this.#made.clear();
    for (const [question, made, isUnderWay] of AttemptsState.parse(state))
      (isUnderWay ? this.#underWay : this.#made).set(question, made);
  }

  of(question: string): number {
    return this.#underWay.get(question) ?? this.#made.get(question) ?? 0;
  }

  #begin(question: string | undefined): void {
    if (question === undefined) return;
    const made = this.of(question);
    this.#made.delete(question);
    this.#underWay.set(question, made + 1);
  }

  #end(question: string | undefined): void {
    const made = question === undefined ? undefined : this.#underWay.get(question);
    if (question === undefined || made === undefined) return;
    this.#underWay.delete(question);
    this.#made.set(question, made);
    const [oldest] = this.#made.keys();
    if (this.#made.size > REMEMBERED && oldest !== undefined) this.#made.delete(oldest);
  }
}

/**
 * Answered calls that are remembered: more than there are in the time that a queue may forget, or that a process needs to write
 * an answer's words.
 */
const MOST_ANSWERED = 2000;
const Most = z.object({ tokens: z.number().nonnegative(), usd: z.number().nonnegative() });
const Counted = Delivery.extend({
  /** That it answered no call, and was counted besides. */
  isFurther: z.literal(true).optional(),
});
type Counted = z.infer<typeof Counted>;
const AnsweredState = z.object({ most: Most, makings: z.array(Counted).max(MOST_ANSWERED) });

/**
 * Which deliveries of the latest calls are counted, where a queue that loses its memory may have one made twice: those that
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
    else if (event.type === 'adopted' || event.type === 'forked') this.#counted.clear();
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

  get makings(): Delivery[] {
    return [...this.#counted.values()].filter(({ isFurther }) => !isFurther);
  }

  get further(): Delivery[] {
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

/** Calls without an answer that are remembered: as many as a search may have under way at once. */
const MOST_OPEN = 4096;
const Adoptable = z.object({
  call: z.string(),
  question: z.string(),
  sent: z.string(),
  /** The model that was asked: the answer is priced as one of its answers. */
  model: z.string(),
  isOver: z.boolean(),
  making: Delivery.optional(),
});
type Adoptable = z.infer<typeof Adoptable>;
const AdoptableState = z.array(Adoptable).max(MOST_OPEN + MOST_ANSWERED);

/**
 * The calls of earlier processes whose answers a later one may take, where calls outlive a process: those whose end that did
 * not live to see, and the last ones whose answers it was given. It may have been killed before their words were in a file,
 * and then their questions are asked again.
 */
export class AdoptableCalls implements KeptFold {
  static readonly part = 'adoptable';
  readonly name = AdoptableCalls.part;
  readonly #open = new Map<string, Adoptable>();
  readonly #answered = new Map<string, Adoptable>();
  /** The calls above by their questions: there may be as many as slots, and each call asks for its own. */
  readonly #byQuestion = new Map<string, Set<string>>();

  apply(event: JournalEvent): void {
    if (event.type === 'call-started') this.#begin(event);
    else if (event.type === 'call-ended') this.#end(event);
    // Calls of an adopted search are nobody's calls here.
    else if (event.type === 'adopted' || event.type === 'forked') this.#clear();
    // A person who has something done again wants another answer.
    else if (event.type === 'steered') for (const call of [...this.#answered.keys()]) this.#delete(call);
    else if (event.type === 'lease-taken')
      for (const calls of [this.#open, this.#answered])
        for (const [call, made] of calls) calls.set(call, { ...made, isOver: true });
  }

  get state(): z.infer<typeof AdoptableState> {
    return [...this.#open.values(), ...this.#answered.values()];
  }

  restore(state: unknown): void {
    this.#clear();
    for (const made of AdoptableState.parse(state)) this.#add(made);
  }

  /**
   * Returns those that sent a model a question in just these words; first the answered ones, whose answers nobody has
   * to wait for.
   */
  of(question: string, sent: string, model: string): readonly MadeCall[] {
    const same = [...(this.#byQuestion.get(question) ?? [])];
    const all = [this.#answered, this.#open].flatMap((calls) => same.flatMap((call) => calls.get(call) ?? []));
    return all
      .filter((made) => made.isOver && made.sent === sent && made.model === model)
      .map(({ call, making }) => ({ call, ...(making && { making }) }));
  }

  #begin({ call, question, sent, model }: Extract<JournalEvent, { type: 'call-started' }>): void {
    if (question === undefined || sent === undefined) return;
    this.#add({ call, question, sent, model, isOver: false });
  }

  /** The words of a failed call are of no use to anybody. */
  #end({ call, making, message }: Extract<JournalEvent, { type: 'call-ended' }>): void {
    const made = this.#open.get(call) ?? this.#answered.get(call);
    if (!made) return;
    this.#delete(call);
    const isAnswered = making !== undefined && message === undefined;
    if (isAnswered) this.#add({ ...made, isOver: false, making });
  }

  #add(made: Adoptable): void {
    const [calls, most] = made.making ? [this.#answered, MOST_ANSWERED] : [this.#open, MOST_OPEN];
    calls.set(made.call, made);
    this.#byQuestion.set(made.question, (this.#byQuestion.get(made.question) ?? new Set<string>()).add(made.call));
    const oldest = calls.keys().next();
    if (calls.size > most && !oldest.done) this.#delete(oldest.value);
  }

  #delete(call: string): void {
    const made = this.#open.get(call) ?? this.#answered.get(call);
    if (!made) return;
    this.#open.delete(call);
    this.#answered.delete(call);
    const same = this.#byQuestion.get(made.question);
    same?.delete(call);
    if (same?.size === 0) this.#byQuestion.delete(made.question);
  }

  #clear(): void {
    this.#open.clear();
    this.#answered.clear();
    this.#byQuestion.clear();
  }
}
