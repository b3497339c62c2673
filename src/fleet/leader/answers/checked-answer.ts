import { messageOf } from '../../../core/messages/kept.ts';
import { MOST_BYTES_A_TOKEN } from '../../../core/money/usage-doubt.ts';
import type { ModelAnswer, ModelRequest } from '../../../core/ports/model.ts';
import { ThoughtTreeError } from '../../../core/search/errors.ts';
import { utf8Length } from '../../../core/text/text.ts';
import { checkedUsage, lengthOf } from '../../../models/http/checked-usage.ts';
import type { AgentPlace } from '../../agents/agent-place.ts';
import * as say from '../../messages.ts';
import type { Answer, WireUsage } from '../../protocol.ts';
import { type MostUsed, usedAtMost } from './most-used.ts';

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
