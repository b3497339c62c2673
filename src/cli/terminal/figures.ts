import type { Results } from '../../core/search/events.ts';

/** A duration: `8s`, `2m 05s`, `1h 02m`. */
export function formatDuration(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return `${seconds}s`;
  const two = (value: number): string => String(value).padStart(2, '0');
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m ${two(seconds % 60)}s`;
  return `${Math.floor(seconds / 3600)}h ${two(Math.floor(seconds / 60) % 60)}m`;
}

/** A whole number with separators: `1,234`. */
export function formatNumber(value: number): string {
  return value.toLocaleString('en-US');
}

/** `1 call`, `2 calls`. */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${formatNumber(count)} ${count === 1 ? one : many}`;
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

type Spent = Pick<Results, 'calls' | 'tokens' | 'usd' | 'usdComplete' | 'booked'>;

/**
 * What a search has spent, as one line: what was used, then what is only booked.
 * @param free whether the model costs nothing
 */
export function formatSpend(results: Spent, free: boolean): string {
  const calls = countOf(results.calls, 'call');
  const { prompt, cached, completion, worstCase } = results.tokens;
  const { booked } = results;
  const used = prompt + completion;
  if (free && used + worstCase === 0) return `${calls}, free`;
  const share = prompt > 0 ? ` (${Math.round((100 * cached) / prompt)}% cached)` : '';
  if (worstCase === 0) return `${calls} · ${formatTokens(used)} tokens${share} · ${formatMoney(results, free)}`;
  if (!booked) {
    const all = `${formatTokens(used + worstCase)} tokens${share}`;
    return `${calls} · ${all} · ${formatMoney(results, free)} · ${formatTokens(worstCase)} at worst`;
  }
  const money = formatMoney({ ...results, usd: results.usd - booked.usd }, free);
  return `${calls} · ${formatTokens(used)} tokens${share} · ${money} · ${formatBooked(booked)}`;
}

/** What counts, and may not have been used. */
function formatBooked({ calls, tokens, usd }: NonNullable<Results['booked']>): string {
  const money = usd > 0 ? `, ${formatUsd(usd)}` : '';
  return `up to ${formatTokens(tokens)} tokens${money} more for ${countOf(calls, 'call')} cut off or not told`;
}

/** What calls cost, in a word or two, even if that is partly or wholly unknown. */
export function formatMoney(
  { usd, usdComplete, calls }: Pick<Results, 'calls' | 'usd' | 'usdComplete'>,
  free: boolean,
): string {
  if (free) return 'free';
  if (usdComplete) return formatUsd(calls === 0 ? 0 : Math.max(0, usd));
  return usd > 0 ? `at least ${formatUsd(usd)}, price partly unknown` : 'price unknown';
}

function trimZeros(text: string): string {
  return text.replace(/\.?0+$/, '');
}
