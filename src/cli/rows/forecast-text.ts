import type { Message } from '../../core/messages/message.ts';
import type { Band, Forecast } from '../../core/money/forecast.ts';
import { formatDuration, formatTokens, formatUsd } from '../../core/text/figures.ts';
import { callsText } from '../terminal/figures.ts';
import { priceUnknown, tokens as someTokens } from '../terminal/messages.ts';
import { inWords } from '../terminal/translation.ts';
import * as say from './messages.ts';

/** The forecast of a search, as one line. */
export function forecastText({ calls, tokens, usd, minutes, seen, atMost }: Forecast): string {
  const inTokens = { tokens: formatTokens(Math.round(tokens.likely)) };
  const most = atMost && !usd ? formatTokens(Math.round(atMost.tokens)) : undefined;
  const parts = {
    calls: callsText(Math.round(calls.likely)),
    tokens: most === undefined ? someTokens(inTokens) : say.tokensAtMost({ ...inTokens, most }),
    money: usd ? moneyText(usd, atMost?.usd) : priceUnknown(),
    time: durationOf(minutes),
  };
  return inWords(seen.past + seen.own > 0 ? say.forecast(parts) : say.forecastGuess(parts));
}

/** With the most that a search may cost whose end is not known beforehand: its range says little. */
function moneyText({ low, likely, high }: Band, atMost: number | undefined): Message {
  const band = { usd: formatUsd(likely), low: formatUsd(low), high: formatUsd(high) };
  return atMost === undefined ? say.moneyBand(band) : say.moneyBandAtMost({ ...band, most: formatUsd(atMost) });
}

/** Tells what is left of a search, in a few words: time, and money where it costs any. */
export function leftText({ usd, minutes }: Forecast, free: boolean): string {
  const time = durationOf(minutes);
  return inWords(usd && !free ? say.aboutTimeAndMoney({ time, usd: formatUsd(usd.likely) }) : say.aboutTime({ time }));
}

function durationOf({ likely }: Band): string {
  return formatDuration(likely * 60_000);
}
