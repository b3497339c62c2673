import { labelOf } from './labels.ts';
import type { Layout, Placed } from './layout/tree-layout.ts';

/** Pixels at scale 1. */
export const ROW = 44;
export const CARD_HEIGHT = 36;

/** The least height of a row with two lines of words, in pixels: the closest that columns get. */
const TWO_LINES = 27;
/** The least height of a row whose words can be read, in pixels. */
export const READABLE = 15;

/**
 * The position of the drawing's origin (the root's column, row 0) in the window, in pixels, and its scale. Columns get no
 * closer than `least`, which depends on the width of the window, as do the columns themselves.
 */
export interface Camera {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
  readonly least: number;
  readonly columns: Columns;
}

/** The scale from which a card has room for the summary of its node. */
export const SUMMARIES = 1.5;

/** The detail in which a node can be shown: a card with everything, a line of words, or a mark. */
export type Detail = 'card' | 'line' | 'mark';

export function detailAt({ scale }: Camera): Detail {
  if (scale >= 0.85) return 'card'; // below this, a line's words are larger than a card's
  return ROW * scale >= READABLE - 0.01 ? 'line' : 'mark';
}

export function scaleX({ scale, least }: Pick<Camera, 'scale' | 'least'>): number {
  return Math.max(scale, least);
}

export function columnX(camera: Camera, column: number): number {
  const { starts, end } = camera.columns;
  return camera.x + (starts[column] ?? end + (column - starts.length) * COLUMN) * scaleX(camera);
}

export function rowY(camera: Camera, row: number): number {
  return camera.y + row * ROW * camera.scale;
}

/** Returns the width of the nodes in a column, in pixels. */
export function nodeWidth(camera: Camera, column: number): number {
  return (camera.columns.widths[column] ?? CARD_WIDTH) * scaleX(camera);
}

/** Returns the height of a node, in pixels. */
export function nodeHeight(camera: Camera): number {
  const row = ROW * camera.scale;
  if (detailAt(camera) === 'card') return CARD_HEIGHT * camera.scale;
  if (detailAt(camera) === 'line') return linesAt(camera) > 1 ? Math.min(row - 1, 30) : Math.min(row, 22);
  return Math.max(1, row * 0.72);
}

/** Returns the number of lines of words that a node has. */
export function linesAt(camera: Camera): number {
  return detailAt(camera) === 'card' || ROW * camera.scale >= TWO_LINES ? 2 : 1;
}

export function clamp(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most);
}

/** From the beginning of a column to that of the next, and the width of a node, in pixels at scale 1: the least of both. */
export const COLUMN = 272;
export const CARD_WIDTH = 218;

/** Where columns begin, and how wide the nodes in them are, in pixels at scale 1. */
interface Columns {
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

/** Returns all columns at the same part of their usual width and distance. */
export function evenColumns(count: number, part = 1): Columns {
  return columnsOf(Array<number>(count).fill(CARD_WIDTH * part), GAP * part);
}

/**
 * Columns that are as wide as their titles need, as far as there is room: what is free is shared out by what each needs.
 * @param free pixels at scale 1 in addition to the usual width of all columns; below 0 they all get narrower alike
 * @param lines how many lines titles have
 */
export function columnsFor({ columns }: Layout, free: number, lines = 1): Columns {
  if (free <= 0) return evenColumns(columns.length, 1 + free / (Math.max(columns.length, 1) * COLUMN - GAP));
  const wanted = columns.map((column) => Math.max(0, titleWidth(column) / lines + BESIDE - CARD_WIDTH));
  const all = wanted.reduce((sum, each) => sum + each, 0);
  const share = all > free ? free / all : 1;
  return columnsOf(wanted.map((each) => CARD_WIDTH + Math.floor(each * share)));
}

function columnsOf(widths: readonly number[], gap = GAP): Columns {
  const starts: number[] = [];
  let end = 0;
  for (const width of widths) {
    starts.push(end);
    end += width + gap;
  }
  return { starts, widths, end };
}

/** Returns the width of all columns up to the end of the last node, in pixels at scale 1. */
export function widthOf({ starts, widths }: Columns): number {
  return (starts.at(-1) ?? 0) + (widths.at(-1) ?? CARD_WIDTH);
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
