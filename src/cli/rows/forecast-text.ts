import type { Band, Forecast } from '../../core/money/forecast.ts';
import { formatDuration, formatTokens, formatUsd } from '../terminal/figures.ts';

/** The forecast of a search, as one line. */
export function forecastText({ calls, tokens, usd, minutes, seen }: Forecast): string {
  const money = usd ? `${formatUsd(usd.likely)} (${formatUsd(usd.low)} to ${formatUsd(usd.high)})` : 'price unknown';
  const basis = seen.past + seen.own > 0 ? '' : '; a guess, since no search was run here before';
  const what = `${Math.round(calls.likely)} calls, ${formatTokens(Math.round(tokens.likely))} tokens`;
  return `Forecast: about ${what}, ${money}, ${durationOf(minutes)}${basis}`;
}

/** The forecast for the rest of a running search, in a few words. */
export function leftText({ usd, minutes }: Forecast, free: boolean): string {
  const money = usd && !free ? ` and ${formatUsd(usd.likely)}` : '';
  return `about ${durationOf(minutes)}${money} left`;
}

function durationOf({ likely }: Band): string {
  return formatDuration(likely * 60_000);
}
