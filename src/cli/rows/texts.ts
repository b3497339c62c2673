import type { CitationCounts } from '../../core/citations/citation.ts';
import { markCounts } from '../../core/citations/messages.ts';
import type { Message } from '../../core/messages/message.ts';
import { formatDuration, formatTokens, formatUsd } from '../../core/money/figures.ts';
import type { Band, Forecast } from '../../core/money/forecast.ts';
import { causeOfLimit, MODELS_OPTION, membersIn, memberText } from '../../core/money/several-models.ts';
import { type OpenOffer, takingAt } from '../../core/offers/offer-book.ts';
import type { Problem } from '../../core/ports/store.ts';
import { countReceipts, type Receipt } from '../../core/search/events.ts';
import { type Limits, type SpendLimit, SpendLimits } from '../../core/search/limits.ts';
import { oneLine } from '../../core/text/text.ts';
import { type TreeNode, walk } from '../../core/tree/tree.ts';
import type { SearchOverview } from '../../searches/reader/search-overview.ts';
import { calls, priceUnknown, tokens as someTokens } from '../messages.ts';
import { callsText } from '../terminal/figures.ts';
import { labelled, type Row } from '../terminal/terminal.ts';
import { inWords, keptInWords } from '../terminal/translation.ts';
import * as say from './messages.ts';
import {
  byAgent,
  byEngine,
  minuteLimit,
  moreOffers,
  receiptCounts,
  takenBy,
  tokenLimit,
  unverified,
} from './messages.ts';

/** The spend limit that stopped a search, and the option that raises it. */
export interface ReachedLimit {
  readonly guard: SpendLimit;
  readonly limit: number;
  /** That option, with a value that is enough for a while. */
  readonly option: readonly [string, string];
}

/** The way to raise a spend limit: by its option, to twice its value, and by at least so much. */
const RAISE: Record<SpendLimit, { readonly option: string; readonly step: number }> = {
  calls: { option: '--max-calls', step: 10 },
  minutes: { option: '--max-minutes', step: 1 },
  tokens: { option: '--max-tokens', step: 100_000 },
  usd: { option: '--max-usd', step: 1 },
};

/**
 * Tells how to raise the spend limit that paused a search; undefined if no spend limit did, or it no longer applies.
 * @param cause the cause reported by a run that the budget paused
 * @param models several models that share the work, as their option names them: one may have a limit of its own
 */
export function reachedLimit({ guards }: Limits, cause: string | undefined, models?: string): ReachedLimit | undefined {
  const members = membersIn(models) ?? [];
  const spent = members.find(({ name }) => cause === causeOfLimit(name));
  const guard = spent ? 'usd' : SpendLimits.keyof().safeParse(cause).data;
  const limit = spent ? spent.most : guard && guards[guard];
  if (guard === undefined || limit === undefined) return undefined;
  const { option, step } = RAISE[guard];
  // Sums of fractions are a little off.
  const most = Number(Math.max(limit * 2, limit + step).toFixed(9));
  if (!spent) return { guard, limit, option: [option, String(most)] };
  const raised = members.map((each) => memberText(each === spent ? { ...each, most } : each));
  return { guard, limit, option: [`--${MODELS_OPTION}`, raised.join(',')] };
}

/** Returns a spend limit in words: `1,000 calls`, `$5`. */
export function limitText(guard: SpendLimit, count: number): string {
  if (guard === 'usd') return `$${count}`;
  return inWords({ calls, tokens: tokenLimit, minutes: minuteLimit }[guard]({ count }));
}

/** Returns the forecast of a search, as one line. */
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

/** Returns the forecast for each of several models, if it alone did what they share. */
export function modelForecasts(each: readonly { readonly model: string; readonly left: Forecast }[]): string[] {
  return each.map(({ model, left: { usd, atMost } }) =>
    inWords(say.forecastOfModel({ model, money: usd ? moneyText(usd, atMost?.usd) : priceUnknown() })),
  );
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

/** The most offers that are named. */
const MOST_OFFERS = 20;

/**
 * Offers, one per line: name, kind of work, nodes, and who works on it.
 * @param now milliseconds since 1970
 */
export function offerTexts(offers: readonly Shown[], now = 0): string[] {
  const texts = offers.slice(0, MOST_OFFERS).map((each) => offerText(each, now));
  const more = offers.length - texts.length;
  return more > 0 ? [...texts, inWords(moreOffers({ count: more }))] : texts;
}

/** An offer, and who works on it if known. */
type Shown = Pick<OpenOffer, 'offer'> & Partial<Pick<OpenOffer, 'taking'>>;

function offerText({ offer: { id, kind, nodes }, taking }: Shown, now: number): string {
  const taken = takingAt({ taking }, now);
  return oneLine([`${id}:`, kind, ...nodes, ...(taken ? [inWords(takenBy({ by: taken.by }))] : [])].join(' '), 300);
}

/** Tells the person who took an offer what it asks; none if a result is no offer. */
export function askRows(value: unknown): Row[] {
  const ask = (value as { readonly offer?: { readonly ask?: unknown } } | undefined)?.offer?.ask;
  if (typeof ask !== 'object' || ask === null || Array.isArray(ask)) return [];
  return Object.entries(ask).flatMap(([name, asked]) => {
    const text = typeof asked === 'string' ? asked : JSON.stringify(asked);
    return text === '' || text === '[]' ? [] : [labelled(`  ${oneLine(name, 30)}`, text)];
  });
}

/** Returns an offer for programs. */
export function offerObject({ offer, taking }: OpenOffer, now: number): object {
  const taken = takingAt({ taking }, now);
  if (!taken) return offer;
  const { by, isPerson: person, expiresAt } = taken;
  const until = expiresAt === undefined ? {} : { expiresAt: new Date(expiresAt).toISOString() };
  return { ...offer, taken: { by, person, ...until } };
}

/** Tells how a node came about, in a line; undefined for kinds without receipts. */
export function receiptText({ receiptOf }: SearchOverview, node: TreeNode | undefined): string | undefined {
  const receipt = node && receiptOf(node);
  return receipt && inWords(wordsOf(receipt));
}

function wordsOf(receipt: Receipt): ReturnType<typeof unverified> {
  if (receipt.by === 'engine') return byEngine({ model: receipt.model, call: receipt.call });
  return receipt.by === 'agent' ? byAgent({ agent: receipt.agent }) : unverified();
}

/** Counts the receipts of a whole search; undefined if it has none. */
export function receiptsOf({ tree, receiptOf }: SearchOverview): ReturnType<typeof countReceipts> {
  return countReceipts([...walk(tree.root)].flatMap((node) => receiptOf(node) ?? []));
}

export function receiptsText(overview: SearchOverview): string | undefined {
  const counts = receiptsOf(overview);
  return counts && inWords(receiptCounts(counts));
}

/** Returns the result of checking quotations, in a few words; undefined if there are none. */
export function citationsText(nodes: Iterable<Pick<TreeNode, 'citations'>>): string | undefined {
  const sums: Record<keyof CitationCounts, number> = { verified: 0, moved: 0, stale: 0, not_found: 0 };
  const marks = Object.keys(markCounts) as (keyof CitationCounts)[];
  for (const { citations } of nodes) for (const mark of marks) sums[mark] += citations?.[mark] ?? 0;
  const said = marks.filter((mark) => sums[mark] > 0).map((mark) => inWords(markCounts[mark]({ count: sums[mark] })));
  return said.length > 0 ? said.join(', ') : undefined;
}

/** Something unreadable, as one line; the message names the file. */
export function problemText({ message, say }: Problem): string {
  return oneLine(keptInWords(message, say), 1000);
}
