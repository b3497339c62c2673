import { createHash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { MOST_BYTES_A_TOKEN } from '../../core/money/usage-doubt.ts';
import type {
  LateAnswer,
  MadeBefore,
  MadeCall,
  Model,
  ModelAnswer,
  ModelCall,
  ModelRequest,
  Price,
  UnaskedUse,
  Usage,
} from '../../core/ports/model.ts';
import { isThoughtTreeError, ThoughtTreeError } from '../../core/search/errors.ts';
import { utf8Length } from '../../core/text/text.ts';
import { AGENT_LIMITS } from '../../models/agents/agent.ts';
import type { AgentPlace } from '../agents.ts';
import * as say from '../messages.ts';
import { isMadeBy, jobOf, queueOf, tokenOf } from '../names.ts';
import {
  type Answer,
  Call,
  PROTOCOL,
  SessionId,
  type WireRequest,
  type WireUsage,
  type WorkerRegistration,
} from '../protocol.ts';
import { type CallPlace, type CallState, type FleetQueue, pack } from '../queue.ts';
import {
  checkedAnswer,
  larger,
  type MostUsed,
  mostBooked,
  mostUsed,
  mostUsedByAgent,
  usedAtMost,
} from './checked-answer.ts';
import { patiently, type SentCalls, type Stop } from './sent-calls.ts';
import { onceForEach, type Served, servedBy } from './served.ts';

/** The properties of an agent that no worker's word decides: it says itself what its requests cost. */
const OF_AGENT = { price: undefined, contextTokens: undefined, thinking: undefined, free: false, tools: false };

/** A model whose calls are carried out by the workers of a fleet. */
export function fleetModel(parts: FleetParts, options: FleetModelOptions): Model {
  const { name, origin, price, agents } = options;
  const queue = queueOf(name, origin);
  const ofRegistrations = onceForEach((registrations) => ({
    ...servedBy(registrations, queue, price),
    ...(agents && OF_AGENT),
  }));
  const served = (): Served => ofRegistrations(parts.workers());
  const calls = new FleetCalls(parts, options, queue, () => served().price);
  const mayBeFree = name.startsWith('ollama/') && !price;
  return {
    name,
    label: `${name} (fleet)`,
    keepsTime: true,
    settlesStop: true,
    metered: !agents,
    ...(agents && { worksByItself: true, isTiedToWorkspace: true }),
    ...(agents && { most: { tokens: AGENT_LIMITS.tokens, usd: AGENT_LIMITS.usd } }),
    get free() {
      return mayBeFree && served().free;
    },
    // Not this process knows them, but those that serve it; they may come and go.
    get price() {
      return served().price as Price;
    },
    get contextTokens() {
      return served().contextTokens;
    },
    get thinking() {
      return served().thinking as NonNullable<Model['thinking']>;
    },
    get tools() {
      return served().tools;
    },
    get warmsCache() {
      return served().warmsCache;
    },
    get changesWorkspace() {
      return agents !== undefined && served().changesWorkspace;
    },
    generate: (request, call) => calls.generate(request, call),
    late: (made, request, signal) => calls.late(made, request, signal),
    onUnasked: (listener, before) => parts.onUnasked((answer) => listener(calls.unasked(answer, before.most)), before),
    close: parts.closed,
  };
}

/** So often it is sent while several workers live, whatever they say: one may speak for others. */
const LEAST_SENDINGS = 5;
/** The longest wait before it is sent again, in milliseconds. */
const LONGEST_PAUSE_MS = 5000;
const OF_ONE_WORKER: ReadonlySet<string> = new Set([
  'unreachable',
  'key-refused',
  'quota-exceeded',
  'unknown-model',
  'redirected',
]);

/** The calls of one model of a search: how they are sent, again where that cost nothing, and given up. */
class FleetCalls {
  readonly #parts: FleetParts;
  readonly #options: FleetModelOptions;
  readonly #queue: string;
  /** By this its jobs are told from those of other models. */
  readonly #maker: string;
  readonly #price: () => Price | undefined;
  /** The most that any call can have used. */
  #most: MostUsed = { prompt: 0, completion: 0, usd: 0 };

  constructor(parts: FleetParts, options: FleetModelOptions, queue: string, price: () => Price | undefined) {
    this.#parts = parts;
    this.#options = options;
    this.#queue = queue;
    this.#maker = makerOf(options);
    this.#price = price;
  }

  /** Returns the use of a second answer that was paid for, as far as the worker's figures are possible. */
  unasked({ id, taken, result }: Answer, booked: MadeBefore['most']): UnaskedUse {
    const making = { job: id, taken };
    const used = result.outcome === 'answer' ? result.usage : undefined;
    // The price of its tokens is not known any more: no call was booked with more than this.
    if (!isMadeBy(id, this.#maker))
      return { usage: { ...usedOf(used, mostBooked(booked)), usd: booked.usd }, making, isOfAnother: true };
    return { usage: usedOf(used, larger(this.#most, mostBooked(booked))), making };
  }

  async generate(
    request: ModelRequest,
    { question, call, signal, onText, onReceived }: ModelCall,
  ): Promise<ModelAnswer> {
    const { agents } = this.#options;
    if (agents && request.workplace)
      throw new ThoughtTreeError('bad-input', say.agentOnlyInFolder({ model: this.#options.name }), { charged: false });
    const wire = wireOf(request, agents !== undefined);
    const asks = asksOf(question, wire);
    const most = this.#mostOf(request);
    const failed = new Set<string>();
    for (let again = 0; ; again++) {
      const answer = await this.#send(wire, asks, call, again, signal);
      const { result } = answer;
      // Another worker may have room at its server, or this one later: only the queue knows when.
      if ((isPutOff(result) || this.#mayWorkElsewhere(answer, failed, again)) && again < SENDINGS) {
        await pause(again, signal);
        const making = { job: answer.id, taken: answer.taken };
        if (signal.aborted) throw new ThoughtTreeError('aborted', say.notTaken(), { charged: false, making });
        continue;
      }
      const received = Math.max(answer.received, result.outcome === 'answer' ? utf8Length(result.text) : 0);
      // A worker ends a stream by then: more was not paid for, whatever it says.
      onReceived?.(Math.min(received, request.maxOutputTokens * MOST_BYTES_A_TOKEN));
      const checked = checkedAnswer(answer, request, most, agents);
      onText?.(checked.text);
      return checked;
    }
  }

  #mostOf(request: ModelRequest): MostUsed {
    const most = this.#options.agents ? mostUsedByAgent(AGENT_LIMITS) : mostUsed(request, this.#price());
    this.#most = larger(this.#most, most);
    return most;
  }

  /** Tells whether another worker may succeed: what is wrong with one's key or server need not be with another's. */
  #mayWorkElsewhere({ result, worker }: Answer, failed: Set<string>, again: number): boolean {
    if (result.outcome === 'answer' || result.charged || !OF_ONE_WORKER.has(result.reason)) return false;
    failed.add(worker);
    const live = this.#parts.workers().filter(({ models }) => models.some((model) => model.queue === this.#queue));
    return live.some(({ id }) => !failed.has(id)) || (live.length > 1 && again < LEAST_SENDINGS);
  }

  async late(made: readonly MadeCall[], request: ModelRequest, signal: AbortSignal): Promise<LateAnswer | undefined> {
    const { search, sent } = await this.#parts.opened(signal);
    const stop = this.#orPausing(signal);
    await sent.ready(stop);
    // Its answers, if there are any, stay for whoever resumes it.
    if (stop.aborted) throw new ThoughtTreeError('aborted', say.notTaken(), { charged: false });
    for (const { call, making } of made) {
      if (signal.aborted) break;
      const answer = making ? this.#given(making.job, sent) : await this.#lastAnswer(search, call, sent, signal);
      const usable = answer && usableOf(answer, request, this.#mostOf(request), this.#options.agents);
      if (usable) return { call, answer: usable };
    }
    return undefined;
  }

  /** One of the same name at another server is another model. */
  #given(job: string, sent: SentCalls): Answer | undefined {
    return isMadeBy(job, this.#maker) ? sent.claim(job) : undefined;
  }

  /**
   * Returns the answer to a call of an earlier process, however often that sent it: only the last attempt can have one.
   */
  async #lastAnswer(search: string, call: string, sent: SentCalls, signal: AbortSignal): Promise<Answer | undefined> {
    const { queue, onAway } = this.#parts;
    const attempts = attemptsOf((again) => this.#placeOf(search, call, again));
    for (const { id } of attempts) {
      const answer = sent.claim(id);
      if (answer) return answer;
    }
    const states = await patiently(this.#orPausing(signal), () => queue.states(attempts), onAway);
    const last = openAmong(attempts, states);
    // Nobody else asks the same: what comes after its end is not for another question.
    return last && (await this.#end(last, last.id, sent, signal).catch(() => undefined));
  }

  #placeOf(search: string, call: string, again: number): CallPlace {
    return { id: jobOf(search, call, this.#maker, again), queue: this.#queue };
  }

  async #send(wire: WireRequest, asks: string, call: string, again: number, signal: AbortSignal): Promise<Answer> {
    const { queue, opened, onAway } = this.#parts;
    const { search, key, sent } = await opened(signal);
    sent.checkDeliveries();
    const same = again === 0 ? sent.claimSame(asks) : undefined;
    if (same) return same;
    const place = this.#placeOf(search, call, again);
    const { id } = place;
    const { name: model, origin, seconds, agents } = this.#options;
    const data: Call = {
      ...{ protocol: PROTOCOL, id, search, model, request: wire, seconds },
      ...(origin !== undefined && { origin }),
    };
    const payload = await pack(agents ? proven(data, agents) : { ...data, token: tokenOf(key, id) });
    await this.#parts.onJob(call, id);
    try {
      const send = (): Promise<void> => queue.send({ ...place, payload, seconds });
      await patiently(this.#orPausing(signal), send, onAway).catch(async (error: unknown) => {
        // It may have been sent without our hearing of it.
        throw isThoughtTreeError(error, 'aborted') ? await this.#withdrawn(place, asks, sent) : error;
      });
      return await this.#end(place, asks, sent, signal);
    } catch (error) {
      // Not so with one that an earlier process sent: that is booked as before.
      if (isThoughtTreeError(error, 'aborted') && error.details.charged === false) sent.costNothing(id);
      throw error;
    }
  }

  /** Aborted, too, as long as the search pauses: its database may be away for longer than anybody waits. */
  #orPausing(signal: AbortSignal): Stop {
    const { pausing } = this.#parts;
    return {
      get aborted() {
        return signal.aborted || pausing().aborted;
      },
    };
  }

  /** Waits for a call's end, unless it is stopped. */
  async #end(place: CallPlace, asks: string, sent: SentCalls, signal: AbortSignal): Promise<Answer> {
    let stop = (): void => undefined;
    const stopped = new Promise<'stopped'>((resolve) => {
      stop = () => resolve('stopped');
      if (signal.aborted) stop();
      else signal.addEventListener('abort', stop, { once: true });
    });
    const how = await Promise.race([sent.wait(place, asks, this.#options.seconds), stopped]);
    signal.removeEventListener('abort', stop);
    if (how === 'stopped') throw await this.#withdrawn(place, asks, sent);
    if (how === 'untaken') throw untaken(place);
    if (how === 'lost') throw new ThoughtTreeError('cut-off', say.workerGone());
    if (how === 'late') throw new ThoughtTreeError('timed-out', say.callTooLate({ seconds: this.#options.seconds }));
    return how;
  }

  /** Takes a call back: it cost nothing if nobody had taken it. */
  async #withdrawn(place: CallPlace, asks: string, sent: SentCalls): Promise<ThoughtTreeError> {
    const isFree = await sent.withdraw(place, asks).catch(() => false);
    return isFree ? untaken(place) : new ThoughtTreeError('aborted', say.stopped());
  }
}

/** As with a first answer: what nobody says is counted at its most. */
function usedOf(usage: WireUsage | undefined, most: MostUsed): Usage {
  if (!usage || usage.prompt === 0) return { ...most, cached: 0 };
  const { written, usd, ...rest } = usage;
  return usedAtMost({ ...rest, ...(written !== undefined && { written }), ...(usd !== undefined && { usd }) }, most);
}

/** A later process has to know it, too: a queue that was put back may have it made after all. */
function untaken({ id }: CallPlace): ThoughtTreeError {
  return new ThoughtTreeError('aborted', say.notTaken(), { charged: false, making: { job: id, taken: '' } });
}

/** Returns an answer that nobody has to use: nothing if it is none. */
function usableOf(
  answer: Answer,
  request: ModelRequest,
  most: MostUsed,
  agents: AgentPlace | undefined,
): ModelAnswer | undefined {
  try {
    return checkedAnswer(answer, request, most, agents);
  } catch {
    return undefined;
  }
}

/** Tells whether a worker could not carry out a call at this moment, at no cost. */
function isPutOff(result: Answer['result']): boolean {
  if (result.outcome === 'answer' || result.charged) return false;
  return result.reason === 'rate-limited' || result.reason === 'aborted';
}

/** Whoever puts everything off must not be the only one that is quick enough to take it. */
async function pause(again: number, signal: AbortSignal): Promise<void> {
  if (again === 0) return;
  const ms = Math.min(LONGEST_PAUSE_MS, 50 * 2 ** Math.min(again, 10));
  await setTimeout(ms, undefined, { signal }).catch(() => undefined);
}

/** Returns what travels: all that a model behind HTTP reads, and the sessions that an agent may continue. */
function wireOf({ data: _, workplace: _place, turns, ...request }: ModelRequest, isForAgent: boolean): WireRequest {
  const plain = turns.map(({ session, ...turn }) => ({
    ...turn,
    // It comes from a file, which anybody may have written.
    ...(isForAgent && SessionId.safeParse(session).success && { session }),
  }));
  return { ...request, turns: plain } as WireRequest;
}

/** As its worker will read it: what it does not read is not proved either. */
function proven(call: Call, agents: AgentPlace): Call {
  const read = Call.parse(call);
  return { ...read, proof: agents.prove(read) };
}

/** Returns a hash of what a call asks: another one that asks the same may have its answer. */
function asksOf(question: string, wire: WireRequest): string {
  return createHash('sha256').update(question).update(JSON.stringify(wire)).digest('hex');
}

/** The number of times that a call that cost nothing is sent again by itself: its worker could not carry it out now. */
const SENDINGS = 1000;

/** One that was answered just now has its answer at the next look. */
const MAY_BE_ANSWERED: ReadonlySet<CallState> = new Set<CallState>(['waiting', 'taken', 'answered']);

/**
 * Returns where each attempt of a call is in the queue, the last one first: those before it cost nothing and said
 * nothing.
 */
function attemptsOf(placeOf: (again: number) => CallPlace): readonly CallPlace[] {
  return Array.from({ length: SENDINGS + 1 }, (_, before) => placeOf(SENDINGS - before));
}

/** The first one whose answer may still come. */
function openAmong(attempts: readonly CallPlace[], states: ReadonlyMap<string, CallState>): CallPlace | undefined {
  return attempts.find(({ id }) => MAY_BE_ANSWERED.has(states.get(id) ?? 'unknown'));
}

interface FleetParts {
  readonly queue: FleetQueue;
  /** The search's name in the queue and its calls there, once the search is on disk. */
  readonly opened: (signal: AbortSignal) => Promise<{ search: string; key: string; sent: SentCalls }>;
  /** Aborted while the search pauses: what is not sent by then is not sent at all. */
  readonly pausing: () => AbortSignal;
  readonly workers: () => readonly WorkerRegistration[];
  readonly onAway: (error: unknown) => void;
  /** Hears as which job a call goes out, before it does. */
  readonly onJob: (call: string, job: string) => Promise<void>;
  /** Calls the listener with a second answer to a call of this model's queue. */
  readonly onUnasked: (listener: (answer: Answer) => void, before: MadeBefore) => void;
  readonly closed: () => Promise<void>;
}

export interface FleetModelOptions {
  readonly name: string;
  /** Of a server of one's own. */
  readonly origin: string | undefined;
  /** Its lowest price, as far as this person knows. */
  readonly price: Price | undefined;
  /** The longest that a call may take once it is taken. */
  readonly seconds: number;
  /** Of an agent: where it has to work. `origin` names it. */
  readonly agents?: AgentPlace | undefined;
}

/**
 * Returns a name that tells a model's calls from those of others. One of the same name at another server is another
 * model; an agent is the same in whatever place, which has another name after a restart of the computer.
 */
export function makerOf({ name, origin, agents }: Pick<FleetModelOptions, 'name' | 'origin' | 'agents'>): string {
  return queueOf(name, agents ? undefined : origin);
}
