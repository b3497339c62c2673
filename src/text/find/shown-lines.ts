import type { Passage } from '../chunk/chunk-file.ts';
import { isQuotable } from '../files/read-source.ts';
import type { SourceFile } from '../files/source-file.ts';
import type { WorkspaceIndex } from '../index/workspace-index.ts';
import type { Lines } from './choose-lines.ts';
import { saysNothing } from './decisive-line.ts';
import type { Research } from './research.ts';

/** The lines of all places together, about a dozen each and some more for the first: more are not read, and fewer decide too seldom. */
const LINES = 8;
const LINES_A_PLACE = 10;
/** A function of at most so many lines is shown whole where so much of it is shown anyway. */
const MOST_WHOLE = 25;
const NEARLY_WHOLE = 0.5;
/** Of one place, no more is shown: what is worth less is left out. */
const MOST_OF_PLACE = 25;
/** The cost of another run, in the unit of `LineValues`: a page of many short ones is hard to follow. */
const OPENING = 2;
/** So few lines between two runs are shown rather than left out. */
const GAP = 2;
const AROUND = 2;
/** Halvings of the range in which the least value of a line is looked for; beyond the highest, no line is worth so much. */
const STEPS = 14;
const HIGHEST = 40;

/** A place that an answer shows lines of, and how good it is, from 0 to 1. */
export interface ShownPlace {
  readonly passage: Passage;
  /** The line that decides, from 0: shown with those around it where nothing else of its file is. */
  readonly row: number;
  readonly worth: number;
}

/**
 * Chooses what a reader is shown of the best places of a question, each in another file: the lines that decide, wherever in
 * these files they are, since what a function decides by often stands in its caller or beside it. A better place gets more
 * of the lines. With the first line of the function that they are in, and all of one that is short.
 */
export function shownLines(places: readonly ShownPlace[], question: Research, index: WorkspaceIndex): Lines[][] {
  const files = places.map(({ passage: { file }, worth }) => ({
    file,
    values: valuesOf(file, worth, question, index),
  }));
  const most = LINES + LINES_A_PLACE * places.length;
  let [low, high] = [0, HIGHEST];
  for (let step = 0; step < STEPS; step++) {
    const cost = (low + high) / 2;
    const lines = files.reduce((sum, { values }) => sum + lengthOf(windowsIn(values, cost)), 0);
    if (lines > most) low = cost;
    else high = cost;
  }
  return files.map(({ file, values }, place) => {
    const windows = windowsIn(values, high);
    const first = aroundRow(places[place] as ShownPlace);
    return readable(windows.length > 0 ? windows : [first], file, index);
  });
}

type Rows = Pick<Lines, 'start' | 'end'> & { readonly worth: number };

function aroundRow({ passage: { start, end }, row }: ShownPlace): Rows {
  return { start: Math.max(start, row - AROUND), end: Math.min(end, row + 2 * AROUND), worth: 0 };
}

function valuesOf(file: SourceFile, worth: number, question: Research, index: WorkspaceIndex): Float64Array {
  return Float64Array.from(file.lines, (line, row) => {
    if (!isQuotable(line)) return Number.NaN;
    return saysNothing(file, row, index) ? 0 : worth * question.values.of(file, row);
  });
}

/**
 * Returns the runs of rows that are worth most together, if each row costs something and each run `OPENING`. In one
 * pass.
 */
function windowsIn(values: Float64Array, cost: number): Rows[] {
  const windows: Rows[] = [];
  // Of the best run that ends at the row before, and of all runs that have ended.
  let [sum, start] = [Number.NEGATIVE_INFINITY, 0];
  let [best, end] = [0, -1];
  const close = (): void => {
    if (end >= start) windows.push({ start, end, worth: best });
    [sum, best, end] = [Number.NEGATIVE_INFINITY, 0, -1];
  };
  for (let row = 0; row < values.length; row++) {
    const value = (values[row] ?? 0) - cost;
    if (Number.isNaN(value)) {
      close();
      continue;
    }
    // A run that has lost more than another costs has ended where it was best.
    if (end >= start && best - sum > OPENING) close();
    if (!(sum > -OPENING)) [sum, start] = [-OPENING, row];
    sum += value;
    if (sum > best) [best, end] = [sum, row];
  }
  close();
  return windows;
}

function lengthOf(windows: readonly Rows[]): number {
  return windows.reduce((sum, { start, end }) => sum + end - start + 1, 0);
}

/** Makes runs that a reader can follow: the best first, with the first line of their function, all of a short one. */
function readable(windows: readonly Rows[], file: SourceFile, index: WorkspaceIndex): Lines[] {
  const functions = index.passages.filter(
    (one) => one.file === file && (one.kind === 'function' || one.kind === 'member'),
  );
  const rows = new Set<number>();
  for (const window of windows.toSorted((a, b) => b.worth - a.worth)) {
    const forms = [wholes(window, functions), withHeads(window, functions)];
    const added = forms.find((form) => new Set([...rows, ...form]).size <= MOST_OF_PLACE);
    if (added) for (const row of added) rows.add(row);
    // What is too long by itself is cut where the place is full.
    if (rows.size === 0)
      for (let row = window.start; row <= window.end && rows.size < MOST_OF_PLACE; row++) rows.add(row);
  }
  const all: Lines[] = [];
  for (const row of [...rows].sort((a, b) => a - b)) {
    const last = all.at(-1);
    if (!isQuotable(file.lines[row] ?? '')) continue;
    const isNear = last !== undefined && row - last.end - 1 <= GAP && canShow(file, last.end + 1, row);
    if (last && isNear) all[all.length - 1] = { ...last, end: row };
    else all.push({ file, start: row, end: row });
  }
  return all.map(trimmed);
}

function trimmed({ file, start, end }: Lines): Lines {
  const isEmpty = (row: number): boolean => (file.lines[row] ?? '').trim() === '';
  let [first, last] = [start, end];
  while (first < last && isEmpty(first)) first++;
  while (last > first && isEmpty(last)) last--;
  return { file, start: first, end: last };
}

function withHeads({ start, end }: Rows, functions: readonly Passage[]): Set<number> {
  const around = functions.filter((one) => one.head <= end && start <= one.end);
  return new Set([...rowsFrom(start, end), ...around.map(({ head }) => head)]);
}

/** With all of the short functions that it has most of. */
function wholes(window: Rows, functions: readonly Passage[]): Set<number> {
  const rows = withHeads(window, functions);
  for (const { head, end } of functions) {
    const length = end - head + 1;
    const shown = Math.min(end, window.end) - Math.max(head, window.start) + 1;
    if (length <= MOST_WHOLE && shown >= NEARLY_WHOLE * length) for (const row of rowsFrom(head, end)) rows.add(row);
  }
  return rows;
}

function rowsFrom(start: number, end: number): number[] {
  return Array.from({ length: end - start + 1 }, (_, at) => start + at);
}

function canShow(file: SourceFile, from: number, to: number): boolean {
  for (let row = from; row < to; row++) if (!isQuotable(file.lines[row] ?? '')) return false;
  return true;
}
