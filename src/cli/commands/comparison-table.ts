import { basename } from 'node:path';
import { formatDuration, formatTokens } from '../../core/money/figures.ts';
import type { Purposes } from '../../core/ports/model.ts';
import { addedUp, type Fared } from '../../core/search/calibration.ts';
import { FOUND_BELOW, type Paired, pairedOf } from '../../core/search/paired.ts';
import type { Kinds } from '../../engine/kind.ts';
import {
  type ComparisonLine,
  compareSearches,
  comparisonLines,
  figuresLine,
  type SearchComparison,
} from '../../searches/history/compare-searches.ts';
import type { ComparedSetups } from '../../searches/sharing/comparison-page.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import {
  againstSetup,
  comparedTitle,
  correctedBelow,
  fewDecided,
  howCompared,
  leftOutOfPair,
  scoreFrom,
  solvedOf,
} from '../messages.ts';
import { shownPath } from '../options/options.ts';
import { formatMoney, formatNumber } from '../terminal/figures.ts';
import { labelled, pad, type Row, renderRow, terminalOf, widthOf } from '../terminal/terminal.ts';
import { inWords, l10n } from '../terminal/translation.ts';
import { type Compared, type Sums, sumsOf } from './comparison.ts';

/** A table as cells: a line of heads, then a line for each thing, whose first cell is its name. */
export type Cells = readonly (readonly string[])[];

/** The results of set-ups, by name and in sum. */
export interface SetupSums {
  readonly named: ReadonlyMap<string, Sums>;
  readonly total: Sums;
}

/** @param names of the set-ups, in their order */
export function setupSums(names: readonly string[], compared: readonly Compared[], kind: string): SetupSums {
  const of = (name: string): Sums =>
    sumsOf(
      compared.filter(({ setup }) => setup === name),
      kind,
    );
  return { named: new Map(names.map((name) => [name, of(name)])), total: sumsOf(compared, kind) };
}

/**
 * A line for each set-up and one for all of them, below the heads.
 * @param free whether their models cost nothing
 * @param known the purposes of their kind, in order
 */
export function setupCells({ named, total }: SetupSums, free: boolean, known: Purposes): Cells {
  const order = Object.keys(known);
  const others = Object.keys(total.callsByPurpose).filter((purpose) => !Object.hasOwn(known, purpose));
  const purposes = [...order.filter((purpose) => Object.hasOwn(total.callsByPurpose, purpose)), ...others.sort()];
  const hasStopped = total.stopped > 0;
  const hasUnasked = total.unasked > 0;
  const unsolved = [...(hasUnasked ? [l10n.t('not recorded')] : []), ...(hasStopped ? [l10n.t('stopped')] : [])];
  const names = [l10n.t('set-up'), l10n.t('solved'), ...unsolved, l10n.t('calls'), l10n.t('a problem')];
  const head = [...names, ...purposes, l10n.t('tokens'), l10n.t('money'), l10n.t('time')];
  const line = (name: string, sums: Sums): string[] => [
    name,
    inWords(solvedOf({ solved: sums.solved, searches: sums.searches })),
    ...(hasUnasked ? [formatNumber(sums.unasked)] : []),
    ...(hasStopped ? [formatNumber(sums.stopped)] : []),
    formatNumber(sums.calls),
    sums.searches === 0 ? '' : (sums.calls / sums.searches).toFixed(1),
    ...purposes.map((purpose) => formatNumber(sums.callsByPurpose[purpose] ?? 0)),
    formatTokens(sums.tokens.prompt + sums.tokens.completion + sums.tokens.worstCase),
    formatMoney(sums, free),
    formatDuration(sums.minutes * 60_000),
  ];
  return [head, ...[...named].map(([name, sums]) => line(name, sums)), line(l10n.t('total'), total)];
}

/** Lines of a table; columns after the first are right-aligned. */
export function rowsOf(lines: Cells): Row[] {
  const widths = (lines[0] ?? []).map((_, column) => Math.max(...lines.map((cells) => widthOf(cells[column] ?? ''))));
  return lines.map((cells, index): Row => {
    const text = cells.map((cell, column) => aligned(cell, widths[column] ?? 0, column > 0)).join('  ');
    return [{ text, ...(index === 0 ? { style: 'dim' as const } : {}) }];
  });
}

function aligned(cell: string, width: number, toTheRight: boolean): string {
  return toTheRight ? ' '.repeat(Math.max(0, width - widthOf(cell))) + cell : pad(cell, width);
}

/** One set-up against the first one, on the problems that both came to the end of. */
export interface Pair extends Paired {
  readonly setup: string;
  readonly against: string;
  /** Problems that one of the two has not come to the end of. */
  readonly leftOut: number;
}

/** Returns every set-up against the first. Those that have no problem in common with it are missing. */
export function pairsOf(names: readonly string[], compared: readonly Compared[]): Pair[] {
  const [against, ...others] = names;
  if (against === undefined) return [];
  const shares = sharesOf(compared);
  const base = shares.get(against) ?? new Map<number, number | undefined>();
  return others.flatMap((setup) => {
    const own = shares.get(setup) ?? new Map<number, number | undefined>();
    const lines = [...new Set([...base.keys(), ...own.keys()])];
    const pairs = lines.flatMap((line): [number, number][] => {
      const [first, second] = [own.get(line), base.get(line)];
      return first === undefined || second === undefined ? [] : [[first, second]];
    });
    return pairs.length === 0 ? [] : [{ setup, against, leftOut: lines.length - pairs.length, ...pairedOf(pairs) }];
  });
}

/** By set-up and problem, the share of tries that solved it; undefined where one was stopped. */
function sharesOf(compared: readonly Compared[]): Map<string, Map<number, number | undefined>> {
  const tries = Map.groupBy(compared, ({ setup }) => setup);
  const share = (searches: readonly Compared[]): number | undefined =>
    searches.some(({ end }) => end === 'stopped')
      ? undefined
      : searches.filter(({ end }) => end === 'solved').length / searches.length;
  return new Map(
    [...tries].map(([setup, searches]) => {
      const problems = Map.groupBy(searches, ({ line }) => line);
      return [setup, new Map([...problems].map(([line, some]) => [line, share(some)]))];
    }),
  );
}

/** Returns a line for each pair, in points of 100. */
export function pairCells(pairs: readonly Pair[]): Cells {
  const head = [
    inWords(againstSetup({ setup: pairs[0]?.against ?? '' })),
    l10n.t('problems'),
    l10n.t('wins'),
    l10n.t('losses'),
    l10n.t('difference'),
    l10n.t('95 %'),
    'p',
  ];
  return [
    head,
    ...pairs.map(({ setup, problems, wins, losses, difference, interval, p }) => [
      setup,
      ...[problems, wins, losses].map(formatNumber),
      points(difference),
      interval ? interval.map(points).join(' … ') : '–',
      p < 0.001 ? '<0.001' : p.toFixed(3),
    ]),
  ];
}

function points(share: number): string {
  const rounded = (100 * share).toFixed(1);
  return Number(rounded) === 0 ? '0.0' : share > 0 ? `+${rounded}` : `−${rounded.slice(1)}`;
}

/** Fewer problems than these, all decided one way, are no difference to the exact test: 2 · 0.5⁵ is above 0.05. */
const FEWEST_DECIDED = 6;

/** Returns the sentences that belong to the pairs: how they were compared, and what their figures cannot say. */
export function pairNotes(pairs: readonly Pair[]): string[] {
  if (pairs.length === 0) return [];
  const few = pairs.filter(({ wins, losses }) => wins + losses < FEWEST_DECIDED);
  return [
    inWords(howCompared()),
    ...(pairs.length > 1 ? [inWords(correctedBelow({ count: pairs.length, p: FOUND_BELOW / pairs.length }))] : []),
    ...pairs.flatMap(({ setup, leftOut }) => (leftOut > 0 ? [inWords(leftOutOfPair({ setup, count: leftOut }))] : [])),
    ...few.map(({ setup, wins, losses }) => inWords(fewDecided({ setup, count: wins + losses }))),
  ];
}

/**
 * How often a score was right: of the thoughts that it was given and that were continued, how many led to a solution; a line for
 * each score that is there. Empty if there is none.
 */
export function scoreCells(names: readonly string[], compared: readonly Compared[]): Cells {
  const fared = names.map((name) =>
    addedUp(compared.flatMap(({ setup, calibration }) => (setup === name && calibration ? [calibration] : []))),
  );
  const scores = [...(fared[0] ?? []).keys()].filter((at) => fared.some((each) => (each[at]?.continued ?? 0) > 0));
  if (scores.length === 0) return [];
  const cell = ({ continued, led }: Fared): string =>
    continued === 0 ? '' : inWords(solvedOf({ solved: led, searches: continued }));
  return [
    [l10n.t('score'), ...names],
    ...scores.map((at) => [
      inWords(scoreFrom({ from: at, to: at + 1 })),
      ...fared.map((each) => cell(each[at] ?? { continued: 0, led: 0 })),
    ]),
  ];
}

/** All of a comparison, for its page and its picture. */
export interface ComparedParts {
  readonly file: string;
  readonly names: readonly string[];
  readonly labels: readonly string[];
  readonly compared: readonly Compared[];
  readonly sums: SetupSums;
  readonly pairs: readonly Pair[];
  readonly cells: Cells;
  /** What else has to be said, as that not all searches came to their end. */
  readonly notes: readonly string[];
}

export function comparedSetups(parts: ComparedParts): ComparedSetups {
  const { file, names, labels, compared, sums, pairs, cells, notes } = parts;
  const title = inWords(comparedTitle({ file: basename(file) }));
  const solved = [...sums.named].flatMap(([name, { solved: count, searches, stopped }]) => {
    const ended = searches - stopped;
    const text = inWords(solvedOf({ solved: count, searches: ended }));
    return ended === 0 ? [] : [{ name, text, value: count / ended }];
  });
  const scores = scoreCells(names, compared);
  const differences = pairCells(pairs).slice(1);
  const lines = pairs.map(({ setup, difference, interval }, at) => {
    const [, , , , by = '', between = '', p = ''] = differences[at] ?? [];
    return { name: setup, text: `${by} (${between}), p ${p}`, value: difference, interval };
  });
  const groups = [
    { title: l10n.t('Solved'), lines: solved, scale: [0, 1] as const },
    ...(pairs.length > 0 ? [{ title: pairCells(pairs)[0]?.[0] ?? '', lines }] : []),
  ];
  return {
    title,
    tables: [
      { title: l10n.t('Set-ups'), lines: cells },
      ...(pairs.length > 0 ? [{ title: l10n.t('Differences'), lines: pairCells(pairs) }] : []),
      ...(scores.length > 0
        ? [{ title: l10n.t('Scores of continued thoughts that led to a solution'), lines: scores }]
        : []),
      { title: l10n.t('Problems'), lines: problemCells(names, compared) },
    ],
    drawing: { title: l10n.t('Drawn'), groups },
    notes: [...labels, ...pairNotes(pairs), ...notes],
  };
}

/** Returns a line for each problem: how often each set-up solved it, and by how many calls. */
function problemCells(names: readonly string[], compared: readonly Compared[]): Cells {
  const problems = [...Map.groupBy(compared, ({ line }) => line).values()];
  const cell = (searches: readonly Compared[], name: string): string => {
    const own = searches.filter(({ setup }) => setup === name);
    const solved = own.filter(({ end }) => end === 'solved').length;
    const calls = own.reduce((sum, { results }) => sum + results.calls, 0);
    return own.length === 0 ? '' : `${inWords(solvedOf({ solved, searches: own.length }))} (${formatNumber(calls)})`;
  };
  return [
    [l10n.t('problem'), ...names],
    ...problems.map((searches) => [searches[0]?.problem ?? '', ...names.map((name) => cell(searches, name))]),
  ];
}

/** `compare A B`: two searches, two moments, or two nodes. */
export async function compareTwo(kinds: Kinds, a: string, b: string, json: boolean | undefined): Promise<ExitCode> {
  const comparison = await compareSearches(kinds, a, b);
  const { out } = terminalOf(process);
  if (json) out.line(JSON.stringify(comparison, undefined, 2));
  else
    for (const row of comparedRows(comparison, shownPath(comparison.a.folder), shownPath(comparison.b.folder)))
      out.line(renderRow(row, Number.POSITIVE_INFINITY, out.palette));
  await out.drained();
  return EXIT.finished;
}

/** @param nameA what to call either side */
export function comparedRows(comparison: SearchComparison, nameA: string, nameB: string): Row[] {
  return [
    labelled('A', figuresLine(comparison.a, nameA, inWords)),
    labelled('B', figuresLine(comparison.b, nameB, inWords)),
    ...comparisonLines(comparison, inWords).map(rowOfLine),
  ];
}

const STYLES = { A: 'bold', B: 'bold', '~': 'yellow', '-': 'red', '+': 'green', '': 'dim' } as const;

function rowOfLine({ sign, text, isParagraph }: ComparisonLine): Row {
  if (sign === 'A' || sign === 'B') return labelled(sign, text);
  return [{ text: `${isParagraph ? '    ' : ''}${sign === '' ? '' : `${sign} `}${text}`, style: STYLES[sign] }];
}
