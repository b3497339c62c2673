import type { Forecast } from '../../core/money/forecast.ts';
import { formatDuration, formatTokens, formatUsd } from '../../core/text/figures.ts';

/** A forecast in one line: calls, tokens, money from low to high, and time. */
export function forecastLine({ calls, tokens, usd, minutes, atMost }: Forecast): string {
  const money = usd
    ? `${formatUsd(usd.likely)} (${formatUsd(usd.low)} to ${formatUsd(usd.high)}${
        atMost?.usd === undefined ? '' : `, at most ${formatUsd(atMost.usd)}`
      })`
    : 'price unknown';
  const count = Math.round(calls.likely);
  return [
    `about ${count === 1 ? '1 call' : `${count} calls`}`,
    `${formatTokens(Math.round(tokens.likely))} tokens`,
    money,
    formatDuration(minutes.likely * 60_000),
  ].join(' · ');
}
