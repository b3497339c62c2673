import { columnX, detailAt, linesAt, nodeHeight, nodeWidth, rowY } from '../../../src/drawing/geometry.ts';
import { colourIn, glyphOf, isSetAside } from '../../../src/drawing/glyphs.ts';
import { labelOf, scoreText } from '../../../src/drawing/labels.ts';
import type { Placed } from '../../../src/drawing/layout/tree-layout.ts';
import { relatedColour } from '../../../src/drawing/lines.ts';
import { placedIn, type Region, type Scene } from '../../../src/drawing/scene.ts';
import { figures } from '../../state/figures.ts';
import { marksText } from '../../state/texts.ts';
import type { Words } from '../../state/words.ts';
import { paintCard, paintRank, paintTitle } from './paint-card.ts';
import { paintGlyph } from './paint-glyph.ts';
import { FAINT, paintMarks, paintSelectedMark } from './paint-marks.ts';

/** What a title keeps of its line before a score may stand behind it, in pixels. */
const LEAST_WORDS = 26;

/** Draws the nodes that are in a region of the window. */
export function paintNodes(context: CanvasRenderingContext2D, scene: Scene, region: Region, words: Words): void {
  const detail = detailAt(scene.camera);
  for (const [index, column] of scene.layout.columns.entries()) {
    const x = columnX(scene.camera, index);
    if (x > region.right || x + nodeWidth(scene.camera, index) + 40 < region.left) continue;
    if (detail === 'mark') paintMarks(context, scene, region, column, words);
    else
      for (const placed of placedIn(scene, column, region)) {
        context.globalAlpha = scene.presence(placed) * (scene.found && !scene.found.has(placed.node.path) ? FAINT : 1);
        if (detail === 'card') paintCard(context, scene, placed, words);
        else paintLine(context, scene, placed, words);
      }
  }
  context.globalAlpha = 1;
  if (detail === 'mark') paintSelectedMark(context, scene, words);
}

/** A line of words: shape, title, score. */
function paintLine(context: CanvasRenderingContext2D, scene: Scene, placed: Placed, words: Words): void {
  const { camera, palette, rowOf, selected, best } = scene;
  const { node } = placed;
  const x = columnX(camera, placed.column);
  const y = rowY(camera, rowOf(placed));
  const [width, height] = [nodeWidth(camera, placed.column), nodeHeight(camera)];
  const isSelected = selected === node.path;
  context.fillStyle = isSelected ? palette.selection : palette.background;
  context.beginPath();
  context.roundRect(x, y - height / 2, width, height, 4);
  context.fill();
  const related = relatedColour(scene, node.path);
  if (isSelected || related) outline(context, isSelected ? palette.focus : (related ?? palette.border), 2);
  else if (node.data.role === 'choice' || node.data.role === 'alternative') {
    if (node.data.role === 'alternative') context.setLineDash([3, 3]);
    outline(context, palette.border, 1);
    context.setLineDash([]);
  }
  const rank = scene.ranks.get(node.path);
  if (rank !== undefined && !isSetAside(node.data) && !placed.isCutOff) paintRank(context, scene, rank, x + 9, y, 7);
  else paintGlyph(context, glyphOf(node.data), colourIn(placed, palette), palette.background, x + 3, y - 6, 12);
  const isDim = placed.isCutOff;
  const plain = node.data.role === 'alternative' ? palette.dim : palette.text;
  context.fillStyle = isDim ? palette.disabled : isSelected ? palette.selectionText : plain;
  context.font = `${best.has(node.path) || node.depth === 0 ? '600 ' : ''}11px ${palette.font}`;
  context.textBaseline = 'middle';
  const tails = tailsOf(placed, scene.layout.isLayered ? 1 : 0);
  const isShort = (text: string): boolean => context.measureText(text).width + 8 + LEAST_WORDS <= width - 24;
  const tail = tails.find(isShort) ?? '';
  const tailWidth = tail === '' ? 0 : context.measureText(tail).width + 8;
  const lines = words.inLines(context, labelOf(node.data.title), width - 24 - tailWidth, linesAt(camera));
  paintTitle(context, lines, x + 19, y + 0.5, { leading: 12, isStruck: node.data.status === 'pruned' });
  if (tail === '') return;
  context.fillStyle = isSelected ? palette.selectionText : palette.dim;
  context.textAlign = 'right';
  context.fillText(tail, x + width - 4, y + 0.5);
  context.textAlign = 'left';
}

/**
 * Returns what can stand behind a title: all of it, or what is said last where there is less room.
 * @param most how many of its kind's marks there is room for
 */
function tailsOf({ node, hidden }: Placed, most: number): string[] {
  const marks = marksText(node.data.marks).slice(0, most).join(' ');
  const all = [marks, scoreText(node.data), hidden > 0 ? `+${figures.count(hidden)}` : ''].filter(Boolean);
  return all.map((_, from) => all.slice(from).join('  '));
}

function outline(context: CanvasRenderingContext2D, colour: string, width: number): void {
  context.strokeStyle = colour;
  context.lineWidth = width;
  context.stroke();
}
