/** The values made from files that were read lately: most reads find what the one before found. */
export class RecentTexts<T> {
  readonly #most: number;
  readonly #files = new Map<string, { readonly text: string; readonly value: T }>();

  /** @param most how many files are remembered */
  constructor(most: number) {
    this.#most = most;
  }

  /** Returns the value made from a file, if it still has this text. */
  get(file: string, text: string): T | undefined {
    const known = this.#files.get(file);
    return known?.text === text ? known.value : undefined;
  }

  clear(): void {
    this.#files.clear();
  }

  set(file: string, text: string, value: T): void {
    this.#files.delete(file);
    this.#files.set(file, { text, value });
    const [oldest] = this.#files.keys();
    if (this.#files.size > this.#most && oldest !== undefined) this.#files.delete(oldest);
  }
}
