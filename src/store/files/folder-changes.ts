import { watch } from 'node:fs';

/** File systems without change notifications are polled this often, in milliseconds. */
const LOOK_MS = 500;

/** Watches a folder for changes; returns a function that ends it. May throw if the system does not support it. */
export type WatchFolder = (folder: string, onChange: () => void) => () => void;

/** Wakes up when something changes in a folder, and polls where the file system does not notify. */
export class FolderChanges {
  readonly #keepAlive: boolean;
  readonly #close: () => void;
  #wake: (() => void) | undefined;
  #changed = false;
  #closed = false;

  /** @param keepAlive whether the process must not exit while somebody waits here */
  constructor(folder: string, keepAlive: boolean, watchFolder: WatchFolder = watchWithSystem) {
    this.#keepAlive = keepAlive;
    this.#close = start(watchFolder, folder, () => this.#notice());
  }

  /** Resolves at the next change since the last call, or after so many milliseconds, or when it is closed. */
  async next(ms: number): Promise<void> {
    if (!this.#changed && !this.#closed) await this.#sleep(Math.min(ms, LOOK_MS));
    this.#changed = false;
  }

  close(): void {
    this.#closed = true;
    this.#close();
    this.#notice();
  }

  async #sleep(ms: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      if (!this.#keepAlive) timer.unref();
      this.#wake = (): void => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#wake = undefined;
  }

  #notice(): void {
    this.#changed = true;
    this.#wake?.();
  }
}

function start(watchFolder: WatchFolder, folder: string, onChange: () => void): () => void {
  try {
    return watchFolder(folder, onChange);
  } catch {
    return () => undefined; // no watches left on this system: polling has to do
  }
}

function watchWithSystem(folder: string, onChange: () => void): () => void {
  const watcher = watch(folder, { persistent: false }, onChange);
  watcher.on('error', () => watcher.close());
  return () => watcher.close();
}
