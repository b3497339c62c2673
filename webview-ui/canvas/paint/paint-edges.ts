import { columnX, detailAt, nodeWidth, ROW, rowY } from '../../../src/drawing/geometry.ts';
import { firstFrom, type Placed } from '../../../src/drawing/layout/tree-layout.ts';
import { parentsIn, type Region, type Scene } from '../../../src/drawing/scene.ts';

/** Draws the lines from parents to children: curves where there is room, brackets where there is not. */
export function paintEdges(context: CanvasRenderingContext2D, scene: Scene, region: Region): void {
  if (detailAt(scene.camera) === 'mark') paintBrackets(context, scene, region);
  else paintCurves(context, scene, region);
}

interface Line {
  readonly from: Placed;
  readonly to: Placed;
}

function paintCurves(context: CanvasRenderingContext2D, scene: Scene, region: Region): void {
  const { palette, best, camera } = scene;
  const lines = linesIn(scene, region);
  const isFaint = ({ to }: Line): boolean => to.isCutOff;
  const isBest = ({ to }: Line): boolean => best.has(to.node.path);
  const thick = Math.max(1, 1.3 * Math.min(camera.scale, 1.2));
  context.lineCap = 'round';
  context.strokeStyle = palette.edge;
  const plain = lines.filter((line) => !isFaint(line) && !isBest(line));
  stroke(context, scene, plain, thick);
  context.setLineDash([3, 4]);
  stroke(context, scene, lines.filter(isFaint), thick);
  context.setLineDash([]);
  context.strokeStyle = palette.yellow;
  const bright = lines.filter((line) => isBest(line) && !isFaint(line));
  stroke(context, scene, bright, thick * 2);
}

function stroke(context: CanvasRenderingContext2D, scene: Scene, lines: readonly Line[], width: number): void {
  if (lines.length === 0) return;
  context.lineWidth = width;
  context.beginPath();
  for (const { from, to } of lines) {
    const [x1, y1, x2, y2] = endsOf(scene, from, to);
    const bend = (x2 - x1) * 0.55;
    context.moveTo(x1, y1);
    context.bezierCurveTo(x1 + bend, y1, x2 - bend, y2, x2, y2);
  }
  context.stroke();
}

/** Returns the ends of an edge. */
function endsOf({ camera, rowOf }: Scene, from: Placed, to: Placed): [number, number, number, number] {
  return [
    columnX(camera, from.column) + nodeWidth(camera, from.column),
    rowY(camera, rowOf(from)),
    columnX(camera, to.column),
    rowY(camera, rowOf(to)),
  ];
}

function linesIn(scene: Scene, region: Region): Line[] {
  const { layout, camera, rowOf } = scene;
  const lines: Line[] = [];
  for (const column of columnsIn(scene, region))
    for (const from of parentsIn(scene, layout.parents[column] ?? [], region)) {
      const a = rowY(camera, rowOf(from));
      for (const to of childrenOf(scene, from)) {
        const b = rowY(camera, rowOf(to));
        if (Math.max(a, b) >= region.top && Math.min(a, b) <= region.bottom) lines.push({ from, to });
      }
    }
  return lines;
}

/** Returns the children, which are consecutive in the next column; by rounds they can be in any. */
function childrenOf({ layout }: Scene, { node, column, firstChild, lastChild }: Placed): readonly Placed[] {
  if (layout.heads.length > 0) return node.children.flatMap(({ path }) => layout.byPath.get(path) ?? []);
  const next = layout.columns[column + 1] ?? [];
  const from = firstFrom(next, firstChild);
  let to = from;
  while (to < next.length && (next[to] as Placed).row <= lastChild) to++;
  return next.slice(from, to);
}

/** Returns the columns whose lines to the next one are visible in a region. */
function columnsIn({ layout, camera }: Scene, { left, right }: Region): number[] {
  const all = layout.columns.map((_, index) => index);
  const isLong = layout.heads.length > 0;
  return all.filter((index) => (isLong || columnX(camera, index + 2) >= left) && columnX(camera, index) <= right);
}

/** Draws dotted lines from merged nodes to their equals, if single nodes can be distinguished. */
export function paintMerges(context: CanvasRenderingContext2D, scene: Scene, region: Region): void {
  if (detailAt(scene.camera) === 'mark') return;
  const { layout, camera, palette, rowOf } = scene;
  context.strokeStyle = palette.purple;
  context.lineWidth = 1.5;
  context.setLineDash([1, 4]);
  for (const from of layout.merged) {
    const to = layout.byPath.get(from.node.data.sameAs ?? '');
    if (!to) continue;
    const [y1, y2] = [rowY(camera, rowOf(from)), rowY(camera, rowOf(to))];
    if (Math.max(y1, y2) < region.top || Math.min(y1, y2) > region.bottom) continue;
    const [x1, x2] = [from, to].map(({ column }) => columnX(camera, column) + nodeWidth(camera, column)) as [
      number,
      number,
    ];
    const bend = Math.min(60, 16 + Math.abs(y2 - y1) / 6) * camera.scale;
    context.beginPath();
    context.moveTo(x1, y1);
    context.bezierCurveTo(Math.max(x1, x2) + bend, y1, Math.max(x1, x2) + bend, y2, x2, y2);
    context.stroke();
  }
  context.setLineDash([]);
}

/** One vertical line per parent, and none if it would be shorter than a pixel: a straight line costs next to nothing. */
function paintBrackets(context: CanvasRenderingContext2D, scene: Scene, region: Region): void {
  const { layout, camera, palette, best } = scene;
  for (const isBest of [false, true]) {
    context.fillStyle = isBest ? palette.yellow : palette.edge;
    const thick = isBest ? 2 : 1;
    for (const column of columnsIn(scene, region)) {
      const x = columnX(camera, column + 1) - 10;
      let drawn = Number.NEGATIVE_INFINITY;
      for (const parent of parentsIn(scene, layout.parents[column] ?? [], region)) {
        if (best.has(parent.node.path) !== isBest) continue;
        const [top, bottom] = [rowY(camera, parent.firstChild), rowY(camera, parent.lastChild)];
        if (bottom - top < 2 && Math.round(bottom) === drawn) continue;
        drawn = Math.round(bottom);
        context.fillRect(x, top, thick, Math.max(1, bottom - top));
        if (bottom - top < 6) continue;
        const from = columnX(camera, column) + markEnd(scene, column);
        context.fillRect(from, rowY(camera, parent.row), x - from, thick);
      }
    }
  }
}

/** Returns where the line of a mark begins, after its words. */
function markEnd({ camera }: Scene, column: number): number {
  return nodeWidth(camera, column) * (ROW * camera.scale > 3 ? 1 : 0.9);
}
