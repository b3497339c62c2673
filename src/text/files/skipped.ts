import { lstatSync } from 'node:fs';

/**
 * Why something is not searched. By its name or place: `lock` (a lock file), `changelog`, `test-data`, `vendored`,
 * `generated` (also by what it says), `binary`, `secret` (it may hold some), `hidden` (in a dot folder), `odd-name` (one that
 * cannot be cited). By what is there:
 * `too-large`, `unreadable`, `link`. Whole folders: `closed` (it cannot be read), `repository` (another one of git's).
 * `ignored` stands for how much nobody knows: what git's rules name, or what is in a `node_modules`. `unasked` is a repository
 * whose rules were read from their files, because git could not be asked.
 */
export type SkipReason =
  | 'lock'
  | 'changelog'
  | 'test-data'
  | 'vendored'
  | 'generated'
  | 'binary'
  | 'secret'
  | 'hidden'
  | 'odd-name'
  | 'too-large'
  | 'unreadable'
  | 'link'
  | 'closed'
  | 'repository'
  | 'ignored'
  | 'unasked';

export interface SkippedPath {
  /** Of a file or a folder, relative to the workspace, with `/`; of rules, that of their file. */
  readonly path: string;
  readonly reason: SkipReason;
}

/** Files, or folders, that are not searched, for one reason. */
export interface Skipped {
  readonly reason: SkipReason;
  readonly count: number;
  /** The paths of a few of them. */
  readonly examples: readonly string[];
  /** The paths of all. */
  readonly paths: readonly string[];
}

const EXAMPLES = 3;

/** Counts what is skipped. */
export class SkipCounts {
  readonly #paths = new Map<SkipReason, string[]>();

  add(reason: SkipReason, path: string): void {
    const known = this.#paths.get(reason);
    if (known) known.push(path);
    else this.#paths.set(reason, [path]);
  }

  /** The most common first. */
  get list(): Skipped[] {
    const all = Array.from(this.#paths, ([reason, paths]) => {
      return { reason, count: paths.length, examples: paths.slice(0, EXAMPLES), paths };
    });
    return all.sort((a, b) => b.count - a.count || (a.reason < b.reason ? -1 : 1));
  }
}

/** Counts the known files and folders that are not searched. */
export function unsearched(skipped: readonly Skipped[]): { readonly files: number; readonly folders: number } {
  const found = { files: 0, folders: 0 };
  for (const { reason, count } of skipped)
    if (reason !== 'ignored' && reason !== 'unasked')
      found[reason === 'closed' || reason === 'repository' ? 'folders' : 'files'] += count;
  return found;
}

/** Why a listed file could not be read. @param file absolute */
export function whyUnreadable(file: string): SkipReason {
  try {
    const found = lstatSync(file);
    if (found.isDirectory()) return 'repository'; // git lists nothing below one
    return found.isSymbolicLink() ? 'link' : 'unreadable';
  } catch {
    return 'unreadable';
  }
}
