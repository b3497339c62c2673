import type { Room } from '../../src/drawing/camera.ts';
import { type Camera, scaleX } from '../../src/drawing/geometry.ts';
import type { Region, Scene } from '../../src/drawing/scene.ts';
import type { Words } from '../state/words.ts';
import { paint } from './paint/paint.ts';

/** Where a picture is in the window, and how far it is stretched. */
interface Place {
  readonly left: number;
  readonly top: number;
  readonly stretchX: number;
  readonly stretchY: number;
}

/**
 * A finished picture of somewhat more than the window shows. Moving it costs next to nothing; when the window gets near
 * its border, its content is shifted and only the missing strip is drawn.
 */
export class KeptPicture {
  #canvas = document.createElement('canvas');
  #spare = document.createElement('canvas');
  #camera: Camera | undefined;
  #width = 0;
  #height = 0;

  /** Tells whether it was drawn at the scale of a camera. */
  isSharp({ scale, least, columns }: Camera): boolean {
    const from = this.#camera;
    return from?.scale === scale && from.least === least && from.columns === columns;
  }

  /** Draws the window, and as much around it as will probably be needed next. */
  take(scene: Scene, { width, height }: Room, words: Words): void {
    [this.#width, this.#height] = [width, height];
    const size = { width: Math.round(this.#wide * ratio()), height: Math.round(this.#high * ratio()) };
    for (const canvas of [this.#canvas, this.#spare])
      if (canvas.width !== size.width || canvas.height !== size.height) Object.assign(canvas, size);
    this.#camera = scene.camera;
    this.#paint(scene, this.#region, words);
  }

  /** Tells whether it fills the window for a camera without being distorted. */
  covers(camera: Camera): boolean {
    const place = this.#placeAt(camera);
    if (!place) return false;
    const { left, top, stretchX, stretchY } = place;
    if (stretchX < 0.7 || stretchX > 1.6 || stretchY < 0.7 || stretchY > 1.6) return false;
    const [right, bottom] = [left + this.#wide * stretchX, top + this.#high * stretchY];
    return left <= 0 && top <= 0 && right >= this.#width && bottom >= this.#height;
  }

  /** Moves to a camera of the same scale; false if too little of it is useful there. */
  follow(scene: Scene, words: Words): boolean {
    const from = this.#camera;
    if (!from || !this.isSharp(scene.camera)) return false;
    // Whole pixels of the screen, or the shifted content would be blurred.
    const [dx, dy] = [dots(scene.camera.x - from.x), dots(scene.camera.y - from.y)];
    const [marginX, marginY] = this.#margin;
    if (Math.abs(dx) < marginX / 2 && Math.abs(dy) < marginY / 2) return true;
    if (Math.abs(dx) >= this.#wide / 2 || Math.abs(dy) >= this.#high / 2) return false;
    [this.#canvas, this.#spare] = [this.#spare, this.#canvas];
    const context = contextOf(this.#canvas);
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.drawImage(this.#spare, Math.round(dx * ratio()), Math.round(dy * ratio()));
    this.#camera = { ...scene.camera, x: from.x + dx, y: from.y + dy };
    const moved = { ...scene, camera: this.#camera };
    for (const strip of this.#bared(dx, dy)) this.#paint(moved, strip, words);
    return true;
  }

  /** Shows it where a camera has it. The context is left in pixels of the window. */
  show(context: CanvasRenderingContext2D, { camera, palette }: Scene): void {
    const place = this.#placeAt(camera);
    if (!place) return;
    const { left, top, stretchX, stretchY } = place;
    const isWhole = stretchX === 1 && stretchY === 1;
    const at = isWhole ? Math.round : (value: number): number => value;
    context.setTransform(1, 0, 0, 1, 0, 0);
    if (!this.covers(camera)) {
      context.fillStyle = palette.background;
      context.fillRect(0, 0, context.canvas.width, context.canvas.height);
    }
    const [width, height] = [this.#canvas.width * stretchX, this.#canvas.height * stretchY];
    context.drawImage(this.#canvas, at(left * ratio()), at(top * ratio()), width, height);
    context.setTransform(ratio(), 0, 0, ratio(), 0, 0);
  }

  #paint(scene: Scene, region: Region, words: Words): void {
    const context = contextOf(this.#canvas);
    const [marginX, marginY] = this.#margin;
    context.setTransform(ratio(), 0, 0, ratio(), marginX * ratio(), marginY * ratio());
    context.save();
    context.beginPath();
    context.rect(region.left, region.top, region.right - region.left, region.bottom - region.top);
    context.clip();
    paint(context, scene, region, words);
    context.restore();
  }

  /** Returns what a shift uncovers: a strip at the side, and one above or below. */
  #bared(dx: number, dy: number): Region[] {
    const { left, top, right, bottom } = this.#region;
    const strips: Region[] = [];
    if (dy > 0) strips.push({ left, right, top, bottom: top + dy });
    if (dy < 0) strips.push({ left, right, top: bottom + dy, bottom });
    if (dx > 0) strips.push({ left, right: left + dx, top, bottom });
    if (dx < 0) strips.push({ left: right + dx, right, top, bottom });
    return strips;
  }

  #placeAt(camera: Camera): Place | undefined {
    const from = this.#camera;
    if (from?.columns !== camera.columns) return undefined; // other columns are not these stretched
    const [marginX, marginY] = this.#margin;
    const stretchX = scaleX(camera) / scaleX(from);
    const stretchY = camera.scale / from.scale;
    return {
      left: camera.x - (from.x + marginX) * stretchX,
      top: camera.y - (from.y + marginY) * stretchY,
      stretchX,
      stretchY,
    };
  }

  get #margin(): [number, number] {
    return [Math.round(this.#width / 5), Math.round(this.#height / 4)];
  }

  get #wide(): number {
    return this.#width + 2 * this.#margin[0];
  }

  get #high(): number {
    return this.#height + 2 * this.#margin[1];
  }

  /** All of it, in pixels of the window. */
  get #region(): Region {
    const [marginX, marginY] = this.#margin;
    return { left: -marginX, top: -marginY, right: this.#wide - marginX, bottom: this.#high - marginY };
  }
}

function contextOf(canvas: HTMLCanvasElement): CanvasRenderingContext2D {
  return canvas.getContext('2d', { alpha: false }) as CanvasRenderingContext2D;
}

function ratio(): number {
  return window.devicePixelRatio;
}

function dots(pixels: number): number {
  return Math.round(pixels * ratio()) / ratio();
}
