import type { Glyph } from '../../../src/drawing/glyphs.ts';

const paths = new Map<string, Path2D>();

function pathOf(d: string): Path2D {
  const known = paths.get(d);
  if (known) return known;
  const path = new Path2D(d);
  paths.set(d, path);
  return path;
}

/** Draws a shape into a square of the window. */
export function paintGlyph(
  context: CanvasRenderingContext2D,
  { fill, stroke, mark }: Glyph,
  colour: string,
  behind: string,
  x: number,
  y: number,
  size: number,
): void {
  context.save();
  context.translate(x, y);
  context.scale(size / 14, size / 14);
  context.lineWidth = 1.5;
  context.lineCap = 'round';
  context.lineJoin = 'round';
  context.fillStyle = colour;
  context.strokeStyle = colour;
  if (fill) context.fill(pathOf(fill));
  if (stroke) context.stroke(pathOf(stroke));
  context.strokeStyle = behind;
  if (mark) context.stroke(pathOf(mark));
  context.restore();
}
