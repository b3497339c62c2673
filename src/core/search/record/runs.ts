import * as z from 'zod';
import { type Message, messageOf } from '../../messages/message.ts';
import { Said } from '../../messages/said.ts';
import type { MadeBefore, MadeCall } from '../../ports/model.ts';
import { Delivery, type Fold, JournalEvent, type KeptFold, UsageRecord, type WorstCase } from '../events.ts';
import { Limits, SpendLimits } from '../limits.ts';
import { withoutMissing } from '../search-file.ts';
import type { LimitReached, SearchTurn } from './search-state.ts';

type RunBegin = Extract<JournalEvent, { type: 'search-started' | 'search-resumed' }>;
type RunEnd = Extract<JournalEvent, { type: 'search-paused' | 'search-finished' }>;

// As they are in the journal, with fields of later versions.
const Told = z.custom<JournalEvent>((event) => JournalEvent.safeParse(event).success);

export const RunsState = z.object({
  hasBegun: z.boolean(),
  run: Told.optional(),
  turn: Told.optional(),
  end: Told.optional(),
  limits: z.custom<Limits>((limits) => Limits.safeParse(limits).success).optional(),
  restsAt: z.number().optional(),
  hasMore: z.boolean().optional(),
  reachAtEnd: z.string().optional(),
});

interface RunsNow {
  hasBegun: boolean;
  /** The beginning of the last one. */
  run?: RunBegin | undefined;
  /** The last event about the search as a whole: that it began, waits, paused, finished. */
  turn?: SearchTurn | undefined;
  /** The end of the last completed one. */
  end?: RunEnd | undefined;
  /** The limits that were last set. */
  limits?: Limits | undefined;
  /** The value of the spend limit that it paused before. */
  restsAt?: number | undefined;
  /** True if a node came, or was opened again, since the search last finished. */
  hasMore: boolean;
  /** The limits of its reach when it last finished. */
  reachAtEnd?: string | undefined;
}

/** The runs of a search: what the last one began with, how it stands since, and within which limits. */
export class Runs implements Fold {
  #now: RunsNow = { hasBegun: false, hasMore: false };

  apply(event: JournalEvent): void {
    if (event.type === 'node-added' || (event.type === 'node-status' && event.status === 'unexpanded'))
      this.#now.hasMore = true;
    if (isTurn(event)) this.#take(event);
    else if (event.type === 'budget-changed') this.#now.limits = event.limits;
    // Whatever limit was reached then, the fork has a budget of its own.
    else if (event.type === 'forked') this.#now.restsAt = 0;
  }

  get now(): Readonly<RunsNow> {
    return this.#now;
  }

  get state(): z.infer<typeof RunsState> {
    return { ...this.#now };
  }

  restore({ hasBegun, run, turn, end, limits, restsAt, hasMore = false, reachAtEnd }: z.infer<typeof RunsState>): void {
    this.#now = withoutMissing({ hasBegun, run, turn, end, limits, restsAt, hasMore, reachAtEnd }) as RunsNow;
  }

  /** True if it may go further than when it last finished. */
  get hasGrown(): boolean {
    return this.#now.reachAtEnd !== undefined && reachOf(this.#now.limits) !== this.#now.reachAtEnd;
  }

  /** True if the last event says that all remaining work is outside. */
  get waitsOutside(): boolean {
    return this.#now.turn?.type === 'search-waiting' && this.#now.turn.reason === 'offers';
  }

  /** True if its last run came to its end or paused, and was not cut off. */
  get isAtRest(): boolean {
    return this.#now.turn?.type === 'search-paused' || this.#now.turn?.type === 'search-finished';
  }

  /** The cause for which a person is needed, if it paused for one. */
  get cause(): string | undefined {
    return this.#now.turn?.type === 'search-paused' && this.#now.turn.reason === 'person'
      ? this.#now.turn.cause
      : undefined;
  }

  /** The spend limit that it paused before, unless that was raised since: until then, continuing would do nothing. */
  get limitReached(): LimitReached | undefined {
    const guard = guardIn(this.#now.turn);
    const limit = guard && this.#now.limits?.guards[guard];
    return guard && limit !== undefined && limit <= (this.#now.restsAt ?? limit) ? { guard, limit } : undefined;
  }

  #take(event: SearchTurn): void {
    this.#now.turn = event;
    const guard = guardIn(event);
    this.#now.restsAt = guard && this.#now.limits?.guards[guard];
    if (event.type === 'search-paused' || event.type === 'search-finished') this.#now.end = event;
    if (event.type === 'search-finished') {
      this.#now.hasMore = false;
      this.#now.reachAtEnd = reachOf(this.#now.limits);
    }
    if (event.type !== 'search-started' && event.type !== 'search-resumed') return;
    if (event.type === 'search-started') this.#now.hasBegun = true;
    this.#now.run = event;
    this.#now.limits = event.limits;
  }
}

function reachOf(limits: Limits | undefined): string | undefined {
  return limits && `${limits.size} ${limits.maxDepth}`;
}

/** Returns the spend limit that a search paused before, if that is why it did. */
function guardIn(turn: SearchTurn | undefined): keyof SpendLimits | undefined {
  return turn?.type === 'search-paused' && turn.reason === 'budget'
    ? SpendLimits.keyof().safeParse(turn.cause).data
    : undefined;
}

function isTurn(event: JournalEvent): event is SearchTurn {
  return event.type.startsWith('search-');
}

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

/** A call that an earlier process was answered: what was sent, and how the answer ended. */
export interface AnsweredBefore {
  readonly call: string;
  readonly sent: string;
  readonly outcome: string;
  readonly usage?: z.infer<typeof Used>;
}

/** Calls without an answer that are remembered: as many as a search may have under way at once. */
const MOST_OPEN = 4096;
const Used = UsageRecord.pick({ prompt: true, cached: true, completion: true });
const Adoptable = z.object({
  call: z.string(),
  question: z.string(),
  sent: z.string(),
  /** The model that was asked: the answer is priced as one of its answers. */
  model: z.string(),
  isOver: z.boolean(),
  making: Delivery.optional(),
  /** Of an answered one. */
  answered: z.object({ node: z.string(), outcome: z.string(), usage: Used.optional() }).optional(),
});
type Adoptable = z.infer<typeof Adoptable>;
const AdoptableState = z.array(Adoptable).max(MOST_OPEN + MOST_ANSWERED);

/** The ways to end an answer in whose words the same can be found wrong again. */
const ENDS: ReadonlySet<string> = new Set(['ok', 'length', 'refused']);

/**
 * The calls of earlier processes whose answers a later one may take. Where calls outlive a process: those whose end that did
 * not live to see, and the last ones whose answers it was given. It may have been killed before their words were in a file,
 * and then their questions are asked again. And anywhere: the last ones that were answered, where a question was not over then.
 * What was wrong with its answers so far is found in their words, and only what comes next is asked.
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
    else if (event.type === 'steered' || (event.type === 'search-paused' && event.reason === 'person')) this.#forget();
    // Once something came of its questions, even if it is that they failed, the next ones there are asked for themselves.
    else if (event.type === 'picked') this.#settle('');
    else if (event.type === 'node-status') {
      // Work that was stopped goes on, unless its kind says what became of it: then that try is over.
      const isReopened = event.status === 'unexpanded' && event.was === 'in-progress';
      if (!isReopened || event.own) this.#settle(event.node, isReopened || event.status === 'failed');
    } else if (event.type === 'search-resumed') {
      for (const [call, made] of this.#answered) if (!made.making) this.#answered.set(call, { ...made, isOver: true });
    } else if (event.type === 'node-added' || event.type === 'generated' || event.type === 'models-passed')
      this.#settle(event.node);
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
      .filter((made) => made.isOver && made.sent === sent && made.model === model && (made.making || !made.answered))
      .map(({ call, making }) => ({ call, ...(making && { making }) }));
  }

  /** Returns how a model answered a question in earlier processes, in order, if nothing came of it and it answered none since. */
  answersTo(question: string, model: string): readonly AnsweredBefore[] {
    return [...(this.#byQuestion.get(question) ?? [])].flatMap((call) => {
      const made = this.#answered.get(call);
      if (!made?.answered || !made.isOver || made.model !== model) return [];
      const { outcome, usage } = made.answered;
      return [{ call, sent: made.sent, outcome, ...(usage && { usage }) }];
    });
  }

  #begin({ call, question, sent, model }: Extract<JournalEvent, { type: 'call-started' }>): void {
    if (question === undefined || sent === undefined) return;
    this.#add({ call, question, sent, model, isOver: false });
  }

  /** The words of a failed call are of no use to anybody. */
  #end({ call, node, making, message, outcome, usage }: Extract<JournalEvent, { type: 'call-ended' }>): void {
    const made = this.#open.get(call) ?? this.#answered.get(call);
    if (!made) return;
    this.#delete(call);
    const answered = ENDS.has(outcome) && { node, outcome, ...(usage && { usage: Used.parse(usage) }) };
    if (message !== undefined || !(making || answered)) return;
    // Those before it are used up, and remembered for the case that this process is killed, too.
    for (const earlier of this.#byQuestion.get(made.question) ?? []) {
      const before = this.#answered.get(earlier);
      if (before && !before.making) this.#answered.set(earlier, { ...before, isOver: false });
    }
    this.#add({ ...made, isOver: false, ...(making && { making }), ...(answered && { answered }) });
  }

  /** A person who has something done again wants another answer. */
  #forget(): void {
    for (const call of [...this.#answered.keys()]) this.#delete(call);
  }

  /** Forgets the answers at a node; those of earlier processes may still be asked for, unless it failed. */
  #settle(node: string, hasFailed = false): void {
    for (const [call, made] of this.#answered) {
      if (made.answered?.node !== node || !(hasFailed || !made.isOver)) continue;
      if (made.making) this.#answered.set(call, { ...made, answered: undefined });
      else this.#delete(call);
    }
  }

  #add(made: Adoptable): void {
    const [calls, most] = made.making || made.answered ? [this.#answered, MOST_ANSWERED] : [this.#open, MOST_OPEN];
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
