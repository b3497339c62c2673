/** How soon after a change it is looked at, in milliseconds: many changes at a time are one look. */
const LOOK_MS = 250;
/** How many looks are under way at a time. */
const AT_ONCE = 4;

interface Due {
  readonly paths: Set<string>;
  readonly done: PromiseWithResolvers<void>;
  isUrgent: boolean;
}

/**
 * Looks at things that changed, by their keys: the changes of one thing together, one look at a thing after the other,
 * and few at once. What takes long to look at keeps nobody else waiting.
 */
export class Looks {
  readonly #look: (key: string, paths: Set<string>) => Promise<void>;
  readonly #due = new Map<string, Due>();
  readonly #underWay = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #isDisposed = false;

  /** @param look what is done for a key, with the paths that were named since its last look */
  constructor(look: (key: string, paths: Set<string>) => Promise<void>) {
    this.#look = look;
  }

  /**
   * Takes in that something changed.
   * @returns what resolves after the look that sees it, whether that failed or not
   */
  touch(key: string, path?: string): Promise<void> {
    const due = this.#enter(key);
    if (path !== undefined) due.paths.add(path);
    this.#wait();
    return due.done.promise;
  }

  /** The same for what is not to wait for other changes. */
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
      // What is being taken away cannot be looked at: the next look from above says so.
    }
    this.#underWay.delete(key);
    done.resolve();
    if ([...this.#due.values()].some(({ isUrgent }) => isUrgent)) this.#begin();
    else if (this.#due.size > 0) this.#wait();
  }

  /** Begins nothing more, and keeps nobody waiting. */
  dispose(): void {
    this.#isDisposed = true;
    clearTimeout(this.#timer);
    for (const { done } of this.#due.values()) done.resolve();
    this.#due.clear();
  }
}
