import { formatDuration, formatTokens, formatUsd } from '../../core/money/figures.ts';
import type { Forecast } from '../../core/money/forecast.ts';
import { DEFAULT_SPEND_LIMITS, type Limits } from '../../core/search/limits.ts';
import { FORMER_READ, readingOf, readNamed } from '../../core/search/reading.ts';
import type { SearchFile } from '../../core/search/search-file.ts';
import type { SearchParts } from '../../engine-parts/opening/open-held-search.ts';
import { FREE_MODEL } from '../models/choose-model.ts';
import { sentText } from '../open-search.ts';
import type { Place } from '../place.ts';
import { forecastFor } from '../search-forecast.ts';
import type { AgentHost, Permit, Wanted } from './agent-host.ts';
import { shownTitle } from './safe-text.ts';

/** A run that is about to cost money. */
interface AskedRun {
  readonly host: AgentHost;
  readonly place: Place;
  readonly title: string;
  readonly question: string;
  readonly create?: SearchFile | undefined;
  readonly model: string;
  readonly judge?: string | undefined;
  /** Those that share the work, if they are several. */
  readonly several?: readonly string[];
  readonly limits?: Partial<Limits> | undefined;
  /** The plan that it begins with, as its kind checked it. */
  readonly plan?: string | undefined;
  /** The most that it may spend from now on by its own limits; the default for new searches if undefined. */
  readonly roomUsd?: number | undefined;
  /** The most that the caller allows. */
  readonly maxUsd: number | undefined;
  readonly areModelsOwn: boolean;
}

/** Tells whether these models are only quotes from the folder, which needs nobody's permission. */
export function needsNoPermission(model: string, judge: string | undefined, several: readonly string[] = []): boolean {
  return [model, judge ?? FREE_MODEL, ...several].every((name) => name === FREE_MODEL);
}

/** Returns what a person has to be asked before a run: with its forecast, and where it pauses. */
export async function askMoney(asked: AskedRun): Promise<Wanted> {
  const { host, place, create, limits, title, question, areModelsOwn } = asked;
  const model = host.models.facts(asked.model);
  const judge = asked.judge === undefined || asked.judge === asked.model ? undefined : host.models.facts(asked.judge);
  const several = (asked.several ?? []).map((name) => host.models.facts(name));
  const { left } = await forecastFor({
    kinds: host.kinds,
    place,
    create,
    limits,
    model,
    several,
    plan: asked.plan,
    ...(judge && { judge }),
  });
  const all = [model, judge, ...several];
  const isPriced = all.every((each) => !each || each.free || each.price !== undefined);
  const isFree = all.every((each) => each?.free !== false);
  const room = asked.roomUsd ?? DEFAULT_SPEND_LIMITS.usd ?? 0;
  const mostUsd =
    isPriced && !isFree ? Math.max(0, Math.min(room, asked.maxUsd ?? Number.POSITIVE_INFINITY)) : undefined;
  const names = [model.name, ...(judge ? [judge.name] : [])].map(shownTitle);
  const details = [
    `Model: ${names.join(', judge: ')}${several.length > 0 ? `, thoughts by ${several.map(({ name }) => shownTitle(name)).join(', ')}` : ''}${areModelsOwn ? '' : ' (not one that you chose)'}`,
    ...(create
      ? [sentText(readNamed(readingOf(create.options, FORMER_READ)), names.join(', '), place.workspace).text]
      : []),
    `Forecast: ${forecastLine(left)}`,
    limitLine(isFree, mostUsd),
  ];
  return {
    spends: true,
    removes: false,
    title,
    question,
    details,
    mostUsd,
    isPriced,
    isFree,
    models: names,
    areModelsOwn,
  };
}

function limitLine(isFree: boolean, mostUsd: number | undefined): string {
  if (isFree) return 'It costs nothing.';
  if (mostUsd !== undefined) return `It pauses before it spends more than ${formatUsd(mostUsd)}.`;
  return `Price unknown. It pauses before ${formatTokens(DEFAULT_SPEND_LIMITS.tokens ?? 0)} tokens.`;
}

/** Returns a forecast in one line: calls, tokens, money from low to high, and time. */
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

/**
 * Limits with the amount that was permitted: a spend limit over everything that the search spends.
 * @param spentUsd what it has spent before
 */
export function limitsWith(
  limits: Partial<Limits>,
  spentUsd: number,
  { mostUsd }: Permit,
): NonNullable<SearchParts['limits']> {
  return mostUsd === undefined ? limits : { ...limits, guards: { ...limits.guards, usd: spentUsd + mostUsd } };
}
