/** Cuts texts to a width; caches the results, since measuring is expensive. */
export class Words {
  readonly #known = new Map<string, string>();

  /** @param width pixels */
  fitted(context: CanvasRenderingContext2D, text: string, width: number): string {
    const key = `${context.font}\n${Math.round(width)}\n${text}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    if (this.#known.size > 20_000) this.#known.clear();
    const fitted = cut(context, text.slice(0, 400), width);
    this.#known.set(key, fitted);
    return fitted;
  }
}

function cut(context: CanvasRenderingContext2D, text: string, width: number): string {
  if (context.measureText(text).width <= width) return text;
  const letters = [...text];
  let [fits, fails] = [0, letters.length];
  while (fails - fits > 1) {
    const middle = (fits + fails) >> 1;
    if (context.measureText(`${letters.slice(0, middle).join('')}…`).width <= width) fits = middle;
    else fails = middle;
  }
  return fits === 0 ? '' : `${letters.slice(0, fits).join('').trimEnd()}…`;
}
