import { kept, type Message, noted } from '../core/messages/message.ts';
import type { Ledger } from '../core/money/ledger.ts';
import {
  type Model,
  type ModelAnswer,
  type ModelCall,
  type ModelRequest,
  type Purpose,
  type Purposes,
  traitsOf,
} from '../core/ports/model.ts';
import type { Clock, Random } from '../core/ports/ports.ts';
import type { Purse } from '../core/ports/purse.ts';
import type { Store } from '../core/ports/store.ts';
import type { Toolbox } from '../core/ports/tool.ts';
import { ThoughtTreeError, toThoughtTreeError } from '../core/search/errors.ts';
import type { KeptTranscript, SearchEvent, WorstCase } from '../core/search/events.ts';
import type { SpendLimit, SpendLimits } from '../core/search/limits.ts';
import { AdoptableCalls, AnsweredCalls } from '../core/search/record/runs.ts';
import { digest } from '../core/text/text.ts';
import type { History } from './history.ts';
import { bytesOf, ModelCosts, TokenEstimate, tellDoubts, tellUnpriced } from './limits.ts';
import * as say from './messages.ts';
import { workStopped } from './messages.ts';
import { CacheWarming, FirstCalls } from './patience.ts';
import { type PlainAnswer, plainAnswer } from './tools.ts';

/** The maximum length of a failed call's message in the journal, in characters. */
const LONGEST_MESSAGE = 1000;
type CallStarted = Extract<SearchEvent, { type: 'call-started' }>;
type CallEnded = Extract<SearchEvent, { type: 'call-ended' }>;

/** The facts about a call that are journaled in addition to its request. */
export interface CallAttempt {
  /** The question that it is an attempt at. */
  readonly question: string;
  /** Counts from 1, over retries and corrections. */
  readonly attempt: number;
  readonly about?: readonly string[] | undefined;
  /** Where its words will be kept if its answer is usable. */
  readonly kept?: KeptTranscript | undefined;
  /** Called with the call's id once its start is journaled. */
  readonly begun?: (call: string) => void;
  /** The tools and limits of a model that works by itself, by the call's id. */
  readonly toolbox?: ((call: string) => Toolbox) | undefined;
}

/** An answer and the id of the call that produced it. */
export interface Answered extends PlainAnswer {
  readonly call: string;
  readonly isNarrow?: boolean; // It had less room than was asked for, see `Model.narrowed`.
}

export interface CallerParts {
  readonly purposes: Purposes;
  /** The model for a purpose. */
  readonly modelFor: (purpose: Purpose, by?: string) => Model;
  /** Tells whether a model's own limit has no room just now; throws `budget` if it will have none. */
  readonly isCapped?: ((model: string, worst: WorstCase) => boolean) | undefined;
  readonly store: Store;
  readonly history: History;
  readonly clock: Clock;
  readonly random: Random;
  /** The spend limits in force. */
  readonly guards: () => SpendLimits;
  /** The amount that is reserved for the report's opening. */
  readonly keptForReport: () => WorstCase | undefined;
  /** The limits over everything that this person runs. */
  readonly purse?: Purse | undefined;
  /** Time limit for a call, in milliseconds. */
  readonly timeoutMs: number;
}

/** Makes one request to a model: only if the budget allows its worst case, and with both its start and end journaled. */
export class ModelCaller {
  /** Tokens of prompts, learned from every answer. */
  readonly estimate = new TokenEstimate();
  readonly costs: ModelCosts;
  readonly #parts: CallerParts;
  readonly #warming: CacheWarming;
  readonly #first = new FirstCalls();
  readonly #writer = new OneWriter();
  /** The answers to calls of earlier runs that were used again in this one. */
  readonly #used = new Set<string>();
  #freed: (() => void)[] = [];

  constructor(parts: CallerParts) {
    this.#parts = parts;
    this.costs = new ModelCosts(parts.history);
    this.#warming = new CacheWarming(parts.clock);
    parts.history.listen(({ type }) => {
      if (type === 'search-resumed') this.#used.clear();
    });
  }

  /**
   * @throws ThoughtTreeError `budget` if a spend limit could be exceeded, `lease-lost`, or the model's error
   */
  async call(asked: ModelRequest, callAttempt: CallAttempt, signal: AbortSignal): Promise<Answered> {
    const model = this.#parts.modelFor(asked.purpose, asked.by);
    const request = model.narrowed?.(asked) ?? asked;
    const turnOver = await this.#writer.enter(request, model, signal);
    try {
      const late = await this.#late(request, model, callAttempt, signal);
      const known = late ?? (await this.#written(request, model, callAttempt));
      const { call, answer } = known ?? (await this.#call(request, model, callAttempt, signal));
      return { call, isNarrow: request !== asked, ...plainAnswer(answer, request, () => this.#parts.random.id()) };
    } finally {
      turnOver();
    }
  }

  /** Tells whether spend limits leave room for a request and one more like it, once calls under way have ended. */
  leavesRoom(request: ModelRequest): boolean {
    const { history, guards, clock } = this.#parts;
    const { calls, ...others } = guards();
    const { tokens, usd } = this.costs.worst(request, this.#parts.modelFor(request.purpose, request.by));
    const twice = { tokens: 2 * tokens, ...(usd === undefined ? {} : { usd: 2 * usd }) };
    const forOne = { ...others, ...(calls === undefined ? {} : { calls: calls - 1 }) };
    return history.ledger.hasRoomLater(forOne, twice, clock.now(), this.#parts.keptForReport());
  }

  /** Counts what a model used beyond the calls that it was asked for, from now on. */
  countUnasked(model: Model): void {
    const { history } = this.#parts;
    const before = history.past.part(AnsweredCalls) ?? new AnsweredCalls();
    model.onUnasked?.(({ usage, making, isOfAnother }) => {
      const { prompt, completion, usd = 0 } = isOfAnother ? usage : this.costs.priced(usage, model);
      const spent = { calls: 1, tokens: prompt + completion, usd, minutes: 0 };
      const event = { type: 'spend-remembered' as const, ...spent, ...making };
      history.note(event);
      void this.#parts.purse?.hear(event);
    }, before);
  }

  /**
   * Uses the answer to a call that an earlier process made, if there is one: it was booked there. One that it was given is
   * counted, too.
   */
  async #late(
    request: ModelRequest,
    model: Model,
    { question, about, kept: words }: CallAttempt,
    signal: AbortSignal,
  ): Promise<Answered | undefined> {
    const { history } = this.#parts;
    const made = model.late && history.past.part(AdoptableCalls)?.of(question, digestOf(request), model.name);
    if (!made?.length) return undefined;
    const late = await model.late?.(made, request, signal);
    const found = late && made.find(({ call }) => call === late.call);
    if (!found) return undefined;
    if (found.making) return late;
    const { call, answer } = late;
    const { making } = answer;
    const { purpose, node } = request;
    const usage = answer.usage && this.costs.priced(answer.usage, model);
    const outcome = answer.finish === 'stop' ? 'ok' : answer.finish;
    tellDoubts(history, model.name, answer.doubts);
    await this.#record({
      type: 'call-ended',
      ...{ call, question, purpose, node, ...(about && { about: [...about] }) },
      ...{ outcome, ms: 0, charged: true, late: true, ...(usage && { usage }), ...(words && { kept: words }) },
      ...(making && { making }),
    });
    return late;
  }

  /** Uses an answer again that an earlier process was given and wrote down, but was killed before anything came of its question. */
  async #written(request: ModelRequest, model: Model, { question }: CallAttempt): Promise<Answered | undefined> {
    const { history, store } = this.#parts;
    const answers = history.past.part(AdoptableCalls)?.answersTo(question, model.name) ?? [];
    if (answers.length === 0) return undefined;
    const sent = digestOf(request);
    // An agent that goes on is told what it left in its folder: other words for the same.
    const isSame = (words: string): boolean => words === sent || model.worksByItself === true;
    const found = answers.find((each) => isSame(each.sent) && !this.#used.has(each.call));
    const words = found && (await store.readCall(found.call));
    if (!words) return undefined;
    const { call, outcome, usage } = found;
    this.#used.add(call);
    const finish = outcome === 'ok' ? 'stop' : (outcome as ModelAnswer['finish']);
    const { answer: text, session } = words;
    return { call, answer: { text, finish, ...(usage && { usage }), ...(session !== undefined && { session }) } };
  }

  async #call(
    request: ModelRequest,
    model: Model,
    { question, attempt, about, kept: words, begun, toolbox }: CallAttempt,
    signal: AbortSignal,
  ): Promise<Answered> {
    const place = await this.#warming.enter(request, model, signal);
    try {
      const { purpose, node } = request;
      const call = { call: this.#parts.random.id(), question, purpose, node, ...(about && { about: [...about] }) };
      const sent = digestOf(request);
      const start = { type: 'call-started' as const, ...call, model: model.name, attempt, sent };
      await this.#admit(start, request, model, signal);
      begun?.(call.call);
      const tools = toolbox && { toolbox: toolbox(call.call) };
      const onProgress = (progress: Message): void =>
        this.#parts.history.note({ type: 'progress', ...noted(progress), call: call.call });
      const how = { question, call: call.call, signal, onText: place.begun, onProgress, ...tools };
      const answer = await this.#carryOut({ ...call, ...(words && { kept: words }) }, request, model, how);
      place.begun();
      return { call: call.call, answer };
    } finally {
      place.over();
      for (const free of this.#freed.splice(0)) free();
    }
  }

  /** Asks, and journals how it ended. */
  async #carryOut(
    { kept: words, ...call }: Pick<CallEnded, 'call' | 'question' | 'purpose' | 'node' | 'about' | 'kept'>,
    request: ModelRequest,
    model: Model,
    how: ModelCall,
  ): Promise<ModelAnswer> {
    const { history, clock } = this.#parts;
    const started = clock.monotonic();
    let received = 0;
    const counted = (bytes: number): void => {
      received += bytes;
    };
    const ended = (
      end: Pick<CallEnded, 'outcome' | 'message' | 'say' | 'usage' | 'charged' | 'kept' | 'making'>,
    ): Promise<void> => {
      const booked = end.usage || !end.charged ? undefined : this.costs.arrived(request, model, received);
      return this.#record({
        type: 'call-ended',
        ...call,
        ms: Math.round(clock.monotonic() - started),
        ...end,
        ...(booked && { booked }),
      });
    };
    let isChecked = false;
    try {
      const answer = await this.#generate(request, model, { ...how, onReceived: counted });
      isChecked = true;
      const usage = answer.usage && this.costs.priced(answer.usage, model);
      if (usage) this.estimate.learn(model.name, bytesOf(request), usage.prompt);
      const outcome = answer.finish === 'stop' ? 'ok' : answer.finish;
      tellDoubts(history, model.name, answer.doubts ?? (model.metered && !answer.usage ? ['nothing'] : []));
      const isUnpriced = usage?.usd === undefined && this.costs.worst(request, model).usd === undefined;
      if (isUnpriced && this.#parts.guards().usd !== undefined) tellUnpriced(history, model.name, this.#parts.guards());
      const { making } = answer;
      const told = { ...(usage && { usage }), ...(words && { kept: words }), ...(making && { making }) };
      await ended({ outcome, charged: true, ...told });
      return answer;
    } catch (error) {
      const { reason, say: why, details } = toThoughtTreeError(error);
      const { charged = true, doubts, making } = details;
      tellDoubts(history, model.name, doubts);
      await ended({ outcome: reason, ...kept(why, LONGEST_MESSAGE), charged, ...(making && { making }) });
      throw error;
    } finally {
      this.#first.end(call.call, model, call.purpose, isChecked);
    }
  }

  /** Journals the end of a call, then tells the purse: after a kill in between, that has it at its worst case. */
  async #record(ended: CallEnded): Promise<void> {
    await this.#parts.history.record(ended);
    await this.#parts.purse?.hear(ended);
  }

  /**
   * Journals the start of a call that no spend limit forbids, once the purse has booked it. Waits while calls under way may still
   * leave room, or while the first answer has to show what a model costs; refuses if only the spend limit itself is in the way.
   * Checking the spend limits and booking must be one synchronous step.
   */
  async #admit(
    start: Omit<CallStarted, 'worst'>,
    request: ModelRequest,
    model: Model,
    signal: AbortSignal,
  ): Promise<void> {
    const { history, guards, store, purse } = this.#parts;
    const isReport = traitsOf(this.#parts.purposes, start.purpose).when === 'end';
    const kept = isReport ? undefined : this.#parts.keptForReport();
    let booked: WorstCase | undefined;
    try {
      for (;;) {
        if (signal.aborted) throw new ThoughtTreeError('aborted', say.workStopped(), { charged: false });
        const { worst, guard, waits } = this.#check(start.purpose, request, model, kept);
        if (guard && (guard === 'minutes' || history.ledger.underWay === 0))
          throw limitInTheWay(guard, guards(), history.ledger, worst, kept);
        if (guard || waits || this.#parts.isCapped?.(model.name, worst)) await this.#nextEnd(signal);
        else if (purse && !model.free && !covers(booked, worst))
          booked = (await this.#bookIn(purse, start, worst, signal)) ? worst : booked;
        else {
          store.checkLease();
          this.#first.begin(start.call, model, start.purpose, worst);
          return await history.record({ ...start, worst }, true);
        }
      }
    } catch (error) {
      if (booked) await purse?.hear({ ...start, type: 'call-ended', outcome: 'aborted', ms: 0, charged: false });
      throw error;
    }
  }

  /**
   * Returns what a call can cost, which limit of the search is in its way, and whether it has to wait for the first
   * answers.
   */
  #check(
    purpose: Purpose,
    request: ModelRequest,
    model: Model,
    kept: WorstCase | undefined,
  ): { readonly worst: WorstCase; readonly guard: SpendLimit | undefined; readonly waits: boolean } {
    const { guards, clock } = this.#parts;
    const { ledger } = this.#parts.history;
    const now = clock.now();
    const worst = this.costs.worst(request, model);
    return {
      worst,
      guard: ledger.limitInTheWay(guards(), worst, now, kept),
      waits:
        // Without a price, all calls made before the first answer could together exceed a limit in dollars.
        (ledger.underWay > 0 && guards().usd !== undefined && this.costs.isUnknown(model)) ||
        this.#first.mustWait(ledger, guards(), { model, purpose, worst, now }),
    };
  }

  /**
   * Books a call in the purse, or waits a while for room in it.
   * @returns whether it is booked
   * @throws ThoughtTreeError `budget` if there will be no room
   */
  async #bookIn(
    purse: Purse,
    start: Omit<CallStarted, 'worst'>,
    worst: WorstCase,
    signal: AbortSignal,
  ): Promise<boolean> {
    const refusal = await purse.book(start, worst);
    if (refusal && !refusal.mayPass) throw new ThoughtTreeError('budget', refusal.why);
    if (refusal) await this.#parts.clock.sleep(PURSE_MS, signal);
    return refusal === undefined;
  }

  /** Resolves when a call has ended, or the work is stopped. */
  async #nextEnd(signal: AbortSignal): Promise<void> {
    let wake = (): void => undefined;
    const woken = new Promise<void>((resolve) => {
      wake = resolve;
    });
    this.#freed.push(wake);
    signal.addEventListener('abort', wake, { once: true });
    await woken;
    signal.removeEventListener('abort', wake);
  }

  async #generate(request: ModelRequest, model: Model, how: ModelCall): Promise<ModelAnswer> {
    // The booking was on its way to the disk while the start was.
    if (this.#parts.purse) await this.#parts.purse.kept(how.call);
    // Stopped while its start was being written: a listener would miss that, and nothing was asked yet.
    if (how.signal.aborted) throw new ThoughtTreeError('aborted', say.callStopped(), { charged: false });
    // The process may have been suspended right here, and another one may have taken over the search.
    this.#parts.store.checkLease();
    return await answerInTime(model, request, how, this.#parts);
  }
}

/** Between two looks at a purse in which calls of other processes leave no room, in milliseconds. */
const PURSE_MS = 500;

/** Tells whether a booking suffices. */
function covers(booked: WorstCase | undefined, { tokens, usd = 0 }: WorstCase): boolean {
  return booked !== undefined && booked.tokens >= tokens && (booked.usd ?? 0) >= usd;
}

/** Lets one call at a time change the workspace: two that write there would undo each other's changes. */
class OneWriter {
  #last: Promise<void> = Promise.resolve();

  /**
   * Waits until no other call may change the workspace; not at all if this one may not.
   * @returns what ends its turn
   * @throws ThoughtTreeError `aborted` if the work is stopped meanwhile
   */
  async enter(request: ModelRequest, model: Model, signal: AbortSignal): Promise<() => void> {
    if (!model.changesWorkspace || request.workplace) return () => undefined;
    const before = this.#last;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#last = before.then(() => promise);
    const stopped = Promise.withResolvers<void>();
    const stop = (): void => stopped.resolve();
    signal.addEventListener('abort', stop, { once: true });
    if (!signal.aborted) await Promise.race([before, stopped.promise]);
    signal.removeEventListener('abort', stop);
    if (!signal.aborted) return resolve;
    resolve();
    throw new ThoughtTreeError('aborted', workStopped(), { charged: false });
  }
}

/**
 * A hash of what is sent as text, to tell the sendings of one question apart. What comes before the prompt is a conversation
 * that only grows, or is shortened: its length and last turn tell enough, and hashing all of it would take much longer.
 */
function digestOf({ system, turns, prompt, toolResults }: ModelRequest): string {
  const length = turns.reduce((sum, turn) => sum + turn.text.length, system.length);
  const { text, toolCalls, toolResults: results } = turns.at(-1) ?? { text: '' };
  const tools = toolCalls || results || toolResults ? JSON.stringify([toolCalls, results, toolResults]) : '';
  return digest(`${turns.length} ${length}`, text, prompt, tools);
}

const LIMITS = { calls: say.limitOfCalls, tokens: say.limitOfTokens, usd: say.limitOfUsd, minutes: say.limitOfMinutes };

/** Returns the error for a call that a spend limit forbids: the budget is used up, what is used, and what the call could use. */
function limitInTheWay(
  guard: SpendLimit,
  guards: SpendLimits,
  ledger: Ledger,
  worst: WorstCase,
  kept: WorstCase | undefined,
): ThoughtTreeError {
  const limit = LIMITS[guard]({ limit: guards[guard] ?? 0 });
  return new ThoughtTreeError('budget', madeOf(limit, guard, ledger, worst, kept), { guard });
}

function madeOf(
  limit: Message,
  guard: SpendLimit,
  { spend }: Ledger,
  worst: WorstCase,
  kept: WorstCase | undefined,
): Message {
  if (guard === 'minutes') return limit;
  if (guard === 'calls') return (kept ? say.keptCalls : say.usedCalls)({ limit, used: spend.calls });
  if (guard === 'usd') {
    const what = say.usedAndNextUsd({ limit, used: spend.usd, next: worst.usd ?? 0 });
    return kept?.usd ? say.keptUsd({ what, kept: kept.usd }) : what;
  }
  const used = spend.prompt + spend.completion + spend.worstCase;
  const what = say.usedAndNextTokens({ limit, used, next: worst.tokens });
  return kept?.tokens ? say.keptTokens({ what, kept: kept.tokens }) : what;
}

/** The longest time that a model which settles a stop by itself may take for that, in milliseconds. */
const SETTLING_MS = 2000;
/** Used as a reason, since otherwise an error with its stack would be created for each call. */
const CALLED_OFF = 'called off';

/**
 * The answer, the signal, or the time limit that the model does not enforce: the first, even if the model ignores signals.
 * @param timeoutMs time limit, in milliseconds
 * @throws ThoughtTreeError `aborted`, `timed-out`, or the model's error
 */
export async function answerInTime(
  model: Model,
  request: ModelRequest,
  { signal, ...how }: ModelCall,
  { clock, timeoutMs }: { readonly clock: Clock; readonly timeoutMs: number },
): Promise<ModelAnswer> {
  // No AbortSignal.any: Node holds its signals and their listeners for as long as nothing is aborted.
  const stop = new AbortController();
  const done = new AbortController();
  let end = (): void => undefined;
  const stopped = new Promise<never>((_, reject) => {
    end = () => {
      stop.abort();
      const give = (): void => reject(stopError(signal, timeoutMs));
      if (model.settlesStop) void clock.sleep(SETTLING_MS, done.signal).then(give);
      else give();
    };
  });
  signal.addEventListener('abort', end, { once: true });
  if (!model.keepsTime)
    void clock.sleep(timeoutMs, done.signal).then(() => {
      if (!done.signal.aborted) end();
    });
  try {
    return await Promise.race([model.generate(request, { ...how, signal: stop.signal }), stopped]);
  } finally {
    signal.removeEventListener('abort', end);
    done.abort(CALLED_OFF);
  }
}

function stopError(signal: AbortSignal, timeoutMs: number): ThoughtTreeError {
  return signal.aborted
    ? new ThoughtTreeError('aborted', say.callStopped())
    : new ThoughtTreeError('timed-out', say.noAnswerInTime({ seconds: timeoutMs / 1000 }));
}
