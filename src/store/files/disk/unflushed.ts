/** More of them are not kept track of: their names would take more memory than they are worth. */
const MOST = 50_000;

/** The files and folders that were written and may not be on the disk itself yet. */
export class Unflushed {
  #paths = new Set<string>();
  #areAll = true;

  add(path: string): void {
    if (this.#paths.size < MOST) this.#paths.add(path);
    else this.#areAll &&= this.#paths.has(path);
  }

  /** Those since the last time; `areAll` tells whether there were no others. */
  take(): { paths: string[]; areAll: boolean } {
    const taken = { paths: [...this.#paths], areAll: this.#areAll };
    this.#paths = new Set();
    this.#areAll = true;
    return taken;
  }
}
