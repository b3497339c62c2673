import type { Room } from './camera.ts';
import { clamp, ROW, rowY, scaleX, widthOf } from './geometry.ts';
import { colourIn } from './glyphs.ts';
import type { Placed } from './layout/tree-layout.ts';
import type { Region, Scene } from './scene.ts';

/** The height of a mark, and of the lines that marks are on, in pixels. */
const MARK = 1.6;
const LINE = 2;
/** The part of a column that a mark takes up. */
const PART = 0.72;
/** A frame must be large enough to be taken hold of, in pixels. */
const SMALLEST = 8;

/** The scale of a map: pixels of the map for one of the drawing at scale 1, and for one row. */
interface Shrunk {
  readonly x: number;
  readonly row: number;
}

function shrunk({ layout, camera }: Pick<Scene, 'layout' | 'camera'>, { width, height }: Room): Shrunk {
  const rows = layout.bottom - layout.top + 1;
  // A small drawing keeps its shape: its rows are not torn apart.
  return { x: width / widthOf(camera.columns), row: Math.min(height / rows, 6) };
}

/** An area in one colour, as in SVG's `d`. */
interface MapPath {
  readonly colour: string;
  readonly d: string;
}

type Mapped = Pick<Scene, 'layout' | 'camera' | 'palette' | 'best' | 'found'>;

/**
 * Returns the whole drawing in a few pixels: at most one mark for each line of a column; what is best or found comes
 * last.
 */
export function minimapPaths(scene: Mapped, room: Room): MapPath[] {
  const { layout, camera, palette, best, found } = scene;
  const { x, row } = shrunk(scene, room);
  const lineOf = (placed: Placed): number => Math.floor(((placed.row - layout.top) * row) / LINE);
  const paths = new Map<string, string>();
  const bright = new Map<string, string>();
  for (const [index, column] of layout.columns.entries()) {
    const left = n((camera.columns.starts[index] ?? 0) * x);
    const width = n((camera.columns.widths[index] ?? 0) * x * PART);
    const add = (to: Map<string, string>, placed: Placed, colour: string): void => {
      to.set(colour, `${to.get(colour) ?? ''}M${left} ${lineOf(placed) * LINE}h${width}v${MARK}h-${width}z`);
    };
    for (const placed of onePerLine(column, lineOf)) add(paths, placed, colourOf(placed, scene));
    const isFound = ({ node }: Placed): boolean => found?.has(node.path) === true;
    for (const placed of onePerLine(found ? column.filter(isFound) : [], lineOf))
      add(bright, placed, colourIn(placed, palette));
    for (const placed of column) if (best.has(placed.node.path)) add(bright, placed, palette.yellow);
  }
  return [...paths, ...bright].map(([colour, d]) => ({ colour, d }));
}

/** Of nodes that share a line the first one: together, they have the colours of all in about the same proportion. */
function onePerLine(column: readonly Placed[], lineOf: (placed: Placed) => number): Placed[] {
  let line = Number.NaN;
  return column.filter((placed) => {
    const at = lineOf(placed);
    const isFirst = at !== line;
    line = at;
    return isFirst;
  });
}

function colourOf(placed: Placed, { palette, found }: Pick<Scene, 'palette' | 'found'>): string {
  return found && !found.has(placed.node.path) ? palette.disabled : colourIn(placed, palette);
}

/** Returns the part of the map that is in the window, in pixels of the map. */
export function minimapFrame(scene: Pick<Scene, 'layout' | 'camera'>, window: Room, room: Room): Region {
  const { layout, camera } = scene;
  const { x, row } = shrunk(scene, room);
  const across = x / scaleX(camera);
  const down = row / (ROW * camera.scale);
  const [left, right] = ends(-camera.x * across, (window.width - camera.x) * across, room.width);
  const start = (0.5 - layout.top) * row;
  const [top, bottom] = ends(start - camera.y * down, start + (window.height - camera.y) * down, room.height);
  return { left, top, right, bottom };
}

/** Tells whether nothing of the drawing is outside of the window, so that a map of it would only be in the way. */
export function isWholeIn({ layout, camera }: Pick<Scene, 'layout' | 'camera'>, { width, height }: Room): boolean {
  const right = camera.x + widthOf(camera.columns) * scaleX(camera);
  return camera.x >= 0 && right <= width && rowY(camera, layout.top) >= 0 && rowY(camera, layout.bottom) <= height;
}

/** Returns how far the drawing moves if the frame is moved by a pixel of the map, in pixels of the window. */
export function minimapStep(scene: Pick<Scene, 'layout' | 'camera'>, room: Room): { x: number; y: number } {
  const { x, row } = shrunk(scene, room);
  return { x: scaleX(scene.camera) / x, y: (ROW * scene.camera.scale) / row };
}

function ends(from: number, to: number, most: number): [number, number] {
  const first = clamp(from, 0, most - SMALLEST);
  return [first, clamp(to, first + SMALLEST, most)];
}

function n(value: number): string {
  return String(Math.round(value * 10) / 10);
}
