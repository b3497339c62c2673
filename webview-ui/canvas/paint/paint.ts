import { HEAD } from '../../../src/drawing/camera.ts';
import { columnX, detailAt, nodeHeight, nodeWidth, rowY, scaleX } from '../../../src/drawing/geometry.ts';
import { fitted } from '../../../src/drawing/labels.ts';
import { roundsText } from '../../../src/drawing/layout/tree-layout.ts';
import type { Region, Scene } from '../../../src/drawing/scene.ts';
import { l10n } from '../../state/l10n.ts';
import type { Words } from '../../state/words.ts';
import { paintEdges, paintMerges } from './paint-edges.ts';
import { paintBoxes, paintLines } from './paint-lines.ts';
import { paintNodes } from './paint-nodes.ts';

/** Draws everything in a region of the window. */
export function paint(context: CanvasRenderingContext2D, scene: Scene, region: Region, words: Words): void {
  context.globalAlpha = 1;
  context.textAlign = 'left';
  context.direction = 'ltr';
  context.fillStyle = scene.palette.background;
  context.fillRect(region.left, region.top, region.right - region.left, region.bottom - region.top);
  if (scene.found) context.globalAlpha = 0.4;
  paintBoxes(context, scene, region);
  paintEdges(context, scene, region);
  paintLines(context, scene, region);
  context.globalAlpha = 1;
  paintNodes(context, scene, region, words);
  paintMerges(context, scene, region);
}

/** Draws pulsing rings around nodes in progress, over a finished picture. */
export function paintPulses(context: CanvasRenderingContext2D, scene: Scene, region: Region, phase: number): boolean {
  const { camera, palette, layout, rowOf, running } = scene;
  let any = false;
  context.strokeStyle = palette.blue;
  for (const path of running) {
    const placed = layout.byPath.get(path);
    if (!placed) continue;
    const [x, y] = [columnX(camera, placed.column), rowY(camera, rowOf(placed))];
    if (
      x + nodeWidth(camera, placed.column) < region.left ||
      x > region.right ||
      y < region.top - 40 ||
      y > region.bottom + 40
    )
      continue;
    any = true;
    const isCard = detailAt(camera) === 'card';
    const swell = phase * (isCard ? 7 : 5);
    const height = Math.max(4, nodeHeight(camera));
    const width = detailAt(camera) === 'mark' ? 18 : nodeWidth(camera, placed.column);
    context.globalAlpha = 0.7 * (1 - phase);
    context.lineWidth = 2;
    context.beginPath();
    context.roundRect(
      x - swell,
      y - height / 2 - swell,
      width + swell * 2,
      height + swell * 2,
      (isCard ? 6 * scaleX(camera) : 3) + swell,
    );
    context.stroke();
  }
  context.globalAlpha = 1;
  return any;
}

/** Says above the columns of rounds which they are, over a finished picture: as long as any of it is in sight. */
export function paintHeads(context: CanvasRenderingContext2D, { camera, palette, layout }: Scene, width: number): void {
  if (layout.heads.length === 0) return;
  context.globalAlpha = 0.9;
  context.fillStyle = palette.background;
  context.fillRect(0, 0, width, HEAD);
  context.globalAlpha = 1;
  context.font = `600 11px ${palette.font}`;
  context.textAlign = 'left';
  context.textBaseline = 'middle';
  for (const [column, head] of layout.heads.entries()) {
    const [x, wide] = [columnX(camera, column), nodeWidth(camera, column)];
    if (head.last === 0 || x + wide < 0 || x > width) continue;
    context.fillStyle = palette.dim;
    const text = l10n.t('round {0}', roundsText(head));
    context.fillText(
      fitted(text, wide, (part) => context.measureText(part).width),
      x,
      HEAD / 2,
    );
    context.fillStyle = palette.border;
    context.fillRect(x, HEAD - 1, wide, 1);
  }
}

/** Frames the node under the pointer, over a finished picture. */
export function paintHover(
  context: CanvasRenderingContext2D,
  { camera, palette, layout, rowOf, hovered }: Scene,
): void {
  const placed = hovered === null ? undefined : layout.byPath.get(hovered);
  if (!placed) return;
  const height = Math.max(8, nodeHeight(camera));
  context.strokeStyle = palette.focus;
  context.lineWidth = 1;
  context.beginPath();
  const [x, y] = [columnX(camera, placed.column), rowY(camera, rowOf(placed))];
  context.roundRect(x - 2, y - height / 2 - 2, nodeWidth(camera, placed.column) + 4, height + 4, 6);
  context.stroke();
}
