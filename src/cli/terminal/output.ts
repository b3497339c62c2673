import type { Writable } from 'node:stream';
import type { Palette } from './row.ts';

/**
 * One of the process's output streams. When its reader goes away (`| head`, a closed terminal), nothing more is written,
 * and `onBroken` is called once; the search itself is not affected.
 */
export class Output {
  /** Colours text for people; leaves it unchanged if a file or a program reads it. */
  readonly palette: Palette;
  readonly #stream: Writable;
  #broken = false;
  #onBroken: (() => void) | undefined;

  constructor(stream: Writable, palette: Palette) {
    this.palette = palette;
    this.#stream = stream;
    stream.on('error', () => this.#break());
  }

  /** Sets what to do when nobody reads any more. */
  set onBroken(act: (() => void) | undefined) {
    this.#onBroken = act;
    if (this.#broken) act?.();
  }

  readonly line = (text: string): void => {
    if (!this.#broken) this.#stream.write(`${text}\n`);
  };

  /** Resolves when everything written has left the process, or nobody reads it. */
  async drained(): Promise<void> {
    if (this.#broken) return;
    await new Promise<void>((resolve) => {
      this.#stream.once('error', () => resolve());
      this.#stream.write('', () => resolve());
    });
  }

  #break(): void {
    if (this.#broken) return;
    this.#broken = true;
    this.#onBroken?.();
  }
}
