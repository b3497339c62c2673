import { type Camera, columnX, detailAt, nodeWidth, rowY, scaleX } from '../../state/geometry.ts';
import type { Box, DrawnLine, Placed } from '../../state/tree-layout.ts';
import type { Region, Scene } from '../scene.ts';

/** How lines of a face are dashed, in pixels. */
export const DASHES = { solid: [], dashed: [6, 4], dotted: [1, 4] } as const;
/** Room between a box and the cards in it, in pixels at scale 1; more around boxes that hold others. */
const PAD = 10;
const PAD_EACH = 6;
const MOST_PAD = 24;

type Point = readonly [x: number, y: number];

/** Draws the boxes around parts. */
export function paintBoxes(context: CanvasRenderingContext2D, scene: Scene, region: Region): void {
  const { layout, camera, palette } = scene;
  for (const box of layout.boxes) {
    const { left, top, right, bottom } = sidesOf(scene, box);
    if (left > region.right || right < region.left || top > region.bottom || bottom < region.top) continue;
    context.beginPath();
    context.roundRect(left, top, right - left, bottom - top, Math.min(8, 8 * camera.scale));
    if (!palette.isContrast) {
      const alpha = context.globalAlpha;
      context.globalAlpha = alpha * 0.4;
      context.fillStyle = palette.card;
      context.fill();
      context.globalAlpha = alpha;
    }
    context.lineWidth = 1;
    context.strokeStyle = palette.border;
    if (box.placed.node.data.role === 'alternative') context.setLineDash([4, 4]);
    context.stroke();
    context.setLineDash([]);
  }
}

/** A box in the window; it moves with its node. */
function sidesOf({ camera, rowOf }: Scene, box: Box): Region {
  const moved = rowOf(box.placed) - box.placed.row;
  const pad = padOf(camera, box);
  return {
    left: columnX(camera, box.from) - pad,
    right: columnX(camera, box.to) + nodeWidth(camera) + pad,
    top: rowY(camera, box.top + moved + 0.08),
    bottom: rowY(camera, box.bottom + moved - 0.08),
  };
}

function padOf(camera: Camera, { holds }: Box): number {
  return Math.min(MOST_PAD, PAD + PAD_EACH * holds) * Math.min(1, scaleX(camera));
}

/** How a line is emphasised: what the selected node waits for, what waits for it, or neither. */
type Emphasis = 'before' | 'after' | 'plain';

/** Draws the links, those of the selected node over the others. */
export function paintLines(context: CanvasRenderingContext2D, scene: Scene, region: Region): void {
  const { palette, related, camera } = scene;
  const shown = scene.layout.lines.flatMap((line) => {
    const way = wayOf(scene, line);
    return isIn(region, way) ? [{ line, way, emphasis: emphasisOf(scene, line) }] : [];
  });
  const thick = Math.max(0.8, 1.3 * Math.min(camera.scale, 1.2));
  const alpha = context.globalAlpha;
  context.lineCap = 'round';
  for (const emphasis of ['plain', 'before', 'after'] as const) {
    const colour = { plain: palette.edge, before: palette.blue, after: palette.orange }[emphasis];
    context.strokeStyle = colour;
    context.fillStyle = colour;
    context.lineWidth = emphasis === 'plain' ? thick : thick * 1.8;
    context.globalAlpha = alpha * (related && emphasis === 'plain' ? 0.45 : 1);
    for (const [type, { line: look }] of Object.entries(scene.faces ?? {})) {
      const those = shown.filter((each) => each.emphasis === emphasis && each.line.type === type);
      if (those.length === 0) continue;
      context.setLineDash([...DASHES[look]]);
      context.beginPath();
      for (const { way } of those) trace(context, way);
      context.stroke();
      context.setLineDash([]);
      if (detailAt(camera) !== 'mark') for (const { way } of those) head(context, way, camera.scale);
    }
  }
  context.globalAlpha = alpha;
}

function emphasisOf({ related, selected }: Scene, { from, to }: DrawnLine): Emphasis {
  if (!related || selected === null) return 'plain';
  const is = (set: ReadonlySet<string>, { node: { path } }: Placed): boolean =>
    set.has(path) || path === selected || selected.startsWith(`${path}/`);
  if (related.before.has(from.node.path) && is(related.before, to)) return 'before';
  return related.after.has(to.node.path) && is(related.after, from) ? 'after' : 'plain';
}

/** The points of a line, from what comes first to what comes later; two to each lane. */
function wayOf({ camera, rowOf }: Scene, { from, to, fromBox, toBox, lanes }: DrawnLine): Point[] {
  const wide = nodeWidth(camera);
  const out = fromBox
    ? columnX(camera, fromBox.to) + wide + padOf(camera, fromBox)
    : columnX(camera, from.column) + wide;
  const into = columnX(camera, to.column) - (toBox ? padOf(camera, toBox) : 0);
  const start: Point = [out, rowY(camera, rowOf(from))];
  if (into <= out) return [start, [columnX(camera, toBox?.to ?? to.column) + wide, rowY(camera, rowOf(to))]];
  const between = lanes.flatMap((lane): Point[] => {
    const y = rowY(camera, lane.row);
    return [
      [columnX(camera, lane.from) - 4, y],
      [columnX(camera, lane.to) + wide + 4, y],
    ];
  });
  return [start, ...between, [into, rowY(camera, rowOf(to))]];
}

function isIn({ left, top, right, bottom }: Region, way: readonly Point[]): boolean {
  const xs = way.map(([x]) => x);
  const ys = way.map(([, y]) => y);
  return (
    Math.min(...xs) - 80 <= right && Math.max(...xs) + 80 >= left && Math.min(...ys) <= bottom && Math.max(...ys) >= top
  );
}

/** A curve between each two points; what leads back goes around on the right. */
function trace(context: CanvasRenderingContext2D, way: readonly Point[]): void {
  const [first] = way;
  if (!first) return;
  let [x, y] = first;
  context.moveTo(x, y);
  for (const [toX, toY] of way.slice(1)) {
    const [a, b] = bends(x, toX, y, toY);
    if (y === toY && toX > x) context.lineTo(toX, toY);
    else context.bezierCurveTo(a, y, b, toY, toX, toY);
    [x, y] = [toX, toY];
  }
}

function bends(x: number, toX: number, y: number, toY: number): [number, number] {
  if (toX > x) return [x + (toX - x) * 0.5, toX - (toX - x) * 0.5];
  const around = Math.max(x, toX) + Math.min(60, 16 + Math.abs(toY - y) / 6);
  return [around, around];
}

/** The head of an arrow at the end of a line. */
function head(context: CanvasRenderingContext2D, way: readonly Point[], scale: number): void {
  const [x, y] = way.at(-1) as Point;
  const size = 5 * Math.min(1.2, Math.max(0.7, scale));
  const by = x < (way.at(-2) as Point)[0] || way.length < 2 ? size : -size;
  context.beginPath();
  context.moveTo(x, y);
  context.lineTo(x + by, y - size * 0.6);
  context.lineTo(x + by, y + size * 0.6);
  context.fill();
}

/** The same lines for a file, in its own pixels: what `d` of a path is. */
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

/** The frame of a node that the selected one waits for, or that waits for it. */
export function relatedColour({ related, palette }: Scene, path: string): string | undefined {
  if (related?.before.has(path)) return palette.blue;
  return related?.after.has(path) ? palette.orange : undefined;
}

/** The box of a scene in its own pixels, for a file. */
export function boxInPixels(scene: Scene, box: Box): Region {
  return sidesOf(scene, box);
}
