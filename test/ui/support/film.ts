import type { Browser, Page } from 'playwright-core';
import { animatedWebp, type FilmFrame } from './animated-webp.ts';

/** Text stays sharp, in half of what frames without loss take. */
const QUALITY = 0.95;
const ADDRESS = 'http://127.0.0.1/film';

/** What a film shows once it is played. */
interface Played {
  readonly frames: number;
  readonly milliseconds: number;
  readonly isEndless: boolean;
  /** How far what it shows last is from what was filmed last, for a colour of a dot, on average; from 0 to 255. */
  readonly difference: number;
}

/** A film of a page whose clock moves from frame to frame: it is the same however slow the machine is. */
export class Film {
  readonly #page: Page;
  /** A page that compares, encodes and decodes pictures. */
  readonly #studio: Page;
  readonly #step: number;
  readonly #frames: FilmFrame[] = [];

  private constructor(page: Page, studio: Page, step: number) {
    this.#page = page;
    this.#studio = studio;
    this.#step = step;
  }

  /** Begins a film of a page, and stops the page's clock. @param step milliseconds between two frames */
  static async of(page: Page, browser: Browser, step: number): Promise<Film> {
    const studio = await browser.newPage();
    await studio.route(ADDRESS, (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html>' }));
    await studio.goto(ADDRESS);
    const now = await page.evaluate(() => Date.now());
    await page.clock.install({ time: now });
    await page.clock.pauseAt(now + 1000);
    return new Film(page, studio, step);
  }

  /** Films what the page shows in the next milliseconds. */
  async run(milliseconds: number): Promise<void> {
    for (let passed = 0; passed < milliseconds; passed += this.#step) {
      await this.#page.clock.runFor(this.#step);
      await this.#shoot();
    }
  }

  /** Ends the film. @returns it as an animated WebP, and what it shows once it is played */
  async end(): Promise<{ webp: Buffer; played: Played }> {
    const { width, height } = this.#page.viewportSize() as { width: number; height: number };
    const webp = animatedWebp(width, height, this.#frames);
    const played = await this.#studio.evaluate(play, webp.toString('base64'));
    await this.#studio.close();
    return { webp, played };
  }

  async #shoot(): Promise<void> {
    const taken = await this.#page.screenshot({ animations: 'disabled', caret: 'hide' });
    const part = await this.#studio.evaluate(changedPart, { png: taken.toString('base64'), quality: QUALITY });
    const last = this.#frames.at(-1);
    if (part) this.#frames.push({ ...part, webp: Buffer.from(part.webp, 'base64'), milliseconds: this.#step });
    else if (last) this.#frames.splice(-1, 1, { ...last, milliseconds: last.milliseconds + this.#step });
  }
}

/** What the studio keeps from one frame to the next. */
type Studio = typeof globalThis & { shown?: ImageData };

/** The part of a picture that changed, in base 64. */
type Part = Omit<FilmFrame, 'webp' | 'milliseconds'> & { readonly webp: string };

/** Returns what is different from the picture before; runs in the studio, which alone can encode it. */
async function changedPart({ png, quality }: { png: string; quality: number }): Promise<Part | null> {
  const studio = globalThis as Studio;
  const image = new Image();
  image.src = `data:image/png;base64,${png}`;
  await image.decode();
  const { width, height } = image;
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d', { willReadFrequently: true }) as OffscreenCanvasRenderingContext2D;
  context.drawImage(image, 0, 0);
  const now = context.getImageData(0, 0, width, height);
  const [dots, before] = [now.data, studio.shown?.data].map((data) => data && new Uint32Array(data.buffer));
  studio.shown = now;
  let [left, top, right, bottom] = before ? [width, height, 0, 0] : [0, 0, width, height];
  for (let at = 0; dots && before && at < dots.length; at++) {
    if (dots[at] === before[at]) continue;
    const [x, y] = [at % width, Math.floor(at / width)];
    [left, right] = [Math.min(left, x), Math.max(right, x + 1)];
    [top, bottom] = [Math.min(top, y), Math.max(bottom, y + 1)];
  }
  if (right === 0) return null;
  const [x, y] = [left - (left % 2), top - (top % 2)];
  // Without a fourth channel the file has one chunk with all dots.
  const part = document.createElement('canvas');
  [part.width, part.height] = [right - x, bottom - y];
  part.getContext('2d', { alpha: false })?.drawImage(canvas, -x, -y);
  const webp = part.toDataURL('image/webp', quality);
  return { x, y, width: part.width, height: part.height, webp: webp.slice(webp.indexOf(',') + 1) };
}

/** Plays a film; runs in the studio, which alone can decode it. */
async function play(webp: string): Promise<Played> {
  const { shown } = globalThis as Studio;
  if (!shown) throw new Error('Nothing was filmed.');
  const data = await (await fetch(`data:image/webp;base64,${webp}`)).arrayBuffer();
  const decoder = new ImageDecoder({ data, type: 'image/webp' });
  await decoder.completed;
  await decoder.tracks.ready;
  const { frameCount = 0, repetitionCount } = decoder.tracks.selectedTrack ?? {};
  const canvas = new OffscreenCanvas(shown.width, shown.height);
  const context = canvas.getContext('2d') as OffscreenCanvasRenderingContext2D;
  let milliseconds = 0;
  for (let frameIndex = 0; frameIndex < frameCount; frameIndex++) {
    const { image } = await decoder.decode({ frameIndex });
    milliseconds += (image.duration ?? 0) / 1000;
    context.drawImage(image, 0, 0);
    image.close();
  }
  const { data: colours } = context.getImageData(0, 0, shown.width, shown.height);
  let sum = 0;
  for (const [at, colour] of shown.data.entries()) sum += Math.abs(colour - (colours[at] ?? 0));
  const difference = sum / shown.data.length;
  return { frames: frameCount, milliseconds, isEndless: repetitionCount === Infinity, difference };
}
