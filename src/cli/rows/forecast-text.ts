import type { Band, Forecast } from '../../core/money/forecast.ts';
import { countOf, formatDuration, formatTokens, formatUsd } from '../terminal/figures.ts';

/** The forecast of a search, as one line. */
export function forecastText({ calls, tokens, usd, minutes, seen }: Forecast): string {
  const money = usd ? `${formatUsd(usd.likely)} (${formatUsd(usd.low)} to ${formatUsd(usd.high)})` : 'price unknown';
  const basis = seen.past + seen.own > 0 ? '' : '; a guess, as no search was run here before';
  const what = `${countOf(Math.round(calls.likely), 'call')}, ${formatTokens(Math.round(tokens.likely))} tokens`;
  return `Forecast: about ${what}, ${money}, ${durationOf(minutes)}${basis}`;
}

/** What is left of a search, in a few words: time, and money where it costs any. */
export function leftText({ usd, minutes }: Forecast, free: boolean): string {
  const money = usd && !free ? ` and ${formatUsd(usd.likely)}` : '';
  return `about ${durationOf(minutes)}${money}`;
}

function durationOf({ likely }: Band): string {
  return formatDuration(likely * 60_000);
}
