import { ThoughtTreeError } from '../../core/search/errors.ts';
import { workStopped } from '../messages.ts';

/**
 * Separates a person's actions from the writes of slots: commits of different nodes may run concurrently, but not while a
 * person's action changes the tree, since both may write the same list of children.
 */
export class CommitGate {
  #commits = 0;
  #isTaken = false;
  /** Actions under way or waiting for their turn. */
  #acting = 0;
  #waiting: (() => void)[] = [];
  /** Called when no action is left. */
  onFree: () => void = () => undefined;

  /** Tells whether no action is under way or waiting. */
  get isFree(): boolean {
    return this.#acting === 0;
  }

  /**
   * Commits, or reads the disk, once no action is under way.
   * @throws ThoughtTreeError `aborted` if the signal is aborted first
   */
  async commit<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    while (this.#isTaken) {
      if (signal?.aborted) throw new ThoughtTreeError('aborted', workStopped(), { charged: false });
      await this.#change(signal);
    }
    this.#commits++;
    try {
      return await work();
    } finally {
      // Only those who want to act wait for commits: waking the others as well would take the square of the slots.
      if (--this.#commits === 0) this.#wake();
    }
  }

  /** Acts once the commits under way are done; none begins meanwhile. One action at a time. */
  async alone<T>(work: () => Promise<T>): Promise<T> {
    this.#acting++;
    while (this.#isTaken) await this.#change();
    this.#isTaken = true;
    try {
      while (this.#commits > 0) await this.#change();
      return await work();
    } finally {
      this.#isTaken = false;
      this.#acting--;
      this.#wake();
      if (this.isFree) this.onFree();
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
