import { fitted, inLines } from '../../src/drawing/labels.ts';

/** Cuts texts to a width; caches the results, since measuring is expensive. */
export class Words {
  readonly #known = new Map<string, readonly string[]>();

  /** @param width pixels */
  fitted(context: CanvasRenderingContext2D, text: string, width: number): string {
    return this.inLines(context, text, width, 1)[0] ?? '';
  }

  inLines(context: CanvasRenderingContext2D, text: string, width: number, lines: number): readonly string[] {
    const key = `${context.font}\n${lines} ${Math.round(width)}\n${text}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    if (this.#known.size > 20_000) this.#known.clear();
    const measure = (part: string): number => context.measureText(part).width;
    const cut = lines === 1 ? [fitted(text, width, measure)] : inLines(text, width, lines, measure);
    this.#known.set(key, cut);
    return cut;
  }
}
