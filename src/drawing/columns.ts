import { labelOf } from './fitted.ts';
import type { Layout, Placed } from './layout/tree-layout.ts';

/** From the beginning of a column to that of the next, and the width of a node, in pixels at scale 1: the least of both. */
export const COLUMN = 272;
export const CARD_WIDTH = 218;

/** Where columns begin, and how wide the nodes in them are, in pixels at scale 1. */
export interface Columns {
  readonly starts: readonly number[];
  readonly widths: readonly number[];
  /** Where the next column would begin. */
  readonly end: number;
}

const GAP = COLUMN - CARD_WIDTH;
/** No column gets wider for its titles, in pixels at scale 1. */
const WIDEST = 560;
/** Beside the words of a node: its shape, its score, and some room. */
const BESIDE = 76;
/** The width of a letter in a line of words, in pixels, rather too much; letters of East Asian scripts take up more. */
const LETTER = 6.8;
const WIDE_LETTER = 11.5;
const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60]/g;

/** All columns at their least width. */
export function evenColumns(count: number): Columns {
  return columnsOf(Array<number>(count).fill(CARD_WIDTH));
}

/**
 * Columns that are as wide as their titles need, as far as there is room: what is free is shared out by what each needs.
 * @param free pixels at scale 1 in addition to the least width of all columns
 * @param lines how many lines titles have
 */
export function columnsFor({ columns }: Layout, free: number, lines = 1): Columns {
  if (free <= 0) return evenColumns(columns.length);
  const wanted = columns.map((column) => Math.max(0, titleWidth(column) / lines + BESIDE - CARD_WIDTH));
  const all = wanted.reduce((sum, each) => sum + each, 0);
  const share = all > free ? free / all : 1;
  return columnsOf(wanted.map((each) => CARD_WIDTH + Math.floor(each * share)));
}

function columnsOf(widths: readonly number[]): Columns {
  const starts: number[] = [];
  let end = 0;
  for (const width of widths) {
    starts.push(end);
    end += width + GAP;
  }
  return { starts, widths, end };
}

/** The width of all columns up to the end of the last node, in pixels at scale 1. */
export function widthOf({ end }: Columns): number {
  return Math.max(CARD_WIDTH, end - GAP);
}

/** About as wide as the longest title in a column is, in pixels; estimated, since there can be many. */
function titleWidth(column: readonly Placed[]): number {
  let longest = 0;
  for (const { node } of column) {
    const { title } = node.data;
    if (title.length * WIDE_LETTER <= longest) continue;
    const text = labelOf(title);
    const wide = text.match(WIDE)?.length ?? 0;
    longest = Math.max(longest, (text.length - wide) * LETTER + wide * WIDE_LETTER);
    if (longest >= WIDEST) return WIDEST;
  }
  return longest;
}
