import { randomUUID } from 'node:crypto';
import { kept } from '../../core/messages/message.ts';
import { costOf, TOKENS_A_MESSAGE, worstCostOf } from '../../core/money/price.ts';
import type { Model, ModelAnswer, ModelRequest } from '../../core/ports/model.ts';
import { type Reason, toThoughtTreeError } from '../../core/search/errors.ts';
import { utf8Length } from '../../core/text/text.ts';
import { type AgentPlace, type RefusedCall, refusedCall } from '../agents.ts';
import * as say from '../messages.ts';
import { queueOf } from '../names.ts';
import { Call, Failed, type LeaderRegistration, type Result, type ServedModel, type WireRequest } from '../protocol.ts';
import { type FleetQueue, type ModelCap, type TakenCall, unpack } from '../queue.ts';
import type { Amount, Settle, SpentToday } from './spent-today.ts';

/** The limits of this user over everything that they run on this computer. */
export interface WorkerPurse {
  /** Books a call, unless the search that it is for did so here; undefined if a limit is in the way. */
  book(call: Call, worst: Amount): Promise<Settle | undefined>;
}

export interface TakeRequest {
  readonly queue: FleetQueue;
  /** The name of the model's queue. */
  readonly name: string;
  readonly own: OwnModel;
  readonly most: number;
  readonly spent: SpentToday;
  readonly purse: WorkerPurse | undefined;
  /** The fleet's, for this model. */
  readonly cap: ModelCap | undefined;
  /** Told what a call needs that this worker's own caps have no room for. */
  readonly onRefused: (worst: Amount) => void;
}

/** Takes calls as far as the caps allow it; what they do not allow stays where it is. */
export async function takeCalls(request: TakeRequest): Promise<readonly AdmittedCall[]> {
  const { queue, name, most, spent, cap, onRefused } = request;
  // Looking at each call before it is taken costs statements: only where that may matter.
  if (!cap && spent.isAmple(most)) {
    const all = await Promise.all((await queue.take(name, most)).map((taken) => ownCall(taken, request)));
    const found = all.flatMap((each) => each ?? []);
    const booking = async (each: OwnCall): Promise<AdmittedCall> => {
      return { ...each, settle: each.refused ? undefined : await book(each, request), capped: undefined };
    };
    return await Promise.all(found.map(booking));
  }
  const admitted = new Map<string, AdmittedCall>();
  let taken: readonly TakenCall[] = [];
  try {
    const admit = async (each: TakenCall, dollars: number | undefined): Promise<number | undefined> => {
      const found = await ownCall(each, request);
      // Nobody waits for it, or somebody who cannot be helped.
      if (!found) return 0;
      if (found.refused) {
        admitted.set(each.id, { ...found, settle: undefined, capped: cap && 0 });
        return 0;
      }
      if (found.worst.usd > (dollars ?? Number.POSITIVE_INFINITY)) return undefined;
      const settle = await book(found, request);
      if (!settle) {
        // Where others were admitted just now, there may be room once they have ended.
        if (admitted.size === 0) onRefused(found.worst);
        return undefined;
      }
      admitted.set(each.id, { ...found, settle, capped: cap && found.worst.usd });
      return found.worst.usd;
    };
    taken = await queue.take(name, most, { cap, admit });
  } finally {
    const ids = new Set(taken.map(({ id }) => id));
    for (const [id, { settle }] of admitted) if (!ids.has(id)) settle?.('unmade');
  }
  return taken.flatMap(({ id }) => admitted.get(id) ?? []);
}

/** Books a call within the limits of the workers, and within those over everything. */
async function book({ call, worst }: OwnCall, { spent, purse }: TakeRequest): Promise<Settle | undefined> {
  const settle = spent.book(worst);
  if (!settle || !purse || (worst.tokens === 0 && worst.usd === 0)) return settle;
  const inPurse = await purse.book(call, worst).catch(() => undefined);
  if (!inPurse) {
    settle('unmade');
    return undefined;
  }
  return (used) => {
    settle(used);
    inPurse(used);
  };
}

interface OwnCall {
  readonly taken: TakenCall;
  readonly call: Call;
  readonly worst: Amount;
  readonly refused: RefusedCall | undefined;
}

/** Returns the call if it is one for a model of ours: anybody may have put it into the queue. */
async function ownCall(taken: TakenCall, { own }: TakeRequest): Promise<OwnCall | undefined> {
  const call = await unpack(Call, taken.payload);
  if (!call || call.id !== taken.id || call.model !== own.model.name || call.origin !== own.origin) return undefined;
  const refused = own.agents && (await refusedCall(call, own.agents));
  return { taken, call, worst: worstOf(own.model, call.request), refused };
}

/** Beyond a call's own time, how long its answer is kept for a queue that is away, in seconds. */
const KEPT_SECONDS = 60;

/** A call that a worker took for itself. */
export interface AdmittedCall {
  readonly taken: TakenCall;
  readonly call: Call;
  readonly settle: Settle | undefined;
  readonly capped: number | undefined;
  readonly refused?: RefusedCall | undefined;
}

/** A call that a worker has taken, until its answer is in the queue. */
export class CallUnderWay {
  readonly taken: TakenCall;
  readonly call: Call;
  /** Counts what it used; undefined if the worker's own caps forbid it. */
  readonly settle: Settle | undefined;
  /** Why nothing is done for it. */
  readonly refused: RefusedCall | undefined;
  /** The most that it can cost, in dollars, if the fleet has a cap for its model. */
  readonly capped: number | undefined;
  /** Of this taking of the call, whoever takes it again. */
  readonly id = randomUUID();
  /** Milliseconds since 1970. */
  readonly since = Date.now();
  readonly #started = performance.now();
  readonly #abort = new AbortController();
  readonly #timer: NodeJS.Timeout;

  constructor({ taken, call, settle, capped, refused }: AdmittedCall) {
    this.taken = taken;
    this.call = call;
    this.settle = settle;
    this.capped = capped;
    this.refused = refused;
    this.#timer = setTimeout(() => this.end('too-late'), call.seconds * 1000);
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  get isWithdrawn(): boolean {
    return this.signal.reason === 'withdrawn';
  }

  /** Tells whether anybody still waits for its answer. */
  get isWanted(): boolean {
    return performance.now() - this.#started < (this.call.seconds + KEPT_SECONDS) * 1000;
  }

  /** Stops the request to the model's server. */
  end(why: Ending): void {
    if (!this.signal.aborted) this.#abort.abort(why);
  }

  answered(): void {
    clearTimeout(this.#timer);
  }
}

/** Why a call is ended before its answer. */
type Ending = 'withdrawn' | 'too-late' | 'stopped';

export interface CarriedOut {
  readonly result: Result;
  readonly received: number;
  /** The amount that it used; undefined if nobody knows, nothing if it cannot have cost anything. */
  readonly used: Amount | undefined;
  /** The time for which the server asks to be left alone, in milliseconds, if it does. */
  readonly putOffMs?: number;
}

/** The time for which a server that asks for no certain time is left alone, in milliseconds. */
const USUAL_WAIT_MS = 5000;

/** A model, and where it works if it is an agent. */
interface Carrier {
  readonly model: Model;
  readonly agents?: AgentPlace;
}

/** Asks the model. Never throws: a failure is a result, too. */
export async function carryOut({ model, agents }: Carrier, call: Call, signal: AbortSignal): Promise<CarriedOut> {
  let received = 0;
  const counted = (bytes: number): void => {
    received += bytes;
  };
  try {
    const how = { question: call.id, call: call.id, signal, onReceived: counted };
    const answer = await model.generate(requestOf(call.request), how);
    const session = answer.session === undefined ? undefined : agents?.kept(call.id, answer.session);
    return {
      result: { ...answerOf(answer), ...(session && { agentSession: session }) },
      received,
      used: usedBy(answer, model),
    };
  } catch (error) {
    const { result, putOffMs } = failureOf(error, signal.aborted ? (signal.reason as Ending) : undefined);
    const nothing = { tokens: 0, usd: 0 };
    return {
      ...{ result, received, used: result.outcome === 'failure' && !result.charged ? nothing : undefined },
      ...(putOffMs !== undefined && { putOffMs }),
    };
  }
}

/** The most that a call can use: with every tokenizer a token is at least one byte. */
function worstOf(model: Model, request: WireRequest): Amount {
  if (model.free) return { tokens: 0, usd: 0 };
  // It makes requests of its own, up to its limits.
  if (model.most) return { usd: 0, ...model.most };
  const { maxOutputTokens, turns } = request;
  const prompt = utf8Length(JSON.stringify(request)) + TOKENS_A_MESSAGE * (turns.length + 2);
  const usd = model.price ? worstCostOf(prompt, maxOutputTokens, model.price) : 0;
  return { tokens: prompt + maxOutputTokens, usd };
}

/** Typed data is for models that read no prose: those do not work in a fleet. */
function requestOf(request: WireRequest): ModelRequest {
  return { ...request, data: { question: '' } } as ModelRequest;
}

function answerOf({ text, finish, toolCalls, usage, doubts }: ModelAnswer): Result {
  return {
    ...{ outcome: 'answer', text, finish },
    ...(toolCalls && { toolCalls: [...toolCalls] }),
    ...(usage && { usage: { ...usage } }),
    ...(doubts && { doubts: [...doubts] }),
  };
}

function usedBy({ usage }: ModelAnswer, { free, price }: Model): Amount | undefined {
  if (free) return { tokens: 0, usd: 0 };
  if (!usage) return undefined;
  const usd = Math.max(usage.usd ?? 0, price ? costOf(usage, price) : 0);
  return { tokens: usage.prompt + usage.completion, usd };
}

type Failure = Extract<Result, { outcome: 'failure' }>;
const TOLD: ReadonlySet<Reason> = new Set(Failed.shape.reason.exclude(['aborted', 'internal']).options);

function failureOf(error: unknown, ending: Ending | undefined): { result: Failure; putOffMs?: number } {
  const { reason, say: why, details } = toThoughtTreeError(error);
  const charged = details.charged !== false;
  if (ending) {
    const what = ending === 'too-late' ? say.tookTooLong() : say.workerStopped();
    const ended = ending === 'too-late' ? ('timed-out' as const) : ('cut-off' as const);
    return { result: { outcome: 'failure', reason: ended, ...kept(what), charged } };
  }
  const told = TOLD.has(reason) ? (reason as Failure['reason']) : 'internal';
  const { retryAfterMs, isTooLong, refusesTools, asksOtherwise, contextTokens, doubts } = details;
  const result: Failure = {
    ...{ outcome: 'failure', reason: told, ...kept(why), charged },
    ...(retryAfterMs !== undefined && { retryAfterMs: Math.min(86_400_000, Math.max(0, retryAfterMs)) }),
    ...(isTooLong !== undefined && { isTooLong }),
    ...(refusesTools !== undefined && { refusesTools }),
    ...(asksOtherwise !== undefined && { asksOtherwise }),
    ...(contextTokens !== undefined && { contextTokens }),
    ...(doubts && { doubts: [...doubts] }),
  };
  return reason === 'rate-limited' ? { result, putOffMs: retryAfterMs ?? USUAL_WAIT_MS } : { result };
}

/** A model that this worker has opened, by its own settings. */
export interface OwnModel {
  readonly model: Model;
  /** Of a server of its own. */
  readonly origin: string | undefined;
  /** Tells its server with its key from others. */
  readonly account: string;
  /** Of an agent: the folder in which it works. */
  readonly agents?: AgentPlace;
}

/** Opens a model by its name, at a server of one's own if an origin is asked for; undefined without a key or server for it. */
export type OpenOwnModel = (name: string, origin?: string) => Promise<OwnModel | undefined>;

/** Tells whether a model that nobody named is served if a leader asks for it. */
export type MayServe = (name: string, origin: string | undefined) => boolean;

/** Models that leaders ask for and nobody named: so many are tried. */
const MOST = 100;
/** The time for which a model is left alone whose server does not work here, in milliseconds. */
const REST_MS = 30_000;

/** The models that a worker serves, by the queues of their calls. */
export class ServedModels {
  readonly #open: OpenOwnModel;
  readonly #byQueue = new Map<string, OwnModel & { readonly name: string }>();
  readonly #tried = new Set<string>();
  readonly #restUntil = new Map<string, number>();

  constructor(open: OpenOwnModel) {
    this.#open = open;
  }

  get queues(): readonly string[] {
    return [...this.#byQueue.keys()];
  }

  /** Opens one, once; false if it cannot be served here. */
  async add(name: string, origin?: string): Promise<boolean> {
    const tried = queueOf(name, origin);
    if (this.#tried.has(tried)) return [...this.#byQueue.values()].some((each) => each.name === name);
    this.#tried.add(tried);
    const own = await this.#open(name, origin);
    if (own) this.#byQueue.set(queueOf(name, own.origin), { ...own, name });
    return own !== undefined;
  }

  /** Opens what leaders ask for, as far as this worker can and wants to. */
  async addWanted(leaders: readonly LeaderRegistration[], mayServe: MayServe): Promise<void> {
    for (const { name, origin } of leaders.flatMap(({ models }) => models))
      if (this.#tried.size < MOST && mayServe(name, origin)) await this.add(name, origin).catch(() => undefined);
  }

  of(queue: string): OwnModel | undefined {
    return this.#byQueue.get(queue);
  }

  /** Its server does not work here now: others are to take its calls. */
  rest(queue: string): void {
    this.#restUntil.set(queue, performance.now() + REST_MS);
  }

  isResting(queue: string): boolean {
    return (this.#restUntil.get(queue) ?? 0) > performance.now();
  }

  /** As others see them. */
  get registrations(): ServedModel[] {
    return [...this.#byQueue].map(([queue, { name, model, account }]) => ({
      ...{ queue, name, account, free: model.free, tools: model.tools === true, warmsCache: model.warmsCache === true },
      ...(model.price && { price: model.price }),
      ...(model.contextTokens !== undefined && { contextTokens: model.contextTokens }),
      ...(model.thinking && { thinking: model.thinking }),
      ...(model.changesWorkspace && { changesWorkspace: true }),
    }));
  }

  async close(): Promise<void> {
    for (const { model } of this.#byQueue.values()) await model.close?.();
  }
}
