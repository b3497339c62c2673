/** Delay between a change and the look at it, in milliseconds: many changes in a short time share one look. */
const LOOK_MS = 250;
/** The number of looks that run at a time. */
const AT_ONCE = 4;

interface Due {
  readonly paths: Set<string>;
  readonly done: PromiseWithResolvers<void>;
  isUrgent: boolean;
}

/**
 * Looks at things that changed, by key: the changes of one thing together, one look at a thing after the other, and few
 * at once. A slow look does not delay the others.
 */
export class Looks {
  readonly #look: (key: string, paths: Set<string>) => Promise<void>;
  readonly #due = new Map<string, Due>();
  readonly #underWay = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #isDisposed = false;

  /** @param look called for a key, with the paths that were named since its last look */
  constructor(look: (key: string, paths: Set<string>) => Promise<void>) {
    this.#look = look;
  }

  /**
   * Schedules a look because something changed.
   * @returns resolves after the look that sees it, whether or not that failed
   */
  touch(key: string, path?: string): Promise<void> {
    const due = this.#enter(key);
    if (path !== undefined) due.paths.add(path);
    this.#wait();
    return due.done.promise;
  }

  /** Looks without waiting for further changes. */
  now(key: string): Promise<void> {
    const due = this.#enter(key);
    due.isUrgent = true;
    this.#begin();
    return due.done.promise;
  }

  #enter(key: string): Due {
    const due = this.#due.get(key) ?? { paths: new Set(), done: Promise.withResolvers<void>(), isUrgent: false };
    if (this.#isDisposed) due.done.resolve();
    else this.#due.set(key, due);
    return due;
  }

  #wait(): void {
    if (!this.#isDisposed) this.#timer ??= setTimeout(() => this.#begin(), LOOK_MS);
  }

  #begin(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#isDisposed) return;
    for (const [key, due] of this.#due) {
      if (this.#underWay.size >= AT_ONCE) return;
      if (this.#underWay.has(key)) continue;
      this.#due.delete(key);
      this.#underWay.add(key);
      void this.#run(key, due);
    }
  }

  async #run(key: string, { paths, done }: Due): Promise<void> {
    try {
      await this.#look(key, paths);
    } catch {
      // Something that is being removed cannot be read: the next look from above will notice.
    }
    this.#underWay.delete(key);
    done.resolve();
    if ([...this.#due.values()].some(({ isUrgent }) => isUrgent)) this.#begin();
    else if (this.#due.size > 0) this.#wait();
  }

  /** Starts no more looks, and keeps nobody waiting. */
  dispose(): void {
    this.#isDisposed = true;
    clearTimeout(this.#timer);
    for (const { done } of this.#due.values()) done.resolve();
    this.#due.clear();
  }
}
