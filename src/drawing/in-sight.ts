import { type Camera, columnX, nodeHeight, nodeWidth, ROW, rowY, scaleX } from './geometry.ts';
import { firstFrom, type Layout, type Placed } from './layout/tree-layout.ts';
import type { Room } from './looks.ts';

// Positions in the window

/** The distance to the right of a node that its number of hidden nodes reaches, in pixels at scale 1. */
const MORE = 42;

/** The row at a height of the window, in pixels. */
function rowAt(camera: Camera, y: number): number {
  return (y - camera.y) / (ROW * camera.scale);
}

/** The node at a point of the window, and whether the point is on its number of hidden nodes. */
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
