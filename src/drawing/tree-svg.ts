import type { SnapshotMessage } from '../protocol/host-message.ts';
import { HEAD } from './camera.ts';
import { CARD_HEIGHT, type Camera, columnsFor, columnX, nodeWidth, ROW, rowY, widthOf } from './geometry.ts';
import { colourIn, glyphOf, isMerged, isSetAside, scoreColour } from './glyphs.ts';
import { estimating, inLines, labelOf, scoreText } from './labels.ts';
import { layersLayoutOf } from './layout/layer-layout.ts';
import {
  type Box,
  type DrawnLine,
  type Head,
  type Layout,
  layoutOf,
  type Placed,
  roundsText,
} from './layout/tree-layout.ts';
import { DASHES, pathOf, sidesOf } from './lines.ts';
import { PALETTES, type Palette } from './palette.ts';
import type { Scene } from './scene.ts';
import { TreeModel } from './tree-model.ts';

export interface SvgOptions {
  /** Levels below the question that are drawn, at least 1; by default all. Deeper nodes are counted, not drawn. */
  readonly levels?: number;
  /** Translates a text of the kind (`words`, `marks`); by default it stays English. */
  readonly say?: (text: string) => string;
  /** Returns the address to which the card of a node leads, if any. */
  readonly link?: (path: string) => string | undefined;
  /** Where the root of a tree is: in the middle, by default, or at the top, where a page is read from. */
  readonly from?: 'middle' | 'top';
}

/**
 * A search as a self-contained SVG file: its tree, or its graph in layers for kinds that are drawn so, with the best path
 * in gold. Needs no browser: widths of texts are estimated.
 * @param snapshot what the panel is sent; its nodes have parents before their children
 * @param theme the editor's own light or dark colours, or others
 */
export function treeSvg(
  { nodes, search }: Pick<SnapshotMessage, 'nodes' | 'search'>,
  theme: 'light' | 'dark' | Palette,
  { levels = Number.MAX_SAFE_INTEGER, say = (text) => text, link, from }: SvgOptions = {},
): string {
  const tree = new TreeModel();
  tree.reset({ nodes });
  const unfolding = { levels, opened: new Set<string>(), closed: new Set<string>() };
  const descriptors = search.drawnLinks;
  const layout = descriptors ? layersLayoutOf(tree.root, unfolding, descriptors) : layoutOf(tree.root, unfolding, from);
  const scene = {
    layout,
    palette: typeof theme === 'string' ? PALETTES[theme] : theme,
    best: new Set(search.bestPath),
    descriptors,
  };
  return pictureOf(scene, { say, count: String, link });
}

/** The settings on which words in a picture depend, besides the search. */
export interface PictureWords {
  /** Translates a text of a kind. */
  readonly say: (text: string) => string;
  /** Writes a number of hidden nodes. */
  readonly count: (count: number) => string;
  /** Returns the address to which the card of a node leads, if any; by default no card is a link. */
  readonly link?: ((path: string) => string | undefined) | undefined;
}

const MARGIN = 32;
const TITLE = 12;
const SMALL = 10;
const titleWidth = estimating(TITLE);
const smallWidth = estimating(SMALL);

/** The part of a scene from which a picture is made: no window, no selection, nothing that moves. */
export type Pictured = Pick<Scene, 'layout' | 'palette' | 'best' | 'descriptors'>;

/** Returns the drawing as a self-contained SVG file: everything that is open, at full size. */
export function pictureOf({ layout, palette, best, descriptors }: Pictured, words: PictureWords): string {
  const scene = wholeScene({ layout, palette, best, descriptors });
  const width = MARGIN * 2 + widthOf(scene.camera.columns) + 48;
  const head = layout.heads.length > 0 ? HEAD : 0;
  const height = head + MARGIN * 2 + (layout.bottom - layout.top + 1) * ROW;
  const font = attribute(`${palette.font}, sans-serif`);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${n(height)}" viewBox="0 0 ${width} ${n(height)}" font-family="${font}" font-size="${TITLE}">`,
    `<rect width="100%" height="100%" fill="${attribute(palette.background)}"/>`,
    ...layout.boxes.map((box) => boxOf(scene, box)),
    ...layout.lines.map((line) => linkLine(scene, line)),
    ...(layout.isLayered ? [] : edges(scene)),
    ...layout.merged.map((placed) => mergeLine(scene, placed)),
    ...layout.placed.map((placed) => card(scene, placed, words)),
    ...layout.heads.map((each, column) => headText(scene, each, column, words)),
    '</svg>\n',
  ].join('\n');
}

/** Returns a scene in which everything is where the file has it. */
function wholeScene(pictured: Pictured): Scene {
  return {
    ...pictured,
    camera: wholeCamera(pictured.layout),
    rowOf: ({ row }) => row,
    isGrowing: false,
    presence: () => 1,
    selected: null,
    hovered: null,
    ranks: new Map(),
    found: undefined,
    running: new Set(),
    related: undefined,
  };
}

/** Nothing limits the width, so that titles fit in two lines. */
function wholeCamera(layout: Layout): Camera {
  const columns = columnsFor(layout, Number.POSITIVE_INFINITY, 1.8);
  return {
    x: MARGIN,
    y: MARGIN + (layout.heads.length > 0 ? HEAD : 0) + (0.5 - layout.top) * ROW,
    scale: 1,
    least: 1,
    columns,
  };
}

function x({ camera }: Scene, { column }: Placed): number {
  return columnX(camera, column);
}

/** Returns where a node ends. */
function endX({ camera }: Scene, { column }: Placed): number {
  return columnX(camera, column) + nodeWidth(camera, column);
}

function widthIn({ camera }: Scene, { column }: Placed): number {
  return nodeWidth(camera, column);
}

function y({ camera }: Scene, { row }: Placed): number {
  return rowY(camera, row);
}

/** Returns what is above a column: the round of what is in it. */
function headText({ camera, palette }: Scene, head: Head, column: number, { say }: PictureWords): string {
  if (head.last === 0) return '';
  const text = escaped(say('round {0}').replace('{0}', roundsText(head)));
  return `<text x="${n(columnX(camera, column))}" y="${MARGIN}" font-weight="600" fill="${attribute(palette.dim)}">${text}</text>`;
}

/** Returns a box around parts. */
function boxOf(scene: Scene, box: Box): string {
  const { left, top, right, bottom } = sidesOf(scene, box);
  const dash = box.placed.node.data.role === 'alternative' ? ' stroke-dasharray="4 4"' : '';
  return `<rect x="${n(left)}" y="${n(top)}" width="${n(right - left)}" height="${n(bottom - top)}" rx="8" fill="none" stroke="${attribute(scene.palette.border)}"${dash}/>`;
}

/** Returns a link between two nodes. */
function linkLine(scene: Scene, line: DrawnLine): string {
  const descriptor =
    scene.descriptors && Object.hasOwn(scene.descriptors, line.type) ? scene.descriptors[line.type] : undefined;
  if (!descriptor) return '';
  const dash = DASHES[descriptor.line].length > 0 ? ` stroke-dasharray="${DASHES[descriptor.line].join(' ')}"` : '';
  return `<path d="${pathOf(scene, line)}" fill="none" stroke="${attribute(scene.palette.edge)}" stroke-width="1.3" stroke-linecap="round"${dash}/>`;
}

/** Returns the lines to children, those of the best path over the others. */
function edges(scene: Scene): string[] {
  const { placed } = scene.layout;
  const isBest = ({ node }: Placed): boolean => scene.best.has(node.path);
  return [...placed.filter((to) => !isBest(to)), ...placed.filter(isBest)].map((to) => edge(scene, to, isBest(to)));
}

function edge(scene: Scene, to: Placed, isBest: boolean): string {
  const from = to.node.parent && scene.layout.byPath.get(to.node.parent.path);
  if (!from) return '';
  const [x1, y1, x2, y2] = [endX(scene, from), y(scene, from), x(scene, to), y(scene, to)];
  const bend = (x2 - x1) * 0.55;
  const dash = to.isCutOff ? ' stroke-dasharray="3 4"' : '';
  const colour = attribute(isBest ? scene.palette.yellow : scene.palette.edge);
  const d = `M${n(x1)} ${n(y1)}C${n(x1 + bend)} ${n(y1)} ${n(x2 - bend)} ${n(y2)} ${n(x2)} ${n(y2)}`;
  return `<path d="${d}" fill="none" stroke="${colour}" stroke-width="${isBest ? 2.6 : 1.3}"${dash}/>`;
}

/** Returns a dotted line from a merged node to its equal. */
function mergeLine(scene: Scene, from: Placed): string {
  const to = scene.layout.byPath.get(from.node.data.sameAs ?? '');
  if (!to) return '';
  const [x1, y1, x2, y2] = [endX(scene, from), y(scene, from), endX(scene, to), y(scene, to)];
  const bend = Math.max(x1, x2) + Math.min(60, 16 + Math.abs(y2 - y1) / 6);
  const d = `M${n(x1)} ${n(y1)}C${n(bend)} ${n(y1)} ${n(bend)} ${n(y2)} ${n(x2)} ${n(y2)}`;
  return `<path d="${d}" fill="none" stroke="${attribute(scene.palette.purple)}" stroke-width="1.5" stroke-dasharray="1 4"/>`;
}

function card(scene: Scene, placed: Placed, words: PictureWords): string {
  const { palette } = scene;
  const { data, path } = placed.node;
  const link = words.link?.(path);
  return [
    link === undefined ? '' : `<a href="${attribute(link)}">`,
    `<g transform="translate(${n(x(scene, placed))} ${n(y(scene, placed))})"><title>${escaped(data.title)}</title>`,
    frame(scene, placed),
    glyph(scene, placed),
    ...texts(scene, placed, words),
    data.marks || data.score === undefined ? '' : score(scene, placed, data.score),
    placed.hidden > 0
      ? `<text x="${n(widthIn(scene, placed) + 8)}" y="4" font-size="${SMALL}" fill="${attribute(palette.text)}">+${escaped(words.count(placed.hidden))}</text>`
      : '',
    '</g>',
    link === undefined ? '' : '</a>',
  ].join('');
}

function frame(scene: Scene, placed: Placed): string {
  const { palette, best } = scene;
  const { data, path } = placed.node;
  const isBest = best.has(path);
  const colour = data.status === 'failed' ? palette.red : isBest ? palette.yellow : palette.border;
  const isAside = placed.isCutOff || isMerged(data) || isSetAside(data) || data.role === 'alternative';
  const dash = isAside ? ' stroke-dasharray="3 3"' : '';
  return `<rect y="${-CARD_HEIGHT / 2}" width="${n(widthIn(scene, placed))}" height="${CARD_HEIGHT}" rx="6" fill="${attribute(palette.card)}" stroke="${attribute(colour)}"${isBest ? ' stroke-width="1.5"' : ''}${dash}/>`;
}

function glyph({ palette }: Scene, placed: Placed): string {
  const { fill, stroke, mark } = glyphOf(placed.node.data);
  const colour = attribute(colourIn(placed, palette));
  const round = 'stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round"';
  return [
    '<g transform="translate(8 -7)">',
    fill ? `<path d="${fill}" fill="${colour}"/>` : '',
    stroke ? `<path d="${stroke}" fill="none" stroke="${colour}" ${round}/>` : '',
    mark ? `<path d="${mark}" fill="none" stroke="${attribute(palette.background)}" ${round}/>` : '',
    '</g>',
  ].join('');
}

/** Returns the title in two lines, or in one above what its kind says of the node. */
function texts(scene: Scene, placed: Placed, { say }: PictureWords): string[] {
  const { palette, best } = scene;
  const { node } = placed;
  const { data } = node;
  const room = widthIn(scene, placed) - 29 - (data.marks || data.score === undefined ? 9 : 44);
  const marks = scene.layout.isLayered ? (data.marks ?? []).map(({ text }) => say(text)).join(' · ') : '';
  const lines = inLines(labelOf(data.title), room, marks === '' ? 2 : 1, titleWidth);
  const [below = ''] = inLines(marks, room, 1, smallWidth);
  const isOne = lines.length === 1 && below === '';
  const bold = best.has(node.path) || node.depth === 0 ? ' font-weight="600"' : '';
  const isFaint = isMerged(data) || isSetAside(data);
  const colour = attribute(placed.isCutOff ? palette.disabled : isFaint ? palette.dim : palette.text);
  return [
    ...lines.map(
      (line, i) =>
        `<text x="29" y="${isOne ? 4.2 : i === 0 ? -3 : 11}" fill="${colour}"${bold}>${escaped(line)}</text>`,
    ),
    below === ''
      ? ''
      : `<text x="29" y="11" font-size="${SMALL}" fill="${attribute(palette.dim)}">${escaped(below)}</text>`,
  ];
}

function score(scene: Scene, placed: Placed, value: number): string {
  const { palette } = scene;
  const { data } = placed.node;
  const right = Math.round(widthIn(scene, placed)) - 9;
  const colour = attribute(scoreColour(value, palette));
  return [
    `<text x="${right}" y="0" text-anchor="end" font-size="${SMALL}" fill="${attribute(palette.dim)}">${scoreText(data)}</text>`,
    `<rect x="${right - 26}" y="5" width="${n(2.6 * value)}" height="3" ${data.isLowConfidence ? `fill="none" stroke="${colour}"` : `fill="${colour}"`}/>`,
  ].join('');
}

/** Returns a coordinate, with as many digits as can be seen. */
export function n(value: number): string {
  return String(Math.round(value * 10) / 10);
}

/** XML does not allow them. */
const CONTROLS = /[[\p{Cc}--[\t\n]]\ufffe\uffff]/gv;

/** Returns a text between tags; what XML cannot hold becomes spaces. */
export function escaped(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(CONTROLS, ' ')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}

/** Returns the value of an attribute in double quotes. */
export function attribute(text: string): string {
  return escaped(text).replaceAll('"', '&quot;');
}
