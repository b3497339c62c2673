import type { Writable } from 'node:stream';
import type { Palette } from './row.ts';

/**
 * One of the process's output streams. When its reader goes away (`| head`, a closed terminal) nothing is written any
 * more, and whoever asked is told once; the search itself is not harmed.
 */
export class Output {
  /** What colours text for people here; leaves it alone where a file or a program reads it. */
  readonly palette: Palette;
  readonly #stream: Writable;
  #broken = false;
  #onBroken: (() => void) | undefined;

  constructor(stream: Writable, palette: Palette) {
    this.palette = palette;
    this.#stream = stream;
    stream.on('error', () => this.#break());
  }

  /** Names what is to be done when nobody reads any more. */
  set onBroken(act: (() => void) | undefined) {
    this.#onBroken = act;
    if (this.#broken) act?.();
  }

  readonly line = (text: string): void => {
    if (!this.#broken) this.#stream.write(`${text}\n`);
  };

  /** Resolves when all that was written has left the process, or nobody reads it. */
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
