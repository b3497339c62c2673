import type { Message } from '../../core/messages/message.ts';
import type { Purposes } from '../../core/ports/purpose.ts';
import type { Results } from '../../core/search/events.ts';
import { findingsIn } from '../../core/search/findings.ts';
import { formatDuration, formatTokens } from '../../core/text/figures.ts';
import { callsText, formatMoney, formatNumber } from '../terminal/figures.ts';
import { pad, type Row, widthOf } from '../terminal/row.ts';
import { inWords, l10n } from '../terminal/translation.ts';
import { endWords, solvedOf } from './messages.ts';

/** The result of one search of a comparison. */
export interface Compared {
  readonly strategy: string;
  readonly problem: string;
  /** The problem's line in its file, from 1. */
  readonly line: number;
  /** `stopped` before its end: by a guard, by a person, or by something that only a person can fix. */
  readonly end: 'solved' | 'unsolved' | 'stopped';
  /** Why it stopped. */
  readonly why?: Message;
  /** Includes all calls, even of a stopped search. */
  readonly results: Results;
}

/** The results of several searches. */
export interface Sums {
  readonly searches: number;
  readonly solved: number;
  readonly stopped: number;
  readonly calls: number;
  readonly callsByPurpose: Readonly<Record<string, number>>;
  readonly tokens: Results['tokens'];
  readonly usd: number;
  /** True if every call's price was known. */
  readonly usdComplete: boolean;
  readonly minutes: number;
}

/** @param kind of all these searches */
export function sumsOf(compared: readonly Compared[], kind: string): Sums {
  const results = compared.map((each) => each.results);
  const sum = (of: (each: Results) => number): number => results.reduce((total, each) => total + of(each), 0);
  const callsByPurpose: Record<string, number> = {};
  for (const each of results)
    for (const [purpose, count] of Object.entries(findingsIn(each, kind)?.callsByPurpose ?? {}))
      callsByPurpose[purpose] = (callsByPurpose[purpose] ?? 0) + count;
  const count = (end: Compared['end']): number => compared.filter((each) => each.end === end).length;
  return {
    searches: compared.length,
    solved: count('solved'),
    stopped: count('stopped'),
    calls: sum(({ calls }) => calls),
    callsByPurpose,
    tokens: {
      prompt: sum(({ tokens }) => tokens.prompt),
      cached: sum(({ tokens }) => tokens.cached),
      completion: sum(({ tokens }) => tokens.completion),
      worstCase: sum(({ tokens }) => tokens.worstCase),
    },
    usd: sum(({ usd }) => usd),
    usdComplete: results.every(({ usdComplete }) => usdComplete),
    minutes: sum(({ minutes }) => minutes),
  };
}

/**
 * A row for each strategy and one for all of them, below a header; numbers are right-aligned.
 * @param free whether the model costs nothing
 * @param known the purposes of their kind, in order
 */
export function comparisonRows(named: ReadonlyMap<string, Sums>, total: Sums, free: boolean, known: Purposes): Row[] {
  const order = Object.keys(known);
  const others = Object.keys(total.callsByPurpose).filter((purpose) => !Object.hasOwn(known, purpose));
  const purposes = [...order.filter((purpose) => Object.hasOwn(total.callsByPurpose, purpose)), ...others.sort()];
  const hasStopped = total.stopped > 0;
  const stopped = hasStopped ? [l10n.t('stopped')] : [];
  const names = [l10n.t('strategy'), l10n.t('solved'), ...stopped, l10n.t('calls'), l10n.t('a problem')];
  const head = [...names, ...purposes, l10n.t('tokens'), l10n.t('money'), l10n.t('time')];
  const line = (name: string, sums: Sums): string[] => [
    name,
    inWords(solvedOf({ solved: sums.solved, searches: sums.searches })),
    ...(hasStopped ? [formatNumber(sums.stopped)] : []),
    formatNumber(sums.calls),
    sums.searches === 0 ? '' : (sums.calls / sums.searches).toFixed(1),
    ...purposes.map((purpose) => formatNumber(sums.callsByPurpose[purpose] ?? 0)),
    formatTokens(sums.tokens.prompt + sums.tokens.completion + sums.tokens.worstCase),
    formatMoney(sums, free),
    formatDuration(sums.minutes * 60_000),
  ];
  const lines = [head, ...[...named].map(([name, sums]) => line(name, sums)), line(l10n.t('total'), total)];
  const widths = head.map((_, column) => Math.max(...lines.map((cells) => widthOf(cells[column] ?? ''))));
  return lines.map((cells, index): Row => {
    const text = cells.map((cell, column) => aligned(cell, widths[column] ?? 0, column > 0)).join('  ');
    return [{ text, ...(index === 0 ? { style: 'dim' as const } : {}) }];
  });
}

function aligned(cell: string, width: number, toTheRight: boolean): string {
  return toTheRight ? ' '.repeat(Math.max(0, width - widthOf(cell))) + cell : pad(cell, width);
}

/** One search of a comparison as a line, once it has ended. */
export function comparedText({ strategy, problem, end, results, why }: Compared): string {
  const said = [strategy, problem, inWords(endWords[end]()), ...(why ? [inWords(why)] : [])].join(': ');
  return `${said} (${callsText(results.calls)})`;
}
