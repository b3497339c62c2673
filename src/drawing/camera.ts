import {
  CARD_WIDTH,
  type Camera,
  COLUMN,
  clamp,
  columnsFor,
  columnX,
  nodeHeight,
  nodeWidth,
  READABLE,
  ROW,
  rowY,
  scaleX,
  widthOf,
} from './geometry.ts';
import { firstFrom, type Layout, type Placed } from './layout/tree-layout.ts';

// Where a camera should be to show all of a drawing, its beginning, or one of its nodes.

/** Columns stay wide enough for words even when zoomed out: only rows get closer. */
const NARROWEST = 0.62;
/** The least part of its usual width that a column keeps at a first look, so that more of them are in the window. */
const SLIM = 0.65;
const LARGEST = 2.5;
const SMALLEST = 0.0005;
/** The largest scale at which a small drawing fills its window. */
const ROOMY = 1.15;
/** Free at the left and the right together, in pixels. */
const SIDES = 72;
/** Rows that are free at the top and the bottom together. */
const ENDS = 1.6;

/** The buttons at the lower end of the window, in pixels: no row of a drawing that is fitted is below them. */
const BAR = 44;

/** The height of what is above the columns of rounds, in pixels. */
export const HEAD = 26;

/** The size of a window, in pixels. */
export interface Room {
  readonly width: number;
  readonly height: number;
}

/** Returns the number of rows that can be read in a window of some height, in pixels, all at once. */
export function readableRows(height: number, hasHeads = false): number {
  return (height - BAR - (hasHeads ? HEAD : 0)) / READABLE - ENDS;
}

/** The least distance of columns, and their width, for a drawing in a window. */
export type Spread = Pick<Camera, 'least' | 'columns'>;

/**
 * Columns get only as close as needed to show them all, within reason; what is free otherwise is for their titles.
 * @param isWhole whether all of them have to be in the window, however narrow they get
 */
export function spreadFor(layout: Layout, { width, height }: Room, isWhole = false): Spread {
  const wide = wideAt1(layout.columns.length);
  const least = clamp((width - SIDES) / (wide + 50), NARROWEST, 1);
  const fullest = Math.max(least, fittingScale(layout, { width, height }));
  const free = Math.max((width - SIDES) / fullest, isWhole ? 1 : wide * SLIM) - wide;
  return { least, columns: columnsFor(layout, free) };
}

function wideAt1(columns: number): number {
  return (Math.max(columns, 1) - 1) * COLUMN + CARD_WIDTH;
}

function fittingScale(layout: Layout, { width, height }: Room): number {
  const { top, bottom, columns } = layout;
  const high = clamp((height - BAR - headOf(layout)) / ((bottom - top + ENDS) * ROW), SMALLEST, ROOMY);
  const wide = (width - SIDES) / wideAt1(columns.length);
  if (high <= wide) return high;
  // Once columns cannot get closer, rows are free to fill the height.
  return wide >= NARROWEST ? wide : Math.min(high, NARROWEST);
}

function headOf({ heads }: Layout): number {
  return heads.length > 0 ? HEAD : 0;
}

/** Returns the whole drawing in a window. */
export function fitting(layout: Layout, room: Room, spread: Spread): Camera {
  return centred(layout, room, spread, fittingScale(layout, room));
}

/** Returns the drawing at a scale, centred if it fits, else from its beginning. */
function centred(layout: Layout, { width, height }: Room, spread: Spread, scale: number): Camera {
  const { top, bottom } = layout;
  const wide = widthOf(spread.columns) * scaleX({ scale, least: spread.least });
  const half = ((bottom - top + ENDS) / 2) * ROW * scale;
  return {
    ...spread,
    scale,
    x: Math.max(24, (width - wide) / 2),
    y: Math.min(Math.max(height / 2, headOf(layout) + half), height - BAR - half) - ((top + bottom) / 2) * ROW * scale,
  };
}

/** A first look: from the root on everything if words stay readable, else what is at the height of the best path. */
export function firstLook(layout: Layout, room: Room, spread: Spread, best: ReadonlySet<string>): Camera {
  const fit = fitting(layout, room, spread);
  if (ROW * fit.scale >= READABLE) return fit;
  const scale = READABLE / ROW;
  const head = headOf(layout);
  const open = room.height - BAR - head;
  const half = open / 2 / ROW / scale - ENDS;
  const { top, bottom } = layout;
  // Nothing is free above the first row and below the last one.
  const row = clamp(rowToShow(layout, best, half), top + half, Math.max(top + half, bottom - half));
  return { ...centred(layout, room, spread, scale), x: 24, y: head + open / 2 - row * ROW * scale };
}

/** Returns the row in the middle of the window: that of the best path, and where it is too tall, of its end. */
function rowToShow({ placed, byPath }: Layout, best: ReadonlySet<string>, half: number): number {
  const rows = [...best].flatMap((path) => byPath.get(path)?.row ?? []);
  const end = rows.at(-1);
  if (end === undefined) return placed[0]?.row ?? 0;
  return clamp((Math.min(...rows) + Math.max(...rows)) / 2, end - half, end + half);
}

/** Another scale with the same point of the drawing under a point of the window. */
export function zoomed(camera: Camera, scale: number, x: number, y: number): Camera {
  const next = clamp(scale, SMALLEST, LARGEST);
  const { least } = camera;
  return {
    ...camera,
    scale: next,
    x: x - ((x - camera.x) * scaleX({ scale: next, least })) / scaleX(camera),
    y: y - ((y - camera.y) * next) / camera.scale,
  };
}

/** Moved so that a node is in the window, with some room around it; not moved if all of it is in the window anyway. */
export function showing(camera: Camera, placed: Placed, { width, height }: Room): Camera {
  const [x, y] = [columnX(camera, placed.column), rowY(camera, placed.row)];
  const wide = nodeWidth(camera, placed.column);
  const half = nodeHeight(camera) / 2;
  if (x >= 0 && x + wide <= width && y - half >= 0 && y + half <= height) return camera;
  const roomX = Math.min(48, width / 8);
  const roomY = Math.min(72, height / 4);
  const dx = x < roomX ? roomX - x : x + wide > width - roomX ? width - roomX - wide - x : 0;
  const dy = y < roomY ? roomY - y : y > height - roomY ? height - roomY - y : 0;
  return { ...camera, x: camera.x + (x + dx < roomX ? roomX - x : dx), y: camera.y + dy };
}

/** Keeps some of the drawing in the window. */
export function kept(camera: Camera, { top, bottom, columns }: Layout, { width, height }: Room): Camera {
  const right = columnX({ ...camera, x: 0 }, columns.length);
  const x = clamp(camera.x, Math.min(0, width / 2 - right), width * 0.75);
  const [first, last] = [top * ROW * camera.scale, bottom * ROW * camera.scale];
  return {
    ...camera,
    x,
    y: clamp(camera.y, Math.min(60, height / 2) - last, height - Math.min(60, height / 2) - first),
  };
}

// Positions in the window

/** The distance to the right of a node that its number of hidden nodes reaches, in pixels at scale 1. */
const MORE = 42;

/** Returns the row at a height of the window, in pixels. */
function rowAt(camera: Camera, y: number): number {
  return (y - camera.y) / (ROW * camera.scale);
}

/** Returns the node at a point of the window, and whether the point is on its number of hidden nodes. */
export function nodeAt(
  { columns }: Layout,
  camera: Camera,
  x: number,
  y: number,
): { placed: Placed; isOnMore: boolean } | undefined {
  const reach = Math.max(nodeHeight(camera) / 2, 5);
  for (const [index, column] of columns.entries()) {
    const from = columnX(camera, index) - 4;
    const end = from + nodeWidth(camera, index);
    if (x < from || x > end + MORE * scaleX(camera)) continue;
    for (let i = firstFrom(column, rowAt(camera, y - reach)); i < column.length; i++) {
      const placed = column[i] as Placed;
      if (rowY(camera, placed.row) - reach > y) break;
      const isOnMore = x > end + 4;
      if (!isOnMore || placed.hidden > 0) return { placed, isOnMore };
    }
  }
  return undefined;
}

/** Tells whether any of a node is in the window. */
export function isInSight(camera: Camera, { width, height }: Room, { column, row }: Placed): boolean {
  const [x, y] = [columnX(camera, column), rowY(camera, row)];
  return x > -nodeWidth(camera, column) && x < width && y > 0 && y < height;
}

/** Finds what a person is looking at: the selected node if visible, else the one nearest to the middle. */
export function anchorIn(
  { columns, byPath }: Layout,
  camera: Camera,
  room: Room,
  selected: string | null,
): Placed | undefined {
  const chosen = selected === null ? undefined : byPath.get(selected);
  if (chosen && isInSight(camera, room, chosen)) return chosen;
  const middle = rowAt(camera, room.height / 2);
  let best: Placed | undefined;
  for (const column of columns) {
    const at = firstFrom(column, middle);
    for (const each of column.slice(Math.max(0, at - 1), at + 1))
      if (isInSight(camera, room, each) && (!best || Math.abs(each.row - middle) < Math.abs(best.row - middle)))
        best = each;
  }
  return best;
}
