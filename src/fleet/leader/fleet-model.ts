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
  Usage,
} from '../../core/ports/model.ts';
import { isThoughtTreeError, ThoughtTreeError } from '../../core/search/errors.ts';
import { utf8Length } from '../../core/text/text.ts';
import { AGENT_LIMITS } from '../../models/agents/agent.ts';
import type { AgentPlace } from '../agents/agent-place.ts';
import * as say from '../messages.ts';
import { jobOf, queueOf, tokenOf } from '../names.ts';
import { pack } from '../payload.ts';
import { type Answer, type Call, PROTOCOL, type WireRequest, type WorkerCard } from '../protocol.ts';
import type { CallPlace, FleetQueue } from '../queue.ts';
import { checkedAnswer } from './checked-answer.ts';
import { larger, type MostUsed, mostBooked, mostUsed, mostUsedByAgent, usedAtMost } from './most-used.ts';
import { patiently, type Stop } from './patiently.ts';
import { openAmong, SENDINGS, sendingsOf } from './sendings.ts';
import type { SentCalls } from './sent-calls.ts';
import { onceForEach, type Served, servedBy } from './served.ts';
import { asksOf, proven, wireOf } from './wire.ts';

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
/** What a model of a fleet needs of its search. */
export interface FleetParts {
  readonly queue: FleetQueue;
  /** The search's name in the queue and its calls there, once the search is on disk. */
  readonly opened: (signal: AbortSignal) => Promise<{ search: string; key: string; sent: SentCalls }>;
  /** Aborted while the search pauses: what is not sent by then is not sent at all. */
  readonly pausing: () => AbortSignal;
  readonly workers: () => readonly WorkerCard[];
  readonly onAway: (error: unknown) => void;
  /** Calls the listener with a second answer to a call of this model's queue. */
  readonly onUnasked: (listener: (answer: Answer) => void, before: MadeBefore) => void;
  readonly closed: () => Promise<void>;
}

export interface FleetModelOptions {
  readonly name: string;
  /** Of a server of one's own. */
  readonly origin: string | undefined;
  /** What it costs at least, as far as this person knows. */
  readonly price: Price | undefined;
  /** The longest that a call may take once it is taken. */
  readonly seconds: number;
  /** Of an agent: where it has to work. `origin` names it. */
  readonly agents?: AgentPlace | undefined;
}

/** What no worker's word decides of an agent: it says itself what its requests cost. */
const OF_AGENT = { price: undefined, contextTokens: undefined, thinking: undefined, free: false, tools: false };

/** A model whose calls are carried out by the workers of a fleet. */
export function fleetModel(parts: FleetParts, options: FleetModelOptions): Model {
  const { name, origin, price, agents } = options;
  const queue = queueOf(name, origin);
  const ofCards = onceForEach((cards) => ({ ...servedBy(cards, queue, price), ...(agents && OF_AGENT) }));
  const served = (): Served => ofCards(parts.workers());
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
    onUnasked: (listener, before) =>
      parts.onUnasked(
        (answer) =>
          listener({ usage: calls.usedBy(answer, before.most), making: { job: answer.id, taken: answer.taken } }),
        before,
      ),
    close: parts.closed,
  };
}

class FleetCalls {
  readonly #parts: FleetParts;
  readonly #options: FleetModelOptions;
  readonly #queue: string;
  readonly #price: () => Price | undefined;
  /** The most that any call can have used. */
  #most: MostUsed = { prompt: 0, completion: 0, usd: 0 };

  constructor(parts: FleetParts, options: FleetModelOptions, queue: string, price: () => Price | undefined) {
    this.#parts = parts;
    this.#options = options;
    this.#queue = queue;
    this.#price = price;
  }

  /** What the server was paid for a second answer, as far as the worker says, and that can be. */
  usedBy({ result }: Answer, booked: MadeBefore['most']): Usage {
    const usage = result.outcome === 'answer' ? result.usage : undefined;
    const most = larger(this.#most, mostBooked(booked));
    // As with a first answer: what nobody says is counted at its most.
    if (!usage || usage.prompt === 0) return { ...most, cached: 0 };
    const { written, usd, ...rest } = usage;
    return usedAtMost({ ...rest, ...(written !== undefined && { written }), ...(usd !== undefined && { usd }) }, most);
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

  /** What is wrong with one worker's key or server need not be wrong with another's. */
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
      const answer = making ? sent.claim(making.job) : await this.#lastAnswer(search, call, sent, signal);
      const usable = answer && usableOf(answer, request, this.#mostOf(request), this.#options.agents);
      if (usable) return { call, answer: usable };
    }
    return undefined;
  }

  /** The answer to a call of an earlier process, however often that sent it: only the last sending can have one. */
  async #lastAnswer(search: string, call: string, sent: SentCalls, signal: AbortSignal): Promise<Answer | undefined> {
    const { queue, onAway } = this.#parts;
    const sendings = sendingsOf(search, call, this.#queue);
    for (const { id } of sendings) {
      const answer = sent.claim(id);
      if (answer) return answer;
    }
    const states = await patiently(this.#orPausing(signal), () => queue.states(sendings), onAway);
    const last = openAmong(sendings, states);
    // Nobody else asks the same: what comes after its end is not for another question.
    return last && (await this.#end(last, last.id, sent, signal).catch(() => undefined));
  }

  async #send(wire: WireRequest, asks: string, call: string, again: number, signal: AbortSignal): Promise<Answer> {
    const { queue, opened, onAway } = this.#parts;
    const { search, key, sent } = await opened(signal);
    sent.checkMakings();
    const same = again === 0 ? sent.claimSame(asks) : undefined;
    if (same) return same;
    const id = jobOf(search, call, again);
    const { name: model, origin, seconds, agents } = this.#options;
    const data: Call = {
      ...{ protocol: PROTOCOL, id, search, model, request: wire, seconds },
      ...(origin !== undefined && { origin }),
    };
    const place = { id, queue: this.#queue };
    const payload = await pack(agents ? proven(data, agents) : { ...data, token: tokenOf(key, id) });
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

/** A later process has to know it, too: a queue that was put back may have it made after all. */
function untaken({ id }: CallPlace): ThoughtTreeError {
  return new ThoughtTreeError('aborted', say.notTaken(), { charged: false, making: { job: id, taken: '' } });
}

/** An answer that nobody has to use: nothing if it is none. */
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

/** Whether a worker could not carry out a call at this moment, at no cost. */
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
