import { kept } from '../../core/messages/kept.ts';
import { costOf, worstCostOf } from '../../core/money/price.ts';
import type { Model, ModelAnswer, ModelRequest } from '../../core/ports/model.ts';
import { type Reason, toThoughtTreeError } from '../../core/search/errors.ts';
import { utf8Length } from '../../core/text/text.ts';
import type { AgentPlace } from '../agents/agent-place.ts';
import * as say from '../messages.ts';
import type { Call, Result, WireRequest } from '../protocol.ts';
import type { Amount } from './spent-today.ts';

/** Tokens that a server may add to a message for its own markup. */
const TOKENS_A_MESSAGE = 16;

/** Why a call is ended before its answer. */
export type Ending = 'withdrawn' | 'too-late' | 'stopped';

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
export function worstOf(model: Model, request: WireRequest): Amount {
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
const TOLD: ReadonlySet<Reason> = new Set<Failure['reason']>([
  'unreachable',
  'rate-limited',
  'server-error',
  'key-refused',
  'quota-exceeded',
  'unknown-model',
  'redirected',
  'bad-request',
  'timed-out',
  'cut-off',
  'refused',
  'bad-answer',
]);

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
