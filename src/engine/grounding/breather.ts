/** How long work may hold everything else up, in milliseconds. */
const LONGEST_MS = 20;

/** Lets whatever waits in the same process have its turn while much is done. */
export class Breather {
  #since = performance.now();

  async breathe(): Promise<void> {
    if (performance.now() - this.#since < LONGEST_MS) return;
    await new Promise<void>((resolve) => {
      setImmediate(resolve);
    });
    this.#since = performance.now();
  }
}
