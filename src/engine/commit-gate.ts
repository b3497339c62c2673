import { ThoughtTreeError } from '../core/search/errors.ts';
import { workStopped } from './messages.ts';

/**
 * Keeps what a person does apart from what slots write: commits of different nodes may happen side by side, but none
 * while a person's action changes the tree, since both may write the same list of children.
 */
export class CommitGate {
  #commits = 0;
  #isSteered = false;
  #waiting: (() => void)[] = [];

  /**
   * Commits, or looks at the disk, once no action is under way.
   * @throws ThoughtTreeError `aborted` where the signal is aborted first
   */
  async commit<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    while (this.#isSteered) {
      if (signal?.aborted) throw new ThoughtTreeError('aborted', workStopped(), { charged: false });
      await this.#change(signal);
    }
    this.#commits++;
    try {
      return await work();
    } finally {
      this.#commits--;
      this.#wake();
    }
  }

  /** Acts, once the commits under way are done; none begins meanwhile. One action at a time. */
  async alone<T>(work: () => Promise<T>): Promise<T> {
    while (this.#isSteered) await this.#change();
    this.#isSteered = true;
    try {
      while (this.#commits > 0) await this.#change();
      return await work();
    } finally {
      this.#isSteered = false;
      this.#wake();
    }
  }

  #change(signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      signal?.addEventListener('abort', () => resolve(), { once: true });
    });
  }

  #wake(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }
}
