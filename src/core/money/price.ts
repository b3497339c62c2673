import type { Price, Rates, Usage } from '../ports/model.ts';

const PER = 1_000_000;

/**
 * Returns the cost of an answer, in US dollars. If the provider does not report which tokens it cached for later
 * requests, all that were not read from the cache count as written to it: the cost is never understated.
 */
export function costOf({ prompt, cached, completion, written }: Usage, price: Price): number {
  const rates = ratesFor(prompt, price);
  const fresh = Math.max(0, prompt - cached);
  const kept = rates.cacheWrite === undefined ? 0 : Math.min(fresh, written ?? fresh);
  const sum =
    (fresh - kept) * rates.prompt +
    kept * (rates.cacheWrite ?? 0) +
    Math.min(cached, prompt) * rates.cached +
    completion * rates.completion;
  return sum / PER;
}

/** Tokens that a server may add to a message for its own markup. */
export const TOKENS_A_MESSAGE = 16;

/**
 * The most that a request can cost, in US dollars.
 * @param prompt tokens of the prompt, at most
 * @param completion tokens of the answer, at most
 */
export function worstCostOf(prompt: number, completion: number, price: Price): number {
  const rates = [price, ...(price.long && prompt > price.long.above ? [price.long] : [])];
  return Math.max(...rates.map((each) => prompt * dearestOf(each) + completion * each.completion)) / PER;
}

function ratesFor(prompt: number, price: Price): Rates {
  return price.long && prompt > price.long.above ? price.long : price;
}

/** Returns the highest price of a prompt token. */
function dearestOf({ prompt, cached, cacheWrite = 0 }: Rates): number {
  return Math.max(prompt, cached, cacheWrite);
}
