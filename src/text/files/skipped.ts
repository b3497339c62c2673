/**
 * Why a file is not searched: `excluded` by its name or place (lock files, fixtures, changelogs, bundles), `binary`,
 * `secret` by its name or place, `generated` by what it says, too large, or not readable (a link, or gone).
 */
export type SkipReason = 'excluded' | 'binary' | 'secret' | 'generated' | 'too-large' | 'unreadable';

/** Files that are not searched, for one reason. */
export interface Skipped {
  readonly reason: SkipReason;
  readonly count: number;
  /** The paths of a few of them, the first by path. */
  readonly examples: readonly string[];
}

const EXAMPLES = 3;

/** Counts what is skipped. */
export class SkipCounts {
  readonly #counts = new Map<SkipReason, { count: number; readonly examples: string[] }>();

  /** To be called in the order of paths. */
  add(reason: SkipReason, path: string): void {
    const known = this.#counts.get(reason) ?? { count: 0, examples: [] };
    known.count++;
    if (known.examples.length < EXAMPLES) known.examples.push(path);
    this.#counts.set(reason, known);
  }

  /** The most common first. */
  get list(): Skipped[] {
    const all = Array.from(this.#counts, ([reason, { count, examples }]) => ({ reason, count, examples }));
    return all.sort((a, b) => b.count - a.count || (a.reason < b.reason ? -1 : 1));
  }
}
