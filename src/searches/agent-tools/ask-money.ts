import { DEFAULT_GUARDS, type Limits } from '../../core/search/limits.ts';
import { FORMER_READ, readingOf, readNamed } from '../../core/search/reading.ts';
import type { SearchFile } from '../../core/search/search-file.ts';
import { formatTokens, formatUsd } from '../../core/text/figures.ts';
import { forecastFor } from '../forecast-for.ts';
import { FREE_MODEL } from '../models/choose-model.ts';
import type { Place } from '../place.ts';
import { sentText } from '../reading.ts';
import type { AgentHost, Wanted } from './agent-host.ts';
import { forecastLine } from './forecast-line.ts';
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
  readonly limits?: Partial<Limits> | undefined;
  /** The most that it may spend from now on by its own limits; the default for new searches if undefined. */
  readonly roomUsd?: number | undefined;
  /** The most that the caller allows. */
  readonly maxUsd: number | undefined;
  readonly areModelsOwn: boolean;
}

/** Tells whether these models are only quotes from the folder, which needs nobody's permission. */
export function needsNoPermission(model: string, judge: string | undefined): boolean {
  return model === FREE_MODEL && (judge === undefined || judge === FREE_MODEL);
}

/** Returns what a person has to be asked before a run: with its forecast, and where it pauses. */
export async function askMoney(asked: AskedRun): Promise<Wanted> {
  const { host, place, create, limits, title, question, areModelsOwn } = asked;
  const model = host.models.facts(asked.model);
  const judge = asked.judge === undefined || asked.judge === asked.model ? undefined : host.models.facts(asked.judge);
  const { left } = await forecastFor({ kinds: host.kinds, place, create, limits, model, ...(judge && { judge }) });
  const isPriced = [model, judge].every((each) => !each || each.free || each.price !== undefined);
  const isFree = model.free && (judge?.free ?? true);
  const room = asked.roomUsd ?? DEFAULT_GUARDS.usd ?? 0;
  const mostUsd =
    isPriced && !isFree ? Math.max(0, Math.min(room, asked.maxUsd ?? Number.POSITIVE_INFINITY)) : undefined;
  const names = [model.name, ...(judge ? [judge.name] : [])].map(shownTitle);
  const details = [
    `Model: ${names.join(', judge: ')}${areModelsOwn ? '' : ' (not one that you chose)'}`,
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
  return `Its price is unknown, so no amount limits it; it pauses before ${formatTokens(DEFAULT_GUARDS.tokens ?? 0)} tokens.`;
}
