import { type Camera, columnX, nodeWidth, rowY, scaleX } from './geometry.ts';
import type { Box, DrawnLine, Placed } from './layout/tree-layout.ts';
import type { Region, Scene } from './scene.ts';

/** The dashes of a descriptor's lines, in pixels. */
export const DASHES = { solid: [], dashed: [6, 4], dotted: [1, 4] } as const;
/** Room between a box and the cards in it, in pixels at scale 1; more around boxes that hold others. */
const PAD = 10;
const PAD_EACH = 6;
const MOST_PAD = 24;

export type Point = readonly [x: number, y: number];

/** Returns a box in the window; it moves with its node. */
export function sidesOf({ camera, rowOf }: Scene, box: Box): Region {
  const moved = rowOf(box.placed) - box.placed.row;
  const pad = padOf(camera, box);
  return {
    left: columnX(camera, box.from) - pad,
    right: columnX(camera, box.to) + nodeWidth(camera, box.to) + pad,
    top: rowY(camera, box.top + moved + 0.08),
    bottom: rowY(camera, box.bottom + moved - 0.08),
  };
}

function padOf(camera: Camera, { holds }: Box): number {
  return Math.min(MOST_PAD, PAD + PAD_EACH * holds) * Math.min(1, scaleX(camera));
}

/** The emphasis of a line: the selected node waits for it, it waits for that node, or neither. */
export type Emphasis = 'before' | 'after' | 'plain';

export function emphasisOf({ related, selected }: Scene, { from, to }: DrawnLine): Emphasis {
  if (!related || selected === null) return 'plain';
  const is = (set: ReadonlySet<string>, { node: { path } }: Placed): boolean =>
    set.has(path) || path === selected || selected.startsWith(`${path}/`);
  if (related.before.has(from.node.path) && is(related.before, to)) return 'before';
  return related.after.has(to.node.path) && is(related.after, from) ? 'after' : 'plain';
}

/** Returns where the nodes of a column end. */
function endX(camera: Camera, column: number): number {
  return columnX(camera, column) + nodeWidth(camera, column);
}

/** Returns the points of a line, from what comes first to what comes later; two to each lane. */
export function wayOf({ camera, rowOf }: Scene, { from, to, fromBox, toBox, lanes }: DrawnLine): Point[] {
  const out = fromBox ? endX(camera, fromBox.to) + padOf(camera, fromBox) : endX(camera, from.column);
  const into = columnX(camera, to.column) - (toBox ? padOf(camera, toBox) : 0);
  const start: Point = [out, rowY(camera, rowOf(from))];
  if (into <= out) return [start, [endX(camera, toBox?.to ?? to.column), rowY(camera, rowOf(to))]];
  const between = lanes.flatMap((lane): Point[] => {
    const y = rowY(camera, lane.row);
    return [
      [columnX(camera, lane.from) - 4, y],
      [endX(camera, lane.to) + 4, y],
    ];
  });
  return [start, ...between, [into, rowY(camera, rowOf(to))]];
}

export function isIn({ left, top, right, bottom }: Region, way: readonly Point[]): boolean {
  const xs = way.map(([x]) => x);
  const ys = way.map(([, y]) => y);
  return (
    Math.min(...xs) - 80 <= right && Math.max(...xs) + 80 >= left && Math.min(...ys) <= bottom && Math.max(...ys) >= top
  );
}

/** Returns where a curve between two points bends; what leads back goes around on the right. */
export function bends(x: number, toX: number, y: number, toY: number): [number, number] {
  if (toX > x) return [x + (toX - x) * 0.5, toX - (toX - x) * 0.5];
  const around = Math.max(x, toX) + Math.min(60, 16 + Math.abs(toY - y) / 6);
  return [around, around];
}

/** Returns a line for a file, in its own pixels: the `d` of a path. */
export function pathOf(scene: Scene, line: DrawnLine): string {
  const way = wayOf(scene, line);
  const parts: string[] = [];
  for (const [i, [x, y]] of way.entries()) {
    const before = way[i - 1];
    if (!before) parts.push(`M${n(x)} ${n(y)}`);
    else {
      const [a, b] = bends(before[0], x, before[1], y);
      parts.push(`C${n(a)} ${n(before[1])} ${n(b)} ${n(y)} ${n(x)} ${n(y)}`);
    }
  }
  return parts.join('');
}

function n(value: number): string {
  return String(Math.round(value * 10) / 10);
}

/** Returns the frame of a node that the selected one waits for, or that waits for it. */
export function relatedColour({ related, palette }: Scene, path: string): string | undefined {
  if (related?.before.has(path)) return palette.blue;
  return related?.after.has(path) ? palette.orange : undefined;
}
