import { messageOf } from '../../core/messages/message.ts';
import { TOKENS_A_MESSAGE } from '../../core/money/price.ts';
import { BYTES_A_TOKEN, MOST_BYTES_A_TOKEN } from '../../core/money/usage-doubt.ts';
import type { MadeBefore, ModelAnswer, ModelRequest, Price, Usage } from '../../core/ports/model.ts';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import { utf8Length } from '../../core/text/text.ts';
import type { AgentLimits } from '../../models/agents/agent.ts';
import { checkedUsage, lengthOf } from '../../models/http/checked-usage.ts';
import type { AgentPlace } from '../agents.ts';
import * as say from '../messages.ts';
import type { Answer, WireUsage } from '../protocol.ts';

/**
 * The longest that a search waits as one worker's server asks for it, in milliseconds: other workers may have room, and those
 * that have not keep to the rest of it themselves.
 */
const LONGEST_WAIT_MS = 60_000;

/**
 * Returns what a worker gave back as a model's answer. The worker has checked what its server said; it is checked again
 * here, as a worker's word is worth no more than a server's.
 * @param most what the call can have used
 * @param agents where it had to work, if it is an agent
 * @throws ThoughtTreeError what the worker says went wrong; `bad-answer` for one that is longer than it may be
 */
export function checkedAnswer(
  { id, taken, result, received }: Answer,
  request: ModelRequest,
  most: MostUsed,
  agents?: AgentPlace,
): ModelAnswer {
  if (result.outcome === 'failure') {
    const {
      reason,
      message,
      say: said,
      retryAfterMs,
      charged,
      isTooLong,
      refusesTools,
      asksOtherwise,
      contextTokens,
      doubts,
    } = result;
    throw new ThoughtTreeError(reason, messageOf(message, said), {
      charged,
      ...(retryAfterMs !== undefined && { retryAfterMs: Math.min(retryAfterMs, LONGEST_WAIT_MS) }),
      ...(isTooLong !== undefined && { isTooLong }),
      ...(refusesTools !== undefined && { refusesTools }),
      ...(asksOtherwise !== undefined && { asksOtherwise }),
      ...(contextTokens !== undefined && { contextTokens }),
      ...(doubts && { doubts }),
      making: { job: id, taken },
    });
  }
  const { text, finish, toolCalls, usage, doubts = [] } = result;
  const written = toolCalls ? text + JSON.stringify(toolCalls) : text;
  const longest = request.maxOutputTokens * MOST_BYTES_A_TOKEN;
  if (utf8Length(text) > longest)
    throw new ThoughtTreeError('bad-answer', say.answerTooLong(), {
      charged: true,
      doubts: ['endless'],
      making: { job: id, taken },
    });
  if (agents) return { ...answerOfAgent(id, result, most, agents), making: { job: id, taken } };
  const length = lengthOf(written);
  const unseen = { bytes: Math.max(0, Math.min(received, longest) - length.bytes), characters: 0 };
  const checked = checkedUsage(usage && whole(usage), request, { text: length, reasoning: unseen });
  const all = [...new Set([...doubts, ...(checked.doubts ?? [])])];
  return {
    text,
    finish: finish === 'tools' && !toolCalls?.length ? 'other' : finish,
    ...(toolCalls?.length && { toolCalls }),
    ...(checked.usage && { usage: usedAtMost(checked.usage, most) }),
    ...(all.length > 0 && { doubts: all }),
    making: { job: id, taken },
  };
}

/** It made requests of its own, so that its usage says nothing about the one that we know. */
function answerOfAgent(
  id: string,
  { text, finish, usage, agentSession: session }: Answered,
  most: MostUsed,
  agents: AgentPlace,
): ModelAnswer {
  return {
    text,
    finish: finish === 'tools' ? 'other' : finish,
    ...(usage && { usage: usedAtMost(whole(usage), most) }),
    // No call ever continues a session that no agent of ours made.
    ...(session && agents.isKept(id, session) && { session: session.id }),
  };
}

type Answered = Extract<Answer['result'], { outcome: 'answer' }>;

function whole({ prompt, cached, completion, written, usd }: WireUsage): NonNullable<ModelAnswer['usage']> {
  const more = { ...(written !== undefined && { written }), ...(usd !== undefined && { usd }) };
  return { prompt, cached: Math.min(cached, prompt), completion, ...more };
}

/** Dollars for a million tokens: no model that has no known price costs more. */
const MOST_PRICE = 1000;

/** The most that a call can have used, in tokens and dollars. */
export interface MostUsed {
  readonly prompt: number;
  readonly completion: number;
  readonly usd: number;
}

/**
 * Bounds what a worker can have used for a request, whatever it says: a token of a prompt is at least one byte, and a
 * worker ends a stream that is longer than it may be.
 */
export function mostUsed(request: ModelRequest, price: Price | undefined): MostUsed {
  const { system, turns, prompt: asked, toolResults = [], tools = [], maxOutputTokens } = request;
  const bytes = utf8Length(JSON.stringify({ system, turns, asked, toolResults, tools }));
  const prompt = bytes + TOKENS_A_MESSAGE * (turns.length + 2);
  const completion = Math.ceil((maxOutputTokens * MOST_BYTES_A_TOKEN) / BYTES_A_TOKEN);
  const rates = price ? [price, ...(price.long ? [price.long] : [])] : [];
  const dearest = Math.max(...rates.flatMap((each) => [each.prompt, each.completion, each.cacheWrite ?? 0]), 0);
  return { prompt, completion, usd: ((prompt + completion) * (price ? dearest : MOST_PRICE)) / 1e6 };
}

/** The factor by which an agent may pass its limits: it ends after the request that does. */
const BEYOND = 4;

/** Bounds what an agent can have used for one question, in many requests. */
export function mostUsedByAgent({ tokens, usd }: Pick<AgentLimits, 'tokens' | 'usd'>): MostUsed {
  return { prompt: BEYOND * tokens, completion: BEYOND * tokens, usd: BEYOND * usd };
}

/** Bounds what a call can have used if only the amount that was booked for it is known. */
export function mostBooked({ tokens, usd }: MadeBefore['most']): MostUsed {
  return { prompt: tokens, completion: tokens, usd };
}

/** Returns the larger of both in everything. */
export function larger(one: MostUsed, other: MostUsed): MostUsed {
  return {
    prompt: Math.max(one.prompt, other.prompt),
    completion: Math.max(one.completion, other.completion),
    usd: Math.max(one.usd, other.usd),
  };
}

/** Returns the usage that a worker reports, as far as it is possible. */
export function usedAtMost({ prompt, cached, completion, written, usd }: Usage, most: MostUsed): Usage {
  const sent = Math.min(prompt, most.prompt);
  return {
    prompt: sent,
    cached: Math.min(cached, sent),
    completion: Math.min(completion, most.completion),
    ...(written !== undefined && { written: Math.min(written, sent) }),
    ...(usd !== undefined && { usd: Math.min(usd, most.usd) }),
  };
}
