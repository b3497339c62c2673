import { worstCostOf } from '../../core/money/price.ts';
import type { Model, ModelRequest } from '../../core/ports/model.ts';
import type { WorstCase } from '../../core/search/events.ts';
import { bytesOf } from './token-estimate.ts';

/** Tokens that a provider may add to a message for its own markup. */
const TOKENS_A_MESSAGE = 16;

/**
 * The most a request can cost. With every tokenizer in use a token represents at least one byte of UTF-8, so the number
 * of bytes is an upper bound for the tokens.
 */
export function worstCase(request: ModelRequest, model: Model): WorstCase {
  if (model.free) return { tokens: 0, usd: 0 };
  if (model.most) return model.most;
  const prompt = bytesOf(request) + TOKENS_A_MESSAGE * (request.turns.length + 2);
  const tokens = prompt + request.maxOutputTokens;
  return model.price ? { tokens, usd: worstCostOf(prompt, request.maxOutputTokens, model.price) } : { tokens };
}
