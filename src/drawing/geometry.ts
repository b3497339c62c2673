import type { Layout, Placed } from './layout/tree-layout.ts';

/** Pixels at scale 1. */
export const ROW = 44;
export const COLUMN = 272;
export const CARD_WIDTH = 218;
export const CARD_HEIGHT = 34;

/** Columns stay wide enough for words even when zoomed out: only rows get closer. */
const NARROWEST = 0.62;
const LARGEST = 2.5;
const SMALLEST = 0.0005;

/**
 * The position of the drawing's origin (the root's column, row 0) in the window, in pixels, and its scale. Columns get no
 * closer than `least`, which depends on the width of the window.
 */
export interface Camera {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
  readonly least: number;
}

/** How much of a node can be shown: a card with everything, a line of words, or a mark. */
export type Detail = 'card' | 'line' | 'mark';

export function detailAt({ scale }: Camera): Detail {
  if (scale >= 0.85) return 'card'; // below this, a line's words are larger than a card's
  return ROW * scale >= 15 ? 'line' : 'mark';
}

export function scaleX({ scale, least }: Pick<Camera, 'scale' | 'least'>): number {
  return Math.max(scale, least);
}

/** How close columns may get in a window: only as close as needed to show them all, within reason. */
export function leastFor({ columns }: Pick<Layout, 'columns'>, width: number): number {
  return clamp((width - 72) / (wideAt1(columns.length) + 50), NARROWEST, 1);
}

function wideAt1(columns: number): number {
  return (Math.max(columns, 1) - 1) * COLUMN + CARD_WIDTH;
}

export function columnX(camera: Camera, column: number): number {
  return camera.x + column * COLUMN * scaleX(camera);
}

export function rowY(camera: Camera, row: number): number {
  return camera.y + row * ROW * camera.scale;
}

/** The width of a node, in pixels. */
export function nodeWidth(camera: Camera): number {
  return CARD_WIDTH * scaleX(camera);
}

/** The height of a node, in pixels. */
export function nodeHeight(camera: Camera): number {
  const row = ROW * camera.scale;
  if (detailAt(camera) === 'card') return CARD_HEIGHT * camera.scale;
  return detailAt(camera) === 'line' ? Math.min(row, 22) : Math.max(1, row * 0.72);
}

/** The whole drawing in a window. */
export function fitting(layout: Layout, width: number, height: number, largest = 1.15): Camera {
  const rows = layout.bottom - layout.top + 1.6;
  const high = clamp(height / (rows * ROW), SMALLEST, largest);
  const wide = (width - 72) / wideAt1(layout.columns.length);
  // Once columns cannot get closer, rows are free to fill the height.
  const scale = high <= wide ? high : wide >= NARROWEST ? wide : Math.min(high, NARROWEST);
  return centred(layout, width, height, scale);
}

/** The drawing at a scale, centred if it fits, else from its beginning. */
function centred(layout: Layout, width: number, height: number, scale: number): Camera {
  const { top, bottom, columns } = layout;
  const least = leastFor(layout, width);
  const wide = wideAt1(columns.length) * scaleX({ scale, least });
  return {
    scale,
    least,
    x: Math.max(24, (width - wide) / 2),
    y: height / 2 - ((top + bottom) / 2) * ROW * scale,
  };
}

/** A first look: everything if words stay readable, else the root and what is around it. */
export function firstLook(layout: Layout, width: number, height: number): Camera {
  const fit = fitting(layout, width, height);
  const readable = 20 / ROW;
  if (fit.scale >= readable) return fit;
  const root = layout.placed[0]?.row ?? 0;
  return { ...centred(layout, width, height, readable), x: 24, y: height / 2 - root * ROW * readable };
}

/** Another scale with the same point of the drawing under a point of the window. */
export function zoomed(camera: Camera, scale: number, x: number, y: number): Camera {
  const next = clamp(scale, SMALLEST, LARGEST);
  const { least } = camera;
  return {
    scale: next,
    least,
    x: x - ((x - camera.x) * scaleX({ scale: next, least })) / scaleX(camera),
    y: y - ((y - camera.y) * next) / camera.scale,
  };
}

/** Moved so that a node is in the window, with some room around it. */
export function showing(camera: Camera, placed: Placed, width: number, height: number): Camera {
  const [x, y] = [columnX(camera, placed.column), rowY(camera, placed.row)];
  const wide = nodeWidth(camera);
  const roomX = Math.min(48, width / 8);
  const roomY = Math.min(72, height / 4);
  const dx = x < roomX ? roomX - x : x + wide > width - roomX ? width - roomX - wide - x : 0;
  const dy = y < roomY ? roomY - y : y > height - roomY ? height - roomY - y : 0;
  return { ...camera, x: camera.x + (x + dx < roomX ? roomX - x : dx), y: camera.y + dy };
}

/** Keeps some of the drawing in the window. */
export function kept(camera: Camera, { top, bottom, columns }: Layout, width: number, height: number): Camera {
  const right = columnX({ ...camera, x: 0 }, columns.length);
  const x = clamp(camera.x, Math.min(0, width / 2 - right), width * 0.75);
  const [first, last] = [top * ROW * camera.scale, bottom * ROW * camera.scale];
  return {
    ...camera,
    x,
    y: clamp(camera.y, Math.min(60, height / 2) - last, height - Math.min(60, height / 2) - first),
  };
}

export function clamp(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most);
}
