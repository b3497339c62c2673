import type { Columns } from './columns.ts';
import { CARD_WIDTH, COLUMN } from './columns.ts';

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

/** The width of the nodes in a column, in pixels. */
export function nodeWidth(camera: Camera, column: number): number {
  return (camera.columns.widths[column] ?? CARD_WIDTH) * scaleX(camera);
}

/** The height of a node, in pixels. */
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
