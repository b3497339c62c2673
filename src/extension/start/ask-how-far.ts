import * as vscode from 'vscode';
import type { KindTerms } from '../../core/kind/kind-descriptor.ts';
import type { Forecast } from '../../core/money/forecast.ts';
import type { Limits, SpendLimit, SpendLimits } from '../../core/search/limits.ts';
import { type LimitReached, raisedTo } from '../../core/search/record/search-state.ts';
import { oneLine } from '../../core/text/text.ts';
import type { Kinds } from '../../engine/kind.ts';
import { isFreeModel } from '../../searches/models/choose-model.ts';
import { forecastWords } from '../figures.ts';
import type { FollowedSearch } from '../library/followed-search.ts';
import { loadSearches } from '../load-searches.ts';
import type { ModelOpener } from '../models/model-opener.ts';
import { guardWords, SIZES, sizeLabel, spentOf, stopOf, UNLIMITED } from './sizes.ts';

/** The code of *Extend Search…*; a bundle of its own, loaded when it is first asked. */
export const growing = { askHowFar, reachedNeeds };

interface GrowParts {
  readonly kinds: Kinds;
  readonly opener: Pick<ModelOpener, 'describe'>;
  readonly words: KindTerms;
}

/** The arguments of `grow`. */
type Further = Partial<Limits>;

interface FurtherItem extends vscode.QuickPickItem {
  readonly further?: Further;
  /** The limit that a person types the figure of. */
  readonly typed?: { readonly guard: SpendLimit; readonly proposed: number | undefined };
}

/** Asks how far a search may go from here, each way with what the rest would take; undefined if the person cancels. */
async function askHowFar(parts: GrowParts, search: FollowedSearch): Promise<Further | undefined> {
  const { words } = parts;
  const { size = 'medium', maxDepth = 4, guards = {} } = search.limits ?? {};
  const placeHolder = vscode.l10n.t('How far may the search go? Now: {0}', sizeLabel(size, words));
  const items = furtherItems(parts, search, { size, maxDepth, guards });
  const title = oneLine(search.title, 80);
  const picked = await vscode.window.showQuickPick(items, { title, placeHolder });
  return picked?.typed ? await askLimit(picked.label, picked.typed, spentOf(search)) : picked?.further;
}

/** Asks for a limit, which may be lower than the one that holds; undefined if the person cancels. */
async function askLimit(
  title: string,
  { guard, proposed }: NonNullable<FurtherItem['typed']>,
  spent: Readonly<Record<SpendLimit, number>>,
): Promise<Further | undefined> {
  const used = guardWords(guard, spent[guard]);
  const text = await vscode.window.showInputBox({
    title,
    prompt: vscode.l10n.t('Used so far: {0}. It pauses before the next call that could exceed the limit.', used),
    value: proposed === undefined ? '' : String(proposed),
    validateInput: (typed) => (figureIn(typed, guard) > 0 ? undefined : vscode.l10n.t('Type a number above 0.')),
  });
  return text === undefined ? undefined : { guards: { [guard]: figureIn(text, guard) } };
}

/** Returns a number as people type it, with a currency sign or commas between thousands; 0 if it is none. */
function figureIn(text: string, guard: SpendLimit): number {
  const figure = Number(text.trim().replace(/^\$|,(?=\d{3}(?:\D|$))/g, ''));
  return Number.isFinite(figure) && (guard === 'usd' || Number.isInteger(figure)) ? figure : 0;
}

/** Larger sizes, one level more, and of each limit what the rest is expected to need, and twice of it. */
async function furtherItems(parts: GrowParts, search: FollowedSearch, now: Limits): Promise<FurtherItem[]> {
  const { words } = parts;
  const names = Object.keys(SIZES) as Limits['size'][];
  const larger = names.slice(names.indexOf(now.size) + 1);
  const rest = await forecastsFor(parts, search, now);
  const deeper = now.maxDepth + 1;
  const ways: { label: string; further: Further }[] = [
    ...larger.map((size) => ({ label: sizeLabel(size, words), further: { size } })),
    { label: vscode.l10n.t('One level deeper: {0} levels', deeper), further: { maxDepth: deeper } },
  ];
  const further = await Promise.all(
    ways.map(async ({ label, further }) => {
      const left = await rest(further);
      const stop = left && stopOf(left, now.guards, spentOf(search));
      return { label, further, description: stop?.words ?? '', detail: left ? restWords(left) : '' };
    }),
  );
  const isFree = [search.record.model, search.record.judge].every((name) => name === undefined || isFreeModel(name));
  const { usdComplete } = search.record.spend;
  return [...further, ...limitItems(now.guards, await rest({}), spentOf(search), { isFree, usdComplete })];
}

/** Limits are raised to a multiple of these, so that they read as limits. */
const STEPS: Readonly<Record<SpendLimit, number>> = { calls: 5, tokens: 10_000, usd: 0.1, minutes: 5 };

/** Tells whether nobody can add up what a limit is about. */
function isBlind(guard: SpendLimit, { usdComplete }: { readonly usdComplete: boolean }): boolean {
  return guard === 'usd' && !usdComplete;
}

/** Returns what the rest is expected to need of a limit at most, in round figures; undefined if that is unknown or no more. */
function neededOf(
  guard: SpendLimit,
  limit: number,
  rest: Forecast | undefined,
  spent: Readonly<Record<SpendLimit, number>>,
): number | undefined {
  const high = rest?.[guard]?.high ?? 0;
  const needed = Number((Math.ceil((spent[guard] + high) / STEPS[guard]) * STEPS[guard]).toFixed(2));
  return high > 0 && needed > limit ? needed : undefined;
}

/** Reckons what the size of a search needs of the limit that it rests at, for the buttons that raise it. */
async function reachedNeeds(
  parts: Pick<GrowParts, 'kinds' | 'opener'>,
  search: FollowedSearch,
): Promise<LimitReached | undefined> {
  const { limitReached } = search.record;
  if (!limitReached || !search.limits || isBlind(limitReached.guard, search.record.spend)) return limitReached;
  const rest = await forecastsFor(parts, search, search.limits);
  const needed = neededOf(limitReached.guard, limitReached.limit, await rest({}), spentOf(search));
  return { ...limitReached, ...(needed !== undefined && { needed }) };
}

function limitItems(
  guards: SpendLimits,
  rest: Forecast | undefined,
  spent: Readonly<Record<SpendLimit, number>>,
  { isFree, usdComplete }: { readonly isFree: boolean; readonly usdComplete: boolean },
): FurtherItem[] {
  const raised = (Object.keys(guards) as SpendLimit[]).flatMap((guard): FurtherItem[] => {
    const limit = guards[guard];
    if (limit === undefined || isBlind(guard, { usdComplete })) return [];
    const item = (to: number, description: string): FurtherItem => ({
      label: vscode.l10n.t('Raise its limit to {0}', guardWords(guard, to)),
      description,
      further: { guards: { [guard]: to } },
    });
    const needed = neededOf(guard, limit, rest, spent);
    const twice = raisedTo({ guard, limit });
    return [
      ...(needed === undefined ? [] : [item(needed, vscode.l10n.t('what this size is expected to need'))]),
      ...(needed === twice ? [] : [item(twice, vscode.l10n.t('now {0}', guardWords(guard, limit)))]),
    ];
  });
  const names: Readonly<Record<SpendLimit, string>> = {
    calls: vscode.l10n.t('Limit its calls…'),
    tokens: vscode.l10n.t('Limit its tokens…'),
    usd: vscode.l10n.t('Limit its dollars…'),
    minutes: vscode.l10n.t('Limit its minutes…'),
  };
  const typed = (Object.keys(names) as SpendLimit[]).flatMap((guard): FurtherItem[] => {
    const limit = guards[guard];
    if (limit === undefined && (isFree || guard === 'minutes')) return [];
    const now = limit === undefined ? vscode.l10n.t('now none') : vscode.l10n.t('now {0}', guardWords(guard, limit));
    const description = isBlind(guard, { usdComplete })
      ? vscode.l10n.t('cannot be watched: the price of its model is unknown')
      : now;
    return [{ label: names[guard], description, typed: { guard, proposed: limit && limit * 2 } }];
  });
  const items = [...raised, ...typed];
  if (items.length === 0) return [];
  return [{ label: vscode.l10n.t('Limits'), kind: vscode.QuickPickItemKind.Separator }, ...items];
}

function restWords(left: Forecast): string {
  return left.calls.likely < 0.5 ? vscode.l10n.t('nothing is left to do there') : forecastWords(left);
}

/** Forecasts what the rest would use with other limits, if no spend limit stopped it; undefined if it costs nothing. */
async function forecastsFor(
  { kinds, opener }: Pick<GrowParts, 'kinds' | 'opener'>,
  search: FollowedSearch,
  now: Limits,
): Promise<(further: Further) => Promise<Forecast | undefined>> {
  const { file, record, folder, workspace } = search;
  const { model, judge } = record;
  if (!file || model === undefined || (isFreeModel(model) && (judge === undefined || isFreeModel(judge))))
    return async () => undefined;
  const searches = await loadSearches();
  const [described, judging] = await Promise.all([
    opener.describe(model, workspace),
    judge === undefined || judge === model ? undefined : opener.describe(judge, workspace),
  ]);
  const tree = await search.tree().catch(() => undefined);
  return async (further) => {
    const limits = { ...now, ...further, guards: UNLIMITED };
    const wanted = { kinds, place: { folder, workspace }, limits, model: described, judge: judging };
    const running = await searches.runningForecast(wanted, file, record).catch(() => undefined);
    return running?.left(tree);
  };
}
