import type { NodeTerms } from '../../core/kind/kind-descriptor.ts';
import { formatTokens, formatUsd } from '../../core/money/figures.ts';
import type { Results } from '../../core/search/events.ts';
import * as say from '../messages.ts';
import { inWords, kindText, ownTranslation } from './translation.ts';

/** Returns a whole number with separators: `1,234`. */
export function formatNumber(value: number): string {
  return value.toLocaleString(ownTranslation()?.language ?? 'en-US');
}

/** `1 topic`, `2 topics`, in the terms of a kind. */
export function nodesText({ one, several }: NodeTerms, count: number): string {
  return count === 1 ? kindText(one) : kindText(several, formatNumber(count));
}

/** Returns `topic` or `topics`, without the number. */
export function nodeWord({ node, nodes }: NodeTerms, count: number): string {
  return kindText(count === 1 ? node : nodes);
}

/** `1 call`, `2 calls`. */
export function callsText(count: number): string {
  return inWords(say.calls({ count }));
}

type Spent = Pick<Results, 'calls' | 'tokens' | 'usd' | 'usdComplete' | 'booked'>;

/**
 * Tells in one line what a search has spent: what was used, then what is only booked.
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

/** Tells what counts, and may not have been used. */
function formatBooked({ calls, tokens, usd }: NonNullable<Results['booked']>): string {
  const figures = { tokens: formatTokens(tokens), usd: formatUsd(usd) };
  const amount = usd > 0 ? say.tokensAndMoney(figures) : say.tokens(figures);
  if (calls === 0) return inWords(say.bookedBesides({ amount }));
  return inWords(say.bookedMore({ amount, calls: say.calls({ count: calls }) }));
}

/** Tells what calls cost, in a word or two, even if that is partly or wholly unknown. */
export function formatMoney(
  { usd, usdComplete, calls }: Pick<Results, 'calls' | 'usd' | 'usdComplete'>,
  free: boolean,
): string {
  if (free) return inWords(say.free());
  if (usdComplete) return formatUsd(calls === 0 ? 0 : Math.max(0, usd));
  return inWords(usd > 0 ? say.atLeast({ usd: formatUsd(usd) }) : say.priceUnknown());
}
