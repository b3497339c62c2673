import type { CommitId, Diff, Joined } from '../core/ports/workshop.ts';

/** What a path is in a commit: a file, one that can be run, or a link. */
export interface Entry {
  readonly mode: '100644' | '100755' | '120000';
  /** The name of its content in the store. */
  readonly id: string;
}

/** What a path was, and what it is; undefined where it is not there. */
export interface Change {
  /** Relative, with `/`. */
  readonly path: string;
  readonly before: Entry | undefined;
  readonly after: Entry | undefined;
}

/** Keeps commits of the workspace's files, outside of it. Each is there for as long as the store is. */
export interface WorkStore {
  readonly by: 'git' | 'copy';
  /** Paths of the workspace's last commit that checkouts do not have: submodules. */
  leftOut(): Promise<readonly string[]>;
  /** Paths that differ from the workspace's last commit and are not ignored. */
  uncommitted(): Promise<readonly string[]>;
  /** The workspace's last commit as the first one here, with its uncommitted changes if wanted. */
  first(withUncommitted: boolean, signal: AbortSignal): Promise<CommitId>;
  /** Writes the files of a commit into an empty folder, with whatever a worker needs to compare with them. */
  write(commit: CommitId, folder: string): Promise<void>;
  /** Files of a folder that were written by `write` become again as they were, except what is ignored. */
  reset(commit: CommitId, folder: string): Promise<void>;
  /**
   * The files of a folder as a commit on `base`; undefined if they are the same.
   * @throws ThoughtTreeError `outside` for files that cannot be taken
   */
  take(folder: string, base: CommitId, message: string): Promise<CommitId | undefined>;
  /** Joins what was done between `base` and `commit` with `tip`. */
  join(tip: CommitId, work: { readonly base: CommitId; readonly commit: CommitId }, message: string): Promise<Joined>;
  /** Whether a commit was made from another one, or is the same. */
  isAfter(commit: CommitId, earlier: CommitId): Promise<boolean>;
  withPathsOf(commit: CommitId, earlier: CommitId, paths: readonly string[]): Promise<CommitId>;
  entriesOf(commit: CommitId): Promise<ReadonlyMap<string, Entry>>;
  changes(from: CommitId, to: CommitId): Promise<readonly Change[]>;
  diff(from: CommitId, to: CommitId): Promise<Diff>;
  /** The contents of entries, by their names. */
  read(ids: readonly string[]): Promise<ReadonlyMap<string, Buffer>>;
}

/** The longest text of a diff, in characters. */
export const LONGEST_DIFF = 2 * 1024 * 1024;
