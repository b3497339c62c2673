import { detailAt } from '../../../src/drawing/geometry.ts';
import { bends, DASHES, emphasisOf, isIn, type Point, sidesOf, wayOf } from '../../../src/drawing/lines.ts';
import type { Region, Scene } from '../../../src/drawing/scene.ts';

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
    context.lineWidth = emphasis === 'plain' ? thick : Math.max(2, thick * 1.8);
    context.globalAlpha = alpha * (related && emphasis === 'plain' ? 0.45 : 1);
    for (const [type, { line: look }] of Object.entries(scene.descriptors ?? {})) {
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

/** A curve between each two points. */
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
