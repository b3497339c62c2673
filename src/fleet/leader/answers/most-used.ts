import { BYTES_A_TOKEN, MOST_BYTES_A_TOKEN } from '../../../core/money/usage-doubt.ts';
import type { MadeBefore, ModelRequest, Price, Usage } from '../../../core/ports/model.ts';
import { utf8Length } from '../../../core/text/text.ts';
import type { AgentLimits } from '../../../models/agents/agent.ts';

/** Tokens that a server may add to a message for its own markup. */
const TOKENS_A_MESSAGE = 16;
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

/** The larger of both in everything. */
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
