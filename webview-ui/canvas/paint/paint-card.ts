import { CARD_HEIGHT, columnX, nodeWidth, rowY, SUMMARIES } from '../../../src/drawing/geometry.ts';
import { colourIn, colourOf, glyphOf, isMerged, isSetAside, scoreColour } from '../../../src/drawing/glyphs.ts';
import { labelOf, scoreText } from '../../../src/drawing/labels.ts';
import type { Placed } from '../../../src/drawing/layout/tree-layout.ts';
import { relatedColour } from '../../../src/drawing/lines.ts';
import type { Scene } from '../../../src/drawing/scene.ts';
import type { ViewNode } from '../../../src/drawing/tree-model.ts';
import type { GraphNode } from '../../../src/protocol/graph-node.ts';
import { figures } from '../../state/figures.ts';
import { marksText } from '../../state/texts.ts';
import type { Words } from '../../state/words.ts';
import { paintGlyph } from './paint-glyph.ts';

const TITLE = 12;
const SMALL = 10.5;
const ORDER = ['expanded', 'leaf', 'in-progress', 'unexpanded', 'failed', 'pruned'] as const;

/** Draws a node with all its details. */
export function paintCard(context: CanvasRenderingContext2D, scene: Scene, placed: Placed, words: Words): void {
  const { camera, palette, rowOf, selected, best, ranks, running } = scene;
  const { node, hidden } = placed;
  const { data, path } = node;
  const isSelected = selected === path;
  context.save();
  context.translate(columnX(camera, placed.column), rowY(camera, rowOf(placed)));
  context.scale(camera.scale, camera.scale);
  const width = nodeWidth(camera, placed.column) / camera.scale;
  const top = -CARD_HEIGHT / 2;
  context.fillStyle = palette.card;
  context.beginPath();
  context.roundRect(0, top, width, CARD_HEIGHT, 6);
  context.fill();
  if (isSelected) {
    context.fillStyle = palette.selection; // it may be translucent
    context.fill();
  }
  frame(context, scene, placed, isSelected);
  const rank = ranks.get(path);
  if (rank !== undefined && !isSetAside(data) && !placed.isCutOff) paintRank(context, scene, rank, 15, 0, 8);
  else {
    const { background } = palette;
    paintGlyph(context, glyphOf(data), colourIn(placed, palette), background, 8, -7, 14);
  }
  const more = hidden > 0 ? `+${figures.count(hidden)}` : '';
  context.textBaseline = 'middle';
  const hasMarksBelow = scene.layout.isLayered && data.marks !== undefined;
  const isRead = camera.scale >= SUMMARIES && data.summary !== undefined;
  if (hasMarksBelow && !isRead) paintMarksBelow(context, scene, data, width - 38, isSelected, words);
  context.textAlign = 'right';
  let right = width - 9;
  if (hasMarksBelow) right = width - 3;
  else if (data.score !== undefined) right = paintScore(context, scene, data, right, isSelected);
  context.textAlign = 'left';
  context.font = `${best.has(path) || node.depth === 0 ? '600 ' : ''}${TITLE}px ${palette.font}`;
  context.fillStyle = titleColour(scene, placed, isSelected);
  if (isRead) paintRead(context, scene, placed, right - 32, isSelected, words);
  const lines = isRead ? [] : words.inLines(context, labelOf(data.title), right - 32, hasMarksBelow ? 1 : 2);
  paintTitle(context, lines, 29, hasMarksBelow ? -6.5 : 0.5, { leading: 14, isStruck: data.status === 'pruned' });
  if (more !== '') paintMore(context, scene, placed, more, width + 6, running.has(path));
  context.restore();
}

/** Draws the title in one line, and below it its marks, if they stand there, and what was found: close up, a card is read. */
function paintRead(
  context: CanvasRenderingContext2D,
  { palette, best, layout }: Scene,
  { node }: Placed,
  width: number,
  isSelected: boolean,
  words: Words,
): void {
  const { data, path, depth } = node;
  context.font = `${best.has(path) || depth === 0 ? '600 ' : ''}10px ${palette.font}`;
  context.fillText(words.fitted(context, labelOf(data.title), width), 29, -10.5);
  context.font = `7.5px ${palette.font}`;
  context.fillStyle = isSelected ? palette.selectionText : palette.dim;
  const marks = layout.isLayered && data.marks ? [words.fitted(context, marksText(data.marks).join(' · '), width)] : [];
  const lines = [...marks, ...words.inLines(context, labelOf(data.summary ?? ''), width, 2 - marks.length)];
  for (const [i, line] of lines.entries()) context.fillText(line, 29, 1.5 + i * 9.5);
}

/** Draws the lines of a title around a middle line. */
export function paintTitle(
  context: CanvasRenderingContext2D,
  lines: readonly string[],
  x: number,
  middle: number,
  { leading, isStruck }: { readonly leading: number; readonly isStruck: boolean },
): void {
  for (const [i, line] of lines.entries()) {
    const y = middle + (i - (lines.length - 1) / 2) * leading;
    context.fillText(line, x, y);
    if (isStruck) context.fillRect(x, y - 0.5, context.measureText(line).width, 1);
  }
}

/** Returns what is pruned, or in a pruned branch, is faint; merged and unkept ones are dimmed. */
function titleColour({ palette }: Scene, { node: { data }, isCutOff }: Placed, isSelected: boolean): string {
  if (isCutOff) return palette.disabled;
  if (isSelected) return palette.selectionText;
  return isMerged(data) || isSetAside(data) || data.role === 'alternative' ? palette.dim : palette.text;
}

function frame(context: CanvasRenderingContext2D, scene: Scene, { node, isCutOff }: Placed, isSelected: boolean): void {
  const { palette, best } = scene;
  const { status, role } = node.data;
  const isStrong = (status === 'failed' && !isCutOff) || status === 'in-progress' || best.has(node.path);
  const related = relatedColour(scene, node.path);
  context.lineWidth = isSelected || related ? 2 : isStrong || role === 'choice' ? 1.5 : 1;
  context.strokeStyle = isSelected ? palette.focus : (related ?? frameColour(scene, node, isCutOff));
  const isAside = isCutOff || isMerged(node.data) || isSetAside(node.data) || role === 'alternative';
  if (isAside && !isSelected) context.setLineDash([3, 3]);
  context.stroke();
  context.setLineDash([]);
}

function frameColour({ palette, best }: Scene, { path, data: { status } }: ViewNode, isCutOff: boolean): string {
  if (isCutOff) return palette.border;
  if (status === 'failed') return palette.red;
  if (status === 'in-progress') return palette.blue;
  return best.has(path) ? palette.yellow : palette.border;
}

/** Draws an open leaf's place in line inside its ring. */
export function paintRank(
  context: CanvasRenderingContext2D,
  { palette }: Scene,
  rank: number,
  x: number,
  y: number,
  radius: number,
): void {
  context.beginPath();
  context.arc(x, y, radius, 0, Math.PI * 2);
  context.strokeStyle = palette.dim;
  context.lineWidth = 1.3;
  context.stroke();
  context.font = `600 ${radius * 1.12}px ${palette.font}`;
  context.fillStyle = palette.text;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.fillText(String(rank), x, y + 0.5);
  context.textAlign = 'left';
}

/** Draws what its kind says of a node below the title, where shape and colour do not say it all. */
function paintMarksBelow(
  context: CanvasRenderingContext2D,
  { palette }: Scene,
  { marks }: GraphNode,
  width: number,
  isSelected: boolean,
  words: Words,
): void {
  context.font = `${SMALL}px ${palette.font}`;
  context.fillStyle = isSelected ? palette.selectionText : palette.dim;
  context.fillText(words.fitted(context, marksText(marks).join(' · '), width), 29, 8);
}

/** Draws a score as a number above a bar, which is hollow for low confidence; returns where it begins. */
function paintScore(
  context: CanvasRenderingContext2D,
  { palette }: Scene,
  data: GraphNode,
  right: number,
  isSelected: boolean,
): number {
  const width = 26;
  context.font = `600 ${SMALL}px ${palette.font}`;
  context.fillStyle = isSelected ? palette.selectionText : palette.dim;
  const score = data.score ?? 0;
  context.fillText(scoreText(data), right, -4);
  if (!data.isLowConfidence) {
    context.globalAlpha *= 0.35;
    context.fillStyle = palette.dim;
    context.fillRect(right - width, 5, width, 3);
    context.globalAlpha /= 0.35;
  }
  context.fillStyle = scoreColour(score, palette);
  if (data.isLowConfidence) {
    context.strokeStyle = scoreColour(score, palette);
    context.lineWidth = 1;
    context.strokeRect(right - width + 0.5, 5, Math.max(2, (width * score) / 10 - 1), 3);
  } else context.fillRect(right - width, 5, (width * score) / 10, 3);
  return right - width - 8;
}

/** Draws the content of a closed branch: the number of nodes, and a strip showing the progress. */
function paintMore(
  context: CanvasRenderingContext2D,
  { palette }: Scene,
  { hidden, hiddenIn }: Placed,
  text: string,
  x: number,
  isRunning: boolean,
): void {
  context.font = `${SMALL}px ${palette.font}`;
  context.textAlign = 'left';
  const width = Math.max(26, context.measureText(text).width + 12);
  context.beginPath();
  context.roundRect(x, -9, width, 18, 9);
  context.fillStyle = palette.card;
  context.fill();
  context.strokeStyle = isRunning ? palette.blue : palette.border;
  context.lineWidth = 1;
  context.stroke();
  context.fillStyle = palette.text;
  context.fillText(text, x + 6, -1);
  let at = x + 6;
  const room = width - 12;

  for (const status of ORDER) {
    const part = (room * (hiddenIn[status] ?? 0)) / hidden;
    if (part <= 0) continue;
    context.fillStyle = colourOf({ path: 'any', status }, palette);
    context.fillRect(at, 4.5, part, 2);
    at += part;
  }
}
