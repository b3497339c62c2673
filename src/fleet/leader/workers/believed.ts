import { isDeepStrictEqual } from 'node:util';
import type { Message } from '../../../core/messages/message.ts';
import type { Price, Rates } from '../../../core/ports/model.ts';
import * as say from '../../messages.ts';
import type { ServedModel } from '../../protocol.ts';
import { MOST_PRICE } from '../answers/most-used.ts';

/** A price that a worker says counts up to so many times what is known: providers differ by less, and so do long prompts. */
const TIMES = 4;
/** Tokens: no model that searches are made with reads less. */
const LEAST_CONTEXT = 4096;
/** Tokens: no model needs more room for its reasoning. */
const MOST_THINKING = 64_000;

/** The facts that a person or a list states about a model. */
export interface Known {
  readonly name: string;
  readonly price: Price | undefined;
}

/** The facts that a worker states about a model, as far as they are believed. */
export interface Believed extends Omit<ServedModel, 'price'> {
  readonly price?: Price;
}

/**
 * Bounds what a worker says of a model: one that means harm could name a price or a size that ends other people's
 * searches before their first call.
 * @param known the price; without one, a worker's word is all there is
 */
export function believed({ price: said, ...model }: ServedModel, known: Price | undefined): Believed {
  const { contextTokens, thinking } = model;
  const price = said as Price | undefined;
  return {
    ...model,
    ...(price && { price: priceAtMost(price, known) }),
    ...(contextTokens !== undefined && { contextTokens: Math.max(contextTokens, LEAST_CONTEXT) }),
    ...(thinking && {
      thinking: { usual: Math.min(thinking.usual, MOST_THINKING), low: Math.min(thinking.low, MOST_THINKING) },
    }),
  };
}

/** Tells a person what a worker says that is not believed. */
export function doubtOf(model: ServedModel, host: string, { name, price }: Known): Message | undefined {
  const { price: counted, contextTokens, thinking } = believed(model, price);
  if (!isDeepStrictEqual(counted, model.price))
    return price ? say.doubtfulPrice({ host, model: name, times: TIMES }) : say.impossiblePrice({ host, model: name });
  if (contextTokens === model.contextTokens && isDeepStrictEqual(thinking, model.thinking)) return undefined;
  return say.doubtfulSize({ host, model: name, least: LEAST_CONTEXT, most: MOST_THINKING });
}

/** Where no price is known, and workers differ so much that one of them is wrong. */
export function isDisputed(models: readonly ServedModel[]): boolean {
  const answers = models.flatMap(({ price }) => price?.completion ?? []);
  return Math.max(...answers) > TIMES * Math.min(...answers);
}

function priceAtMost({ long, ...usual }: Price, known: Price | undefined): Price {
  const rates = ratesAtMost(usual, known);
  return long ? { ...rates, long: { ...ratesAtMost(long, known?.long ?? known), above: long.above } } : rates;
}

function ratesAtMost({ prompt, cached, completion, cacheWrite }: Rates, known: Rates | undefined): Rates {
  const most = (rate: number, ...of: readonly (number | undefined)[]): number =>
    Math.min(rate, known ? TIMES * (of.find((each) => each) ?? 0) : MOST_PRICE);
  return {
    prompt: most(prompt, known?.prompt),
    cached: most(cached, known?.cached, known?.prompt),
    completion: most(completion, known?.completion),
    ...(cacheWrite !== undefined && { cacheWrite: most(cacheWrite, known?.cacheWrite, known?.prompt) }),
  };
}
