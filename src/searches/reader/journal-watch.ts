import { type FSWatcher, watch } from 'node:fs';
import { join } from 'node:path';

/** Tells when the journal of a search may have grown, wherever it is written. */
export class JournalWatch {
  readonly #folder: string;
  #watcher: FSWatcher | undefined;
  #onHint: (() => void) | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  start(onHint: () => void): void {
    this.#onHint = onHint;
    this.renew();
  }

  stop(): void {
    this.#onHint = undefined;
    this.#close();
  }

  /** To be called now and then: a clone has no .search until somebody runs it, and it can be deleted. */
  renew(): void {
    if (this.#watcher || !this.#onHint) return;
    try {
      const watcher = watch(join(this.#folder, '.search'), { persistent: false }, (event, name) => {
        if (event === 'rename' && name === '.search') this.#close();
        this.#onHint?.();
      });
      watcher.on('error', () => this.#close());
      this.#watcher = watcher;
    } catch {
      this.#watcher = undefined;
    }
  }

  #close(): void {
    this.#watcher?.close();
    this.#watcher = undefined;
  }
}
