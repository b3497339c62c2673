import type { Message } from '../../core/messages/message.ts';
import type { Results } from '../../core/search/events.ts';
import * as say from './messages.ts';

/** The tokens of a search, listing those from a cache and those without a reported usage separately. */
export function tokensLine({ prompt, cached, completion, worstCase }: Results['tokens']): Message {
  const share = Math.round((100 * cached) / prompt);
  const sent = prompt > 0 ? say.sentCached({ tokens: prompt, share }) : say.sent({ tokens: prompt });
  const all = { all: prompt + completion + worstCase, sent, received: completion };
  return worstCase === 0 ? say.tokens(all) : say.tokensAtWorst({ ...all, worst: worstCase });
}

/** Says what a search cost in dollars, as far as known; an amount that is only booked is listed separately. */
export function moneyLine(results: Results, isFree: boolean): Message {
  const booked = results.booked?.usd ?? 0;
  if (booked === 0) return usedLine(results, isFree);
  return say.moneyBooked({ money: usedLine({ ...results, usd: Math.max(0, results.usd - booked) }, isFree), booked });
}

function usedLine({ usd, usdComplete, calls }: Results, isFree: boolean): Message {
  if (isFree && usd === 0) return say.free();
  if (usdComplete) return say.money({ usd: calls === 0 ? 0 : usd });
  return usd > 0 ? say.moneyAtLeast({ usd }) : say.moneyUnknown();
}

/** Says how long a search worked. */
export function timeLine(minutes: number): Message {
  return say.time({ time: durationOf(Math.round(minutes * 60)) });
}

export function modelsLine(names: readonly string[]): Message {
  return say.models({ count: names.length, models: names.join(', ') });
}

function durationOf(seconds: number): Message {
  const [hours, rest] = [Math.floor(seconds / 3600), seconds % 3600];
  if (seconds < 60) return say.seconds({ seconds });
  if (hours > 0) return say.hours({ hours, minutes: Math.floor(rest / 60) });
  return say.minutes({ minutes: Math.floor(rest / 60), seconds: rest % 60 });
}
