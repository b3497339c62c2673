import * as vscode from 'vscode';
import type { KindTerms } from '../../core/kind/kind-descriptor.ts';
import type { Band, Forecast } from '../../core/money/forecast.ts';
import type { Size, SpendLimit, SpendLimits } from '../../core/search/limits.ts';
import { figures, figuresOf, forecastWords } from '../figures.ts';
import type { FollowedSearch } from '../library/followed-search.ts';
import { translated } from '../message-text.ts';

/** As in `Size`, whose schema the extension loads later, with their numbers of nodes. */
export const SIZES = { small: 20, medium: 60, large: 200, all: undefined } as const satisfies Readonly<
  Record<Size, number | undefined>
>;

/** For a forecast of what a search would use if nothing stopped it. */
export const UNLIMITED: SpendLimits = {
  calls: Number.MAX_SAFE_INTEGER,
  tokens: Number.MAX_SAFE_INTEGER,
  usd: Number.MAX_SAFE_INTEGER,
};

const NAMES = Object.keys(SIZES) as readonly Size[];

export interface SizeItem extends vscode.QuickPickItem {
  readonly size: Size;
  /** True if it is the best of those that fit the limits: Enter takes it. */
  readonly isBest: boolean;
  /** The calls it may make, if more than the spend limits say. */
  readonly calls?: number | undefined;
}

interface SizesAsked {
  readonly usual: Size;
  /** The number of nodes of the plan that it begins with: this decides instead of a size. */
  readonly planned?: number | undefined;
  readonly words: KindTerms;
  readonly isFree: boolean;
  /** The limits at which it pauses, for a size with that forecast. */
  readonly limitsFor: (forecast: Forecast | undefined) => SpendLimits;
  /** The forecast of a size as if nothing limited it; undefined if it has no foreseeable end. */
  readonly forecast: (size: Size) => Promise<Forecast | undefined>;
}

/**
 * Returns the sizes with what each is expected to use; best is one that fits the limits, and of these the usual one. With a
 * plan there is only that.
 */
export async function sizeItems(asked: SizesAsked): Promise<SizeItem[]> {
  const { usual, planned, words, isFree, limitsFor, forecast } = asked;
  const names = planned === undefined ? NAMES : [usual];
  const all = await Promise.all(
    names.map(async (size) => {
      const expected = isFree ? undefined : await forecast(size).catch(() => undefined);
      const guards = limitsFor(expected);
      const stop = isFree ? undefined : stopOf(expected, guards);
      return { size, expected, guards, stop, rank: (stop?.isSure ? 2 : stop ? 1 : 0) * 10 + (size === usual ? 0 : 1) };
    }),
  );
  const pauses = all.some(({ stop }) => stop);
  const [best] = all.toSorted((a, b) => a.rank - b.rank);
  return all
    .filter(({ size }) => size !== 'all' || size === usual || !isAsLarge(all))
    .map(({ size, expected, guards, stop }) => {
      const isBest = size === best?.size;
      const fits = pauses && guards.calls !== undefined ? vscode.l10n.t('within {0} calls', guards.calls) : '';
      return {
        label: planned === undefined ? sizeLabel(size, words) : plannedLabel(planned, words),
        description: stop ? stop.words : fits,
        detail: isFree ? vscode.l10n.t('free') : detailOf(expected, isBest),
        size,
        isBest,
        ...(guards.calls === undefined ? {} : { calls: guards.calls }),
      };
    });
}

/** Tells whether a search without an end of its own is expected to take no more than a large one. */
function isAsLarge(all: readonly { readonly size: Size; readonly expected: Forecast | undefined }[]): boolean {
  const [large, every] = (['large', 'all'] as const).map((name) => all.find(({ size }) => size === name)?.expected);
  return large !== undefined && every !== undefined && large.calls.high === every.calls.high;
}

/** "Medium: 60 topics" */
export function sizeLabel(size: Size, { several }: Pick<KindTerms, 'several'>): string {
  const labels: Record<Size, string> = {
    small: vscode.l10n.t('Small: {0}', translated(several, SIZES.small)),
    medium: vscode.l10n.t('Medium: {0}', translated(several, SIZES.medium)),
    large: vscode.l10n.t('Large: {0}', translated(several, SIZES.large)),
    all: vscode.l10n.t('Everything: until nothing is left to look into'),
  };
  return labels[size];
}

/** "As planned: 3 tasks" */
function plannedLabel(nodes: number, { one, several }: Pick<KindTerms, 'one' | 'several'>): string {
  return vscode.l10n.t('As planned: {0}', nodes === 1 ? translated(one) : translated(several, nodes));
}

function detailOf(expected: Forecast | undefined, isBest: boolean): string {
  if (expected) return isBest ? forecastWords(expected) : figuresOf(expected);
  return vscode.l10n.t('until its budget is used up');
}

/**
 * The limit that a search is expected to meet first: "pauses at 50 calls"; undefined if it finishes before.
 * @param expected for what is still to come, as if nothing limited it; undefined if it has no foreseeable end
 * @param spent what it has used of each; nothing by default
 */
export function stopOf(
  expected: Forecast | undefined,
  guards: SpendLimits,
  spent?: Readonly<Record<SpendLimit, number>>,
): { readonly words: string; readonly isSure: boolean } | undefined {
  const limited = (Object.keys(guards) as SpendLimit[]).flatMap((guard) => {
    const limit = guards[guard];
    if (limit === undefined) return [];
    if (!expected) return [{ guard, limit, isSure: false, share: 0 }];
    const { likely, high } = plus(expected[guard], spent?.[guard] ?? 0);
    const most = Math.max(high, (expected.atMost?.[guard] ?? 0) + (spent?.[guard] ?? 0));
    return most > limit ? [{ guard, limit, isSure: likely > limit, share: limit / likely }] : [];
  });
  const [first] = limited.sort((a, b) => a.share - b.share);
  if (!first) return undefined;
  const limit = guardWords(first.guard, first.limit);
  const words = first.isSure ? vscode.l10n.t('pauses at {0}', limit) : vscode.l10n.t('may pause at {0}', limit);
  return { words, isSure: first.isSure };
}

function plus(band: Band | undefined, spent: number): Omit<Band, 'low'> {
  return { likely: spent + (band?.likely ?? 0), high: spent + (band?.high ?? 0) };
}

/** Returns what a search has used, which counts for its limits. */
export function spentOf({ record }: FollowedSearch): Readonly<Record<SpendLimit, number>> {
  const { calls, prompt, completion, worstCase, usd, minutes } = record.spend;
  return { calls, tokens: prompt + completion + worstCase, usd, minutes };
}

/** Returns a limit in plain figures: "50 calls", "2 million tokens", "$10". */
export function guardWords(guard: SpendLimit, limit: number): string {
  if (guard === 'usd') return figures.usd(limit);
  if (guard === 'tokens') return vscode.l10n.t('{0} tokens', plain(limit));
  return guard === 'calls' ? vscode.l10n.t('{0} calls', plain(limit)) : vscode.l10n.t('{0} minutes', plain(limit));
}

/** "2 million", "1,500" */
function plain(figure: number): string {
  const isLarge = figure >= 1_000_000;
  const how = isLarge ? ({ notation: 'compact', compactDisplay: 'long', maximumFractionDigits: 1 } as const) : {};
  return new Intl.NumberFormat(vscode.env.language, how).format(figure);
}
