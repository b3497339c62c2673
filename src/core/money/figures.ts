import type { Forecast } from './forecast.ts';

/** Returns a duration: `8s`, `2m 05s`, `1h 02m`. */
export function formatDuration(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return `${seconds}s`;
  const two = (value: number): string => String(value).padStart(2, '0');
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m ${two(seconds % 60)}s`;
  return `${Math.floor(seconds / 3600)}h ${two(Math.floor(seconds / 60) % 60)}m`;
}

/** Tokens, in thousands or millions if there are many: `940`, `12.3k`, `1.25M`. */
export function formatTokens(tokens: number): string {
  if (tokens < 1000) return String(tokens);
  if (tokens < 999_950) return `${trimZeros((tokens / 1000).toFixed(1))}k`;
  return `${trimZeros((tokens / 1_000_000).toFixed(2))}M`;
}

/** Dollars: cents if they suffice, more digits for small amounts. */
export function formatUsd(usd: number): string {
  return `$${usd > 0 && usd < 0.1 ? usd.toFixed(4) : usd.toFixed(2)}`;
}

function trimZeros(text: string): string {
  return text.replace(/\.?0+$/, '');
}

/** The most that a search may cost, in US dollars, as far as the forecast knows; undefined if a price is unknown. */
export function highestUsd({ usd, atMost }: Forecast): number | undefined {
  return usd && Math.max(usd.high, atMost?.usd ?? 0);
}
