import type { Band, Forecast } from '../../core/money/forecast.ts';
import { countOf, formatDuration, formatTokens, formatUsd } from '../terminal/figures.ts';

/** The forecast of a search, as one line. */
export function forecastText({ calls, tokens, usd, minutes, seen, atMost }: Forecast): string {
  const money = usd ? moneyText(usd, atMost?.usd) : 'price unknown';
  const basis = seen.past + seen.own > 0 ? '' : '; a guess, as no search was run here before';
  const most = atMost && !usd ? ` (at most ${formatTokens(Math.round(atMost.tokens))})` : '';
  const what = `${countOf(Math.round(calls.likely), 'call')}, ${formatTokens(Math.round(tokens.likely))} tokens${most}`;
  return `Forecast: about ${what}, ${money}, ${durationOf(minutes)}${basis}`;
}

/** With the most that a search may cost whose end is not known beforehand: its range says little. */
function moneyText({ low, likely, high }: Band, atMost: number | undefined): string {
  const most = atMost === undefined ? '' : `, at most ${formatUsd(atMost)}`;
  return `${formatUsd(likely)} (${formatUsd(low)} to ${formatUsd(high)})${most}`;
}

/** What is left of a search, in a few words: time, and money where it costs any. */
export function leftText({ usd, minutes }: Forecast, free: boolean): string {
  const money = usd && !free ? ` and ${formatUsd(usd.likely)}` : '';
  return `about ${durationOf(minutes)}${money}`;
}

function durationOf({ likely }: Band): string {
  return formatDuration(likely * 60_000);
}
