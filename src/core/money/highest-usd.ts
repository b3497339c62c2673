import type { Forecast } from './forecast.ts';

/** The most that a search may cost, in US dollars, as far as the forecast knows; undefined if a price is unknown. */
export function highestUsd({ usd, atMost }: Forecast): number | undefined {
  return usd && Math.max(usd.high, atMost?.usd ?? 0);
}
