import type { GraphNode } from '../../src/protocol/graph-node.ts';
import { figures } from '../state/figures.ts';
import { CARD_HEIGHT, CARD_WIDTH, type Camera, COLUMN, ROW } from '../state/geometry.ts';
import type { Box, DrawnLine, Layout, Placed } from '../state/tree-layout.ts';
import { colourOf, glyphOf, scoreColour } from './paint/glyphs.ts';
import { scoreText } from './paint/paint-card.ts';
import { boxInPixels, DASHES, pathOf } from './paint/paint-lines.ts';
import type { Scene } from './scene.ts';

const MARGIN = 32;
/** About as many letters as fit on a card. */
const LETTERS = 25;

/** The drawing as a self-contained SVG file: everything that is open, at full size, in the colours of the theme. */
export function pictureOf(scene: Scene): string {
  const { layout, palette } = scene;
  const width = MARGIN * 2 + (Math.max(1, layout.columns.length) - 1) * COLUMN + CARD_WIDTH + 48;
  const height = MARGIN * 2 + (layout.bottom - layout.top + 1) * ROW;
  const whole = { ...scene, camera: wholeCamera(layout), rowOf: ({ row }: Placed): number => row };
  const font = attribute(`${palette.font}, sans-serif`);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${n(height)}" viewBox="0 0 ${width} ${n(height)}" font-family="${font}" font-size="12.5">`,
    `<rect width="100%" height="100%" fill="${attribute(palette.background)}"/>`,
    ...layout.boxes.map((box) => boxOf(whole, box)),
    ...layout.lines.map((line) => linkLine(whole, line)),
    ...(layout.isLayered ? [] : layout.placed.map((placed) => edge(scene, placed))),
    ...layout.merged.map((placed) => mergeLine(scene, placed)),
    ...layout.placed.map((placed) => card(scene, placed)),
    '</svg>\n',
  ].join('\n');
}

function x(placed: Placed): number {
  return MARGIN + placed.column * COLUMN;
}

function y({ layout }: Scene, placed: Placed): number {
  return MARGIN + (placed.row - layout.top + 0.5) * ROW;
}

/** The camera at which everything is where the file has it. */
function wholeCamera({ top }: Layout): Camera {
  return { x: MARGIN, y: MARGIN + (0.5 - top) * ROW, scale: 1, least: 1 };
}

/** A box around parts. */
function boxOf(scene: Scene, box: Box): string {
  const { left, top, right, bottom } = boxInPixels(scene, box);
  const dash = box.placed.node.data.role === 'alternative' ? ' stroke-dasharray="4 4"' : '';
  return `<rect x="${n(left)}" y="${n(top)}" width="${n(right - left)}" height="${n(bottom - top)}" rx="8" fill="none" stroke="${attribute(scene.palette.border)}"${dash}/>`;
}

/** A link between two nodes. */
function linkLine(scene: Scene, line: DrawnLine): string {
  const face = scene.faces && Object.hasOwn(scene.faces, line.type) ? scene.faces[line.type] : undefined;
  if (!face) return '';
  const dash = DASHES[face.line].length > 0 ? ` stroke-dasharray="${DASHES[face.line].join(' ')}"` : '';
  return `<path d="${pathOf(scene, line)}" fill="none" stroke="${attribute(scene.palette.edge)}" stroke-width="1.3" stroke-linecap="round"${dash}/>`;
}

function edge(scene: Scene, to: Placed): string {
  const from = to.node.parent && scene.layout.byPath.get(to.node.parent.path);
  if (!from) return '';
  const [x1, y1, x2, y2] = [x(from) + CARD_WIDTH, y(scene, from), x(to), y(scene, to)];
  const bend = (x2 - x1) * 0.55;
  const isBest = scene.best.has(to.node.path);
  const dash = to.node.data.status === 'pruned' ? ' stroke-dasharray="3 4"' : '';
  const colour = attribute(isBest ? scene.palette.yellow : scene.palette.edge);
  const d = `M${n(x1)} ${n(y1)}C${n(x1 + bend)} ${n(y1)} ${n(x2 - bend)} ${n(y2)} ${n(x2)} ${n(y2)}`;
  return `<path d="${d}" fill="none" stroke="${colour}" stroke-width="${isBest ? 2.6 : 1.3}"${dash}/>`;
}

/** A dotted line from a merged node to its equal. */
function mergeLine(scene: Scene, from: Placed): string {
  const to = scene.layout.byPath.get(from.node.data.sameAs ?? '');
  if (!to) return '';
  const [x1, y1, x2, y2] = [x(from) + CARD_WIDTH, y(scene, from), x(to) + CARD_WIDTH, y(scene, to)];
  const bend = Math.max(x1, x2) + Math.min(60, 16 + Math.abs(y2 - y1) / 6);
  const d = `M${n(x1)} ${n(y1)}C${n(bend)} ${n(y1)} ${n(bend)} ${n(y2)} ${n(x2)} ${n(y2)}`;
  return `<path d="${d}" fill="none" stroke="${attribute(scene.palette.purple)}" stroke-width="1.5" stroke-dasharray="1 4"/>`;
}

function card(scene: Scene, placed: Placed): string {
  const { palette, best } = scene;
  const { data, path } = placed.node;
  const { fill, stroke, mark } = glyphOf(data);
  const colour = attribute(colourOf(data, palette));
  const border = attribute(data.status === 'failed' ? palette.red : best.has(path) ? palette.yellow : palette.border);
  const words = attribute(data.status === 'pruned' ? palette.disabled : palette.text);
  const round = 'stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round"';
  return [
    `<g transform="translate(${n(x(placed))} ${n(y(scene, placed))})"><title>${escaped(data.title)}</title>`,
    `<rect y="${-CARD_HEIGHT / 2}" width="${CARD_WIDTH}" height="${CARD_HEIGHT}" rx="6" fill="${attribute(palette.card)}" stroke="${border}"/>`,
    '<g transform="translate(8 -7)">',
    fill ? `<path d="${fill}" fill="${colour}"/>` : '',
    stroke ? `<path d="${stroke}" fill="none" stroke="${colour}" ${round}/>` : '',
    mark ? `<path d="${mark}" fill="none" stroke="${attribute(palette.background)}" ${round}/>` : '',
    '</g>',
    `<text x="29" y="4.5" fill="${words}">${escaped(cut(data.title, data.score === undefined ? LETTERS + 4 : LETTERS))}</text>`,
    data.score === undefined ? '' : score(scene, data, data.score),
    placed.hidden > 0
      ? `<text x="${CARD_WIDTH + 8}" y="4" font-size="10" fill="${words}">+${figures.count(placed.hidden)}</text>`
      : '',
    '</g>',
  ].join('');
}

function score({ palette }: Scene, data: GraphNode, value: number): string {
  const right = CARD_WIDTH - 9;
  return [
    `<text x="${right}" y="0" text-anchor="end" font-size="10" fill="${attribute(palette.dim)}">${scoreText(data)}</text>`,
    `<rect x="${right - 26}" y="5" width="${n(2.6 * value)}" height="3" ${data.isLowConfidence ? `fill="none" stroke="${attribute(scoreColour(value, palette))}"` : `fill="${attribute(scoreColour(value, palette))}"`}/>`,
  ].join('');
}

function cut(text: string, longest: number): string {
  const letters = [...text];
  return letters.length <= longest ? text : `${letters.slice(0, longest - 1).join('')}…`;
}

function n(value: number): string {
  return String(Math.round(value * 10) / 10);
}

/** XML does not allow them. */
const CONTROLS = /[[\p{Cc}--[\t\n]]\ufffe\uffff]/gv;

function escaped(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(CONTROLS, ' ')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}

function attribute(text: string): string {
  return escaped(text).replaceAll('"', '&quot;');
}
