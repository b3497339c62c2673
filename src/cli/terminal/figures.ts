import type { Results } from '../../core/search/events.ts';
import type { NodeWords } from '../../core/search/kind-face.ts';
import * as say from './messages.ts';
import { inWords, kindText, ownTranslation } from './translation.ts';

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
  return value.toLocaleString(ownTranslation()?.language ?? 'en-US');
}

/** `1 topic`, `2 topics`, in the terms of a kind. */
export function nodesText({ one, several }: NodeWords, count: number): string {
  return count === 1 ? kindText(one) : kindText(several, formatNumber(count));
}

/** The same without the number. */
export function nodeWord({ node, nodes }: NodeWords, count: number): string {
  return kindText(count === 1 ? node : nodes);
}

/** `1 call`, `2 calls`. */
export function callsText(count: number): string {
  return inWords(say.calls({ count }));
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
  const calls = callsText(results.calls);
  const { prompt, cached, completion, worstCase } = results.tokens;
  const { booked } = results;
  const used = prompt + completion;
  if (free && used + worstCase === 0) return inWords(say.callsFree({ calls }));
  const tokensText = (count: number): string => {
    const tokens = formatTokens(count);
    const percent = Math.round((100 * cached) / prompt);
    return inWords(prompt > 0 ? say.tokensCached({ tokens, percent }) : say.tokens({ tokens }));
  };
  if (worstCase === 0) return `${calls} · ${tokensText(used)} · ${formatMoney(results, free)}`;
  if (!booked) {
    const atWorst = inWords(say.atWorst({ tokens: formatTokens(worstCase) }));
    return `${calls} · ${tokensText(used + worstCase)} · ${formatMoney(results, free)} · ${atWorst}`;
  }
  const money = formatMoney({ ...results, usd: results.usd - booked.usd }, free);
  return `${calls} · ${tokensText(used)} · ${money} · ${formatBooked(booked)}`;
}

/** What counts, and may not have been used. */
function formatBooked({ calls, tokens, usd }: NonNullable<Results['booked']>): string {
  const amount = { tokens: formatTokens(tokens), usd: formatUsd(usd) };
  return inWords(
    say.bookedMore({
      amount: usd > 0 ? say.tokensAndMoney(amount) : say.tokens(amount),
      calls: say.calls({ count: calls }),
    }),
  );
}

/** What calls cost, in a word or two, even if that is partly or wholly unknown. */
export function formatMoney(
  { usd, usdComplete, calls }: Pick<Results, 'calls' | 'usd' | 'usdComplete'>,
  free: boolean,
): string {
  if (free) return inWords(say.free());
  if (usdComplete) return formatUsd(calls === 0 ? 0 : Math.max(0, usd));
  return inWords(usd > 0 ? say.atLeast({ usd: formatUsd(usd) }) : say.priceUnknown());
}

function trimZeros(text: string): string {
  return text.replace(/\.?0+$/, '');
}
