import { columnX, nodeHeight, nodeWidth, ROW, rowY } from '../../../src/drawing/geometry.ts';
import { colourIn, isMerged, isSetAside } from '../../../src/drawing/glyphs.ts';
import { labelOf } from '../../../src/drawing/labels.ts';
import type { Placed } from '../../../src/drawing/layout/tree-layout.ts';
import { farColumn, placedIn, type Region, type Scene } from '../../../src/drawing/scene.ts';
import type { Words } from '../../state/words.ts';

/** The opacity of what does not match a filter. */
export const FAINT = 0.22;
const FONT = 11;
/** Where the words of a mark begin, after the longest possible mark. */
const WORDS_AT = 29;

/** Draws a column from far away: a strip per node, its length by score, in its status's colour; words if there is room. */
export function paintMarks(
  context: CanvasRenderingContext2D,
  scene: Scene,
  region: Region,
  column: readonly Placed[],
  words: Words,
): void {
  const { marks, labelled } = farColumn(column, scene.camera.scale, scene.found);
  const shown = placedIn(scene, marks, { ...region, top: region.top - FONT, bottom: region.bottom + FONT });
  for (const placed of shown) {
    context.globalAlpha = scene.found && !scene.found.has(placed.node.path) ? FAINT : 1;
    paintMark(context, scene, placed);
  }
  context.globalAlpha = 1;
  for (const placed of shown) if (labelled.has(placed)) paintLabel(context, scene, placed, words);
}

/** Draws the selected node from far away, even if others share its line. */
export function paintSelectedMark(context: CanvasRenderingContext2D, scene: Scene, words: Words): void {
  const { camera, palette, selected, layout, rowOf } = scene;
  const placed = selected === null ? undefined : layout.byPath.get(selected);
  if (!placed) return;
  const [x, y] = [columnX(camera, placed.column), rowY(camera, rowOf(placed))];
  const height = Math.max(14, nodeHeight(camera) + 4);
  context.fillStyle = palette.background;
  context.fillRect(x - 3, y - height / 2, nodeWidth(camera, placed.column), height);
  paintMark(context, scene, placed);
  paintLabel(context, scene, placed, words);
  context.strokeStyle = palette.focus;
  context.lineWidth = 2;
  context.strokeRect(x - 3, y - height / 2, nodeWidth(camera, placed.column), height);
}

function paintMark(context: CanvasRenderingContext2D, scene: Scene, placed: Placed): void {
  const { camera, palette } = scene;
  const { data } = placed.node;
  const [x, y] = [columnX(camera, placed.column), rowY(camera, scene.rowOf(placed))];
  const height = nodeHeight(camera);
  const isOpen = data.status === 'unexpanded';
  const width = isOpen ? 5 : 8 + (data.score ?? 0) * 1.6;
  context.fillStyle = colourIn(placed, palette);
  if (height < 4) {
    const isFaint = placed.isCutOff || isOpen;
    context.fillRect(x, y - height / 2, width, isFaint ? Math.max(1, height / 2) : height);
  } else if (placed.isCutOff || isOpen || isMerged(data)) {
    context.strokeStyle = context.fillStyle;
    context.lineWidth = 1;
    context.strokeRect(x + 0.5, y - height / 2 + 0.5, width - 1, height - 1);
    if (isSetAside(data)) context.fillRect(x + width + 2, y - height / 2, 2, height);
  } else context.fillRect(x, y - height / 2, width, height);
}

function paintLabel(context: CanvasRenderingContext2D, scene: Scene, placed: Placed, words: Words): void {
  const { camera, palette } = scene;
  const { data, depth } = placed.node;
  const [x, y] = [columnX(camera, placed.column) + WORDS_AT, rowY(camera, scene.rowOf(placed))];
  context.font = `${depth <= 1 ? '600 ' : ''}${FONT}px ${palette.font}`;
  context.textBaseline = 'middle';
  const text = words.fitted(context, labelOf(data.title), nodeWidth(camera, placed.column) - WORDS_AT - 15);
  if (ROW * camera.scale < FONT) {
    context.fillStyle = palette.background;
    context.fillRect(x - 2, y - 6, context.measureText(text).width + 4, 12);
  }
  context.fillStyle = placed.isCutOff ? palette.disabled : palette.text;
  context.fillText(text, x, y + 0.5);
}
