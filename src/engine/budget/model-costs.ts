import { costOf, worstCostOf } from '../../core/money/price.ts';
import { BYTES_A_TOKEN } from '../../core/money/usage-doubt.ts';
import type { Model, ModelRequest, Usage } from '../../core/ports/model.ts';
import type { WorstCase } from '../../core/search/events.ts';
import type { History } from '../history.ts';
import { tellDoubts } from './tell-doubts.ts';
import { bytesOf } from './token-estimate.ts';

/** A reported cost may be lower than by its price by this factor without being doubted: prices are rounded. */
const ROUNDING = 0.99;

/** Prices calls: at most, before they are made, and really, by their usage. Learns from every usage. */
export class ModelCosts {
  readonly #history: History;
  /** The factors by which models' servers turned out to be more expensive than their known prices. */
  readonly #dearer = new Map<string, number>();

  constructor(history: History) {
    this.#history = history;
  }

  /** The most that a request can cost with this model, as far as its server is to be trusted. */
  worst(request: ModelRequest, model: Model): WorstCase {
    const { tokens, usd } = this.#atMost(request, model);
    const factor = this.#history.past.doubted.factor(model.name);
    return { tokens: Math.ceil(tokens * factor), ...(usd === undefined ? {} : { usd: usd * factor }) };
  }

  /**
   * Returns the cost at which a call without a usage is booked, if more arrived than it was asked for.
   * @param received bytes
   */
  arrived(request: ModelRequest, model: Model, received: number): WorstCase | undefined {
    const maxOutputTokens = Math.ceil(received / BYTES_A_TOKEN);
    if (maxOutputTokens <= request.maxOutputTokens || model.free || model.most) return undefined;
    return this.#atMost({ ...request, maxOutputTokens }, model);
  }

  /** Tells whether only the first answer will show whether there is any bound to what this model costs. */
  isUnknown(model: Model): boolean {
    return !model.free && !model.price && this.#history.past.costs.isUnheard(model.name);
  }

  /** A usage with its cost: by the model's price if that is known, or as reported by the server, whichever is higher. */
  priced(usage: Usage, model: Model): Usage {
    const { name, price, free } = model;
    if (free) return { ...usage, usd: usage.usd ?? 0 };
    if (!price) return usage;
    const usd = costOf(usage, price);
    if (usage.usd === undefined) return { ...usage, usd };
    if (usage.usd < usd * ROUNDING) tellDoubts(this.#history, name, ['cost']);
    if (usage.usd > usd && usd > 0) this.#dearer.set(name, Math.max(this.#dearer.get(name) ?? 1, usage.usd / usd));
    return { ...usage, usd: Math.max(usage.usd, usd) };
  }

  /** For a server that keeps to what it was asked for, with what its tokens turned out to cost. */
  #atMost(request: ModelRequest, model: Model): WorstCase {
    const { tokens, usd: priced } = worstCase(request, model);
    const usd =
      priced === undefined
        ? this.#history.past.costs.worstUsd(model.name, tokens - request.maxOutputTokens, request.maxOutputTokens)
        : priced * (this.#dearer.get(model.name) ?? 1);
    return { tokens, ...(usd === undefined ? {} : { usd }) };
  }
}

/** Tokens that a provider may add to a message for its own markup. */
const TOKENS_A_MESSAGE = 16;

/**
 * The most a request can cost. With every tokenizer in use a token represents at least one byte of UTF-8, so the number
 * of bytes is an upper bound for the tokens.
 */
function worstCase(request: ModelRequest, model: Model): WorstCase {
  if (model.free) return { tokens: 0, usd: 0 };
  if (model.most) return model.most;
  const prompt = bytesOf(request) + TOKENS_A_MESSAGE * (request.turns.length + 2);
  const tokens = prompt + request.maxOutputTokens;
  return model.price ? { tokens, usd: worstCostOf(prompt, request.maxOutputTokens, model.price) } : { tokens };
}
