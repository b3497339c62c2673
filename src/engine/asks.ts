import { type Message, noted } from '../core/messages/message.ts';
import { BYTES_A_TOKEN } from '../core/money/usage-doubt.ts';
import {
  type Model,
  type ModelAnswer,
  type ModelRequest,
  type Purpose,
  type Purposes,
  type Turn,
  traitsOf,
} from '../core/ports/model.ts';
import type { Clock, Random } from '../core/ports/ports.ts';
import type { Store } from '../core/ports/store.ts';
import { wordsOf } from '../core/ports/tool.ts';
import { openQuestion } from '../core/search/conversation.ts';
import { isThoughtTreeError, ThoughtTreeError } from '../core/search/errors.ts';
import type { WorstCase } from '../core/search/events.ts';
import { digest, utf8Length } from '../core/text/text.ts';
import { pathOf } from '../core/tree/tree.ts';
import type { History } from './history.ts';
import { Attempts } from './history.ts';
import { bytesOf } from './limits.ts';
import * as say from './messages.ts';
import type { Answered, ModelCaller } from './model-caller.ts';
import type { Patience } from './patience.ts';
import { Tries } from './patience.ts';
import type { Answer, KeptAnswer, KeptQuestion, Prompt, Question } from './question.ts';
import {
  AnswerKeeper,
  type Asking,
  afterOf,
  answerOf,
  askedBySchema,
  CORRECTIONS,
  completeText,
  corrected,
  forPeople,
  type Given,
  isHopeless,
  keptBy,
  knownAnswer,
  NOWHERE,
} from './question.ts';
import {
  afterRounds,
  journaled,
  nextRound,
  rejectStopped,
  TOOL_ROUNDS,
  type ToolUser,
  turnsAsked,
  withToolbox,
} from './tools.ts';

export interface AskParts {
  readonly purposes: Purposes;
  readonly caller: ModelCaller;
  /** The model for a purpose. */
  readonly modelFor: (purpose: Purpose, by?: string) => Model;
  readonly patience: Patience;
  readonly clock: Clock;
  readonly random: Pick<Random, 'id'>;
  readonly store: Pick<Store, 'writeCall' | 'writeConversation'>;
  readonly history: Pick<History, 'flush' | 'note' | 'past'>;
  /** The beginning of every request. */
  readonly system: string;
  /** The tools of models with `tools`; missing if the search gives them none. */
  readonly tools?: ToolUser | undefined;
}

type Asked = Pick<Question<unknown>, 'purpose' | 'node' | 'by'>;

/**
 * The only way to ask a model. An answer is kept before it is used, and not asked for again if it is already kept.
 * Failures are retried with growing delays, tools are used, and a wrong answer is sent back with what was wrong.
 */
export class Asks {
  readonly #parts: AskParts;
  readonly #keeper: AnswerKeeper;
  readonly #room = new ThinkingRoom();
  /** The notices about how the models have to be asked that were given already. */
  readonly #told = new Set<string>();

  constructor(parts: AskParts) {
    this.#parts = parts;
    this.#keeper = new AnswerKeeper(parts);
  }

  /** Tells whether calls are currently held back, since the model cannot be reached or asks for a pause. */
  get isWaiting(): boolean {
    return this.#parts.patience.waiting;
  }

  /** The tools of models with `tools`; undefined if the search gives them none. */
  get tools(): ToolUser | undefined {
    return this.#parts.tools;
  }

  /** Estimates the number of tokens for so many bytes of a prompt. */
  tokensOf(model: string, bytes: number): number {
    return this.#parts.caller.estimate.tokens(model, bytes);
  }

  /** Returns the room for reasoning in a request, in tokens besides the answer. */
  roomFor(purpose: Purpose, by?: string): number {
    return this.#room.of(this.#parts.modelFor(purpose, by), traitsOf(this.#parts.purposes, purpose).effort);
  }

  /**
   * Asks until the answer passes its check.
   * @throws ThoughtTreeError the error of the last call or the last check
   */
  async ask<T>(question: KeptQuestion<T>, signal: AbortSignal): Promise<KeptAnswer<T>>;
  async ask<T>(question: Question<T>, signal: AbortSignal): Promise<Answer<T>>;
  async ask<T>(question: Question<T>, signal: AbortSignal): Promise<KeptAnswer<T>> {
    const known = knownAnswer(question);
    if (known) return known;
    const asking = await this.#begin(question);
    const first = await this.#answer(asking, signal);
    return answerOf(first, await this.#keeper.answer(asking, first));
  }

  /**
   * Asks once, and accepts any answer: for a call that nothing waits for. Tools are used as the words allow.
   * @param mayCall decides before a request whether the budget has room for it
   * @returns undefined if it has none
   */
  async askOnce(
    question: Asked,
    words: Prompt,
    signal: AbortSignal,
    mayCall: (worst: WorstCase) => boolean = () => true,
  ): Promise<ModelAnswer | undefined> {
    const { caller, random } = this.#parts;
    const tools = this.#toolsFor(words);
    const id = random.id();
    let request = this.#request(question, words);
    const model = this.#parts.modelFor(question.purpose, question.by);
    const leavesRoom = (next: ModelRequest): boolean => mayCall(caller.costs.worst(next, model));
    if (!leavesRoom(request)) return undefined;
    this.#tellSystem();
    for (let done = 0; ; done++) {
      const answered = await this.#asTaken(() => caller.call(request, { question: id, attempt: done + 1 }, signal));
      const { answer } = answered;
      await this.#keepCall(request, answered);
      if (answered.isNarrow && answer.finish === 'length' && leavesRoom(request)) continue;
      if (answer.finish !== 'tools' || !tools || !request.tools || request.toolsAreOver) return answer;
      request = await nextRound(tools, request, answered, { done, leavesRoom }, signal);
    }
  }

  /** Makes a call once more where its server takes it in another form only. */
  async #asTaken<T>(call: () => Promise<T>): Promise<T> {
    for (;;)
      try {
        return await call();
      } catch (error) {
        if (!isThoughtTreeError(error) || !error.details.asksOtherwise) throw error;
        this.#tellOnce(error.say);
      }
  }

  /** Returns the most that one call can cost. */
  worst(question: Asked, words: Prompt): WorstCase {
    const model = this.#parts.modelFor(question.purpose, question.by);
    return this.#parts.caller.costs.worst(this.#request(question, words), model);
  }

  #request({ purpose, node, by }: Asked, words: Prompt): ModelRequest {
    const { prompt, data, maxOutputTokens, turns = [], shared = 0, workplace } = words;
    const { system } = this.#parts;
    const place = { purpose, ...(by === undefined ? {} : { by }), node: node ? pathOf(node) : '' };
    const { last, effort } = traitsOf(this.#parts.purposes, purpose);
    const extra = { ...(shared > 0 ? { shared } : {}), ...(last ? { isLast: true } : {}), ...(effort && { effort }) };
    const room = { maxOutputTokens: maxOutputTokens + this.roomFor(purpose, by) };
    const model = this.#parts.modelFor(purpose, by);
    const where = workplace && model.worksByItself ? { workplace } : {};
    const request = { ...place, system, turns, ...extra, prompt, data, ...room, ...where };
    const usesNone = model.worksByItself || (words.tools && !model.tools);
    const whole: ModelRequest = usesNone ? request : withToolbox(request, this.#toolsFor(words));
    return words.list && model.takesSchemas && !whole.tools ? askedBySchema(whole, words.list) : whole;
  }

  /**
   * Returns the tools of a question. Its own are for models that can use some; those of the search for those that it
   * says.
   */
  #toolsFor({ tools, mayUseTools, toolRounds }: Prompt): ToolUser | undefined {
    const own = this.#parts.tools;
    if (!tools) return mayUseTools && own ? { ...own, rounds: toolRounds ?? own.rounds } : undefined;
    const { toolbox, rounds = TOOL_ROUNDS, most } = tools;
    return { toolbox, rounds, most, history: this.#parts.history };
  }

  /** Journals the beginning of requests, before the first of them. */
  #tellSystem(): void {
    const { history, system } = this.#parts;
    if (history.past.system === undefined) history.note({ type: 'system-text', text: system });
  }

  /** Continues from the uses of tools that a killed process has paid for. */
  async #begin<T>(question: Question<T>): Promise<Asking<T>> {
    const stored = question.keep?.conversation ?? NOWHERE;
    const open = openQuestion(stored);
    const before = open?.before ?? stored;
    const words = await question.words(before);
    const fresh = this.#request(question, words);
    const { history } = this.#parts;
    const tools = this.#toolsFor(words);
    const begun = open?.purpose === question.purpose && fresh.tools && tools ? open : undefined;
    const id = question.keep
      ? `${before.id}.${before.turns.length}`
      : digest(question.purpose, fresh.node, fresh.prompt);
    const request = begun && tools ? afterRounds(fresh, begun.asked.text, begun.rounds, tools) : fresh;
    return {
      question,
      id,
      before,
      asked: begun?.asked ?? { text: fresh.prompt, ...words.noted },
      request,
      after: question.keep && afterOf(words),
      tools,
      rounds: begun?.rounds ?? [],
      room: this.roomFor(question.purpose, question.by),
      context: this.#parts.modelFor(question.purpose, question.by).contextTokens ?? Number.POSITIVE_INFINITY,
      made: history.past.part(Attempts)?.of(id) ?? 0,
    };
  }

  /** One step after the other: a call, a use of tools, a correction, until an answer passes. */
  async #answer<T>(asking: Asking<T>, signal: AbortSignal): Promise<Given<T>> {
    const { patience, clock } = this.#parts;
    let tries = new Tries(patience, clock);
    for (let corrections = 0; ; ) {
      const answered = await this.#send(asking, tries, signal);
      if (!answered) continue;
      tries = new Tries(patience, clock);
      const { call, answer, words } = answered;
      const { request } = asking;
      if (answer.finish === 'tools' && (await this.#useTools(asking, answered, signal))) continue;
      const { value, error } = attempt(() => asking.question.check(completeText(answer)));
      if (error && (await this.#widen(asking, answered))) continue;
      // A conversation keeps neither corrections nor what was sent in its place, and an answer without what was thought.
      if (corrections > 0 || error || !asking.after || words !== undefined) await this.#keepCall(request, answered);
      if (!error) return { call, answer, value: value as T, request };
      if (!isThoughtTreeError(error, 'bad-answer')) throw error;
      if (corrections++ === CORRECTIONS || isHopeless(answer))
        throw forPeople(error, answer, this.#modelOf(asking), request);
      asking.request = corrected(request, answer, error.message);
      asking.after = undefined;
    }
  }

  /** Asks the same with more room, if an answer used up what it had: once, unless it had less than was asked for. */
  async #widen<T>(asking: Asking<T>, answered: Answered): Promise<boolean> {
    const { answer, isNarrow } = answered;
    if (isNarrow ? answer.finish !== 'length' : asking.isWidened || !isStarved(answer, asking.request)) return false;
    await this.#keepCall(asking.request, answered);
    if (!isNarrow) asking.request = this.#room.widened(this.#modelOf(asking), asking.request);
    asking.isWidened ||= !isNarrow;
    return true;
  }

  /** Tells whether a refused request is another one now, which may be taken; says so once. The refusal cost nothing. */
  async #changed<T>(asking: Asking<T>, error: unknown): Promise<boolean> {
    if (!isThoughtTreeError(error)) return false;
    const { asksOtherwise, isTooLong, refusesTools, refusesSchema } = error.details;
    if (asksOtherwise) this.#tellOnce(error.say);
    if (isTooLong) return (await this.#fitted(asking)) || this.#narrow(asking);
    if (refusesSchema && (await this.#withoutSchema(asking))) return true;
    return asksOtherwise || (refusesTools === true && (await this.#withoutTools(asking)));
  }

  /**
   * Asks anew, so that it fits, where less is known to fit into the model's context than when it was asked. Nothing changes if
   * it cannot be made to fit, or was no longer than that: its server's refusal is what there is to say.
   */
  async #fitted<T>(asking: Asking<T>): Promise<boolean> {
    const { name: model, contextTokens: tokens } = this.#modelOf(asking);
    if (tokens === undefined || tokens >= asking.context) return false;
    const { request: refused } = asking;
    try {
      await this.#again(asking);
    } catch (error) {
      if (isThoughtTreeError(error, 'bad-request')) return false;
      throw error;
    }
    const { request } = asking;
    if (request.maxOutputTokens >= refused.maxOutputTokens && bytesOf(request) >= bytesOf(refused)) return false;
    this.#tellOnce(say.contextLearnt({ model, tokens }));
    return true;
  }

  /** Asks the same without room for reasoning, once, if that was too much for the model's context. */
  #narrow<T>(asking: Asking<T>): boolean {
    if (asking.room === 0 || asking.isWidened) return false;
    asking.request = this.#room.without(this.#modelOf(asking), asking.request, asking.room);
    asking.room = 0;
    return true;
  }

  /** Asks anew without tools, if the request was refused for having some: from now on, the model counts as one without. */
  async #withoutTools<T>(asking: Asking<T>): Promise<boolean> {
    const model = this.#modelOf(asking);
    if (!asking.request.tools || model.tools) return false;
    this.#tellOnce(say.toolsRefused({ model: model.name }));
    await this.#again(asking);
    return !asking.request.tools;
  }

  /** Asks anew in words alone, if the request was refused for the schema of its answer: from now on, none is sent. */
  async #withoutSchema<T>(asking: Asking<T>): Promise<boolean> {
    const model = this.#modelOf(asking);
    if (!asking.request.schema || model.takesSchemas) return false;
    this.#tellOnce(say.schemaRefused({ model: model.name }));
    await this.#again(asking);
    return true;
  }

  async #again<T>(asking: Asking<T>): Promise<void> {
    const { id, made } = asking;
    Object.assign(asking, await this.#begin(asking.question), { id, made });
  }

  #tellOnce(what: Message): void {
    if (!this.#told.has(what.text)) this.#parts.history.note({ type: 'progress', ...noted(what) });
    this.#told.add(what.text);
  }

  /** Keeps a call with all that the model wrote. */
  async #keepCall(request: ModelRequest, { call, answer, words = wordsOf(answer) }: Answered): Promise<void> {
    await this.#keeper.call(call, request, words, answer.session);
  }

  #modelOf<T>({ question }: Asking<T>): Model {
    return this.#parts.modelFor(question.purpose, question.by);
  }

  /** Makes one call; undefined if it failed and may be repeated. */
  async #send<T>(asking: Asking<T>, tries: Tries, signal: AbortSignal): Promise<Answered | undefined> {
    const { caller, patience } = this.#parts;
    await patience.ready(signal);
    try {
      const { id: question, request } = asking;
      const { about } = asking.question;
      const begun = (call: string): void => {
        asking.made++;
        asking.unanswered = call;
      };
      this.#tellSystem();
      const isAgent = this.#modelOf(asking).worksByItself;
      const toolbox = isAgent && asking.tools ? journaled(asking.tools, request.node) : undefined;
      const callAttempt = { question, attempt: asking.made + 1, about, kept: keptBy(asking), begun, toolbox };
      const answered = await caller.call(request, callAttempt, signal);
      asking.unanswered = undefined;
      patience.succeed();
      return answered;
    } catch (error) {
      if (await this.#changed(asking, error)) return undefined;
      if (await tries.endure(error, signal)) return undefined;
      // The last request sent in vain shows best why no answer came; it is kept if possible.
      if (asking.unanswered !== undefined)
        await this.#keeper.call(asking.unanswered, asking.request, '').catch(() => undefined);
      throw error;
    }
  }

  /** Sends the model the results of its tools; false if it has used them enough. What was paid for is kept. */
  async #useTools<T>(asking: Asking<T>, answered: Answered, signal: AbortSignal): Promise<boolean> {
    const { tools } = asking;
    if (!tools || !asking.request.tools || asking.request.toolsAreOver) return false;
    if (!asking.after || answered.words !== undefined) await this.#keepCall(asking.request, answered);
    const done = asking.rounds.filter(({ toolCalls }) => toolCalls).length;
    const bounds = {
      done,
      room: Math.min(this.#roomForResults(asking, answered), roomLeft(asking, tools)),
      leavesRoom: (next: ModelRequest) => this.#parts.caller.leavesRoom(next),
    };
    asking.request = await nextRound(tools, asking.request, answered, bounds, signal);
    rejectStopped(signal);
    const [use, result] = turnsAsked(asking.request).slice(-2) as [Turn, Turn];
    asking.rounds = [...asking.rounds, { ...use, call: answered.call }, result];
    await this.#keeper.rounds(asking);
    return true;
  }

  /** The room that is left in a model's context, in characters; without end if its size is not known. */
  #roomForResults<T>(asking: Asking<T>, { answer }: Answered): number {
    const { name, contextTokens } = this.#modelOf(asking);
    if (contextTokens === undefined) return Number.POSITIVE_INFINITY;
    const { estimate } = this.#parts.caller;
    const sent = bytesOf(asking.request) + utf8Length(JSON.stringify([answer.text, answer.toolCalls]));
    const left = contextTokens - asking.request.maxOutputTokens - estimate.tokens(name, sent);
    // Written as JSON, a text may be twice as long.
    return Math.max(0, Math.floor((left / estimate.tokens(name, 1000)) * 500));
  }
}

/** Returns how much the rounds of a question may still return, in characters. */
function roomLeft<T>({ rounds }: Asking<T>, { most = Number.POSITIVE_INFINITY }: ToolUser): number {
  const returned = rounds.flatMap(({ toolResults = [] }) => toolResults.map(({ text }) => text.length));
  return Math.max(0, most - returned.reduce((sum, length) => sum + length, 0));
}

function attempt<T>(work: () => T): { value?: T; error?: unknown } {
  try {
    return { value: work() };
  } catch (error) {
    return { error: error ?? new ThoughtTreeError('internal', say.unknownError()) };
  }
}

/** The share of a model's context that its reasoning may take. */
const LARGEST_SHARE = 0.25;
/** An answer that was cut off with less than this share of its limit as text spent the rest on something else. */
const LITTLE_TEXT = 0.25;
/** The share of its limit that an answer used up. */
const USED_UP = 0.9;

/** The room for reasoning besides an answer: as known of a model, as given by a person, or as learnt from its answers. */
class ThinkingRoom {
  readonly #learnt = new Map<string, number>();
  /** Models whose context is too short for it. */
  readonly #without = new Set<string>();

  /** Returns the room in a request, in tokens. */
  of({ name, thinking, contextTokens }: Model, effort: ModelRequest['effort']): number {
    if (this.#without.has(name)) return 0;
    const known = (effort === 'low' ? thinking?.low : thinking?.usual) ?? 0;
    const most = contextTokens === undefined ? Number.POSITIVE_INFINITY : Math.floor(LARGEST_SHARE * contextTokens);
    return Math.min(most, Math.max(known, this.#learnt.get(name) ?? 0));
  }

  /** Returns a request without the room, too much for the model's context; so are later ones to this model. */
  without({ name }: Model, request: ModelRequest, room: number): ModelRequest {
    this.#without.add(name);
    return { ...request, maxOutputTokens: request.maxOutputTokens - room };
  }

  /** Returns a request with twice the room; later requests to this model have as much more from the start. */
  widened({ name }: Model, request: ModelRequest): ModelRequest {
    this.#learnt.set(name, Math.max(this.#learnt.get(name) ?? 0, request.maxOutputTokens));
    return { ...request, maxOutputTokens: 2 * request.maxOutputTokens };
  }
}

/** Tells whether an answer was cut off although little of it is text: its limit was used up by reasoning. */
function isStarved({ finish, text, usage }: ModelAnswer, { maxOutputTokens }: ModelRequest): boolean {
  if (finish !== 'length') return false;
  if (!usage) return text === '';
  return (
    usage.completion >= USED_UP * maxOutputTokens && utf8Length(text) < LITTLE_TEXT * maxOutputTokens * BYTES_A_TOKEN
  );
}
