import { createHash } from 'node:crypto';
import { chmod, lstat, mkdir, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { CommitId, type Diff, type Joined } from '../../core/ports/workshop.ts';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import { ownFiles, tooManyFiles, unknownCommit } from '../messages.ts';
import { replaceFile } from '../replace-file.ts';
import { shownPaths } from '../shown.ts';
import { throwIfStopped } from '../stopped.ts';
import type { Change, Entry, WorkStore } from '../work-store.ts';
import { diffOf } from './diff-of.ts';
import { filesIn } from './files-in.ts';

/** The most files and bytes of a folder that is copied. */
const MOST_FILES = 100_000;
const MOST_BYTES = 2 * 1024 ** 3;

const CommitFile = z.object({
  parent: CommitId.optional(),
  message: z.string(),
  files: z.array(
    z.object({ path: z.string(), mode: z.enum(['100644', '100755', '120000']), id: z.string().regex(/^[\da-f]{64}$/) }),
  ),
});
type CommitFile = z.infer<typeof CommitFile>;

/** Keeps commits without git: contents by their hash, and a list of them for each commit, whose own hash is its name. */
export class CopyStore implements WorkStore {
  readonly by = 'copy';
  readonly #folder: string;
  readonly #source: {
    readonly workspace: string;
    readonly ownFolder: string;
    readonly isSecret: (path: string) => boolean;
  };

  constructor(folder: string, source: { workspace: string; ownFolder: string; isSecret: (path: string) => boolean }) {
    this.#folder = folder;
    this.#source = source;
  }

  async leftOut(): Promise<readonly string[]> {
    return [];
  }

  /** There is no last commit: all files are part of the first one. */
  async uncommitted(): Promise<readonly string[]> {
    return [];
  }

  async first(_withUncommitted: boolean, signal: AbortSignal): Promise<CommitId> {
    const { workspace, isSecret } = this.#source;
    const paths = (await filesIn(workspace)).filter((path) => !this.#isOwn(path) && !isSecret(path));
    return this.#commit({ message: 'The files of the folder', files: await this.#keepAll(workspace, paths, signal) });
  }

  async write(commit: CommitId, folder: string): Promise<void> {
    for (const [path, entry] of await this.entriesOf(commit)) await this.#writeFile(folder, path, entry);
  }

  async reset(commit: CommitId, folder: string): Promise<void> {
    const entries = await this.entriesOf(commit);
    for (const path of await filesIn(folder))
      if (!entries.has(path)) await rm(join(folder, path), { recursive: true, force: true });
    for (const [path, entry] of entries) {
      await rm(join(folder, path), { recursive: true, force: true });
      await this.#writeFile(folder, path, entry);
    }
  }

  async take(folder: string, base: CommitId, message: string): Promise<CommitId | undefined> {
    const before = await this.entriesOf(base);
    // What was there before counts even where it is ignored now.
    const paths = new Set([...(await filesIn(folder)), ...before.keys()]);
    const files = await this.#keepAll(folder, [...paths]);
    const after = new Map(files.map(({ path, ...entry }) => [path, entry]));
    const changed = changesBetween(before, after).map(({ path }) => path);
    if (changed.length === 0) return undefined;
    const own = changed.filter((path) => this.#isOwn(path));
    if (own.length > 0) throw new ThoughtTreeError('outside', ownFiles({ paths: shownPaths(own) }));
    return this.#commit({ parent: base, message, files });
  }

  /** File by file: one that both changed in different ways is a conflict. */
  async join(
    tip: CommitId,
    { base, commit }: { readonly base: CommitId; readonly commit: CommitId },
    message: string,
  ): Promise<Joined> {
    if (tip === base) return { isJoined: true, commit };
    const joined = new Map(await this.entriesOf(tip));
    const ours = new Map((await this.changes(base, tip)).map((change) => [change.path, change]));
    const conflicts: string[] = [];
    for (const { path, after } of await this.changes(base, commit)) {
      const other = ours.get(path);
      if (other && !isSame(other.after, after)) conflicts.push(path);
      else if (after) joined.set(path, after);
      else joined.delete(path);
    }
    conflicts.push(...clashesIn(joined.keys()));
    if (conflicts.length > 0) return { isJoined: false, conflicts };
    return { isJoined: true, commit: await this.#commit({ parent: tip, message, files: listOf(joined) }) };
  }

  async isAfter(commit: CommitId, earlier: CommitId): Promise<boolean> {
    for (let at: CommitId | undefined = commit; at !== undefined; at = (await this.#read(at)).parent)
      if (at === earlier) return true;
    return false;
  }

  async withPathsOf(commit: CommitId, earlier: CommitId, paths: readonly string[]): Promise<CommitId> {
    const isMeant = (path: string): boolean => paths.some((each) => path === each || path.startsWith(`${each}/`));
    const now = [...(await this.entriesOf(commit))].filter(([path]) => !isMeant(path));
    const then = [...(await this.entriesOf(earlier))].filter(([path]) => isMeant(path));
    const mixed = new Map([...now, ...then]);
    for (const path of clashesIn(mixed.keys())) if (!isMeant(path)) mixed.delete(path);
    return this.#commit({ parent: commit, message: 'As it was', files: listOf(mixed) });
  }

  async entriesOf(commit: CommitId): Promise<ReadonlyMap<string, Entry>> {
    const entries = new Map((await this.#read(commit)).files.map(({ path, ...entry }) => [path, entry]));
    // What is below a link would be written through it.
    if (clashesIn(entries.keys()).length > 0) throw new ThoughtTreeError('damaged', unknownCommit({ commit }));
    return entries;
  }

  async changes(from: CommitId, to: CommitId): Promise<readonly Change[]> {
    return changesBetween(await this.entriesOf(from), await this.entriesOf(to));
  }

  async diff(from: CommitId, to: CommitId): Promise<Diff> {
    return diffOf(await this.changes(from, to), (ids) => this.read(ids));
  }

  async read(ids: readonly string[]): Promise<ReadonlyMap<string, Buffer>> {
    const found = new Map<string, Buffer>();
    for (const id of ids) found.set(id, await readFile(this.#place('contents', id)));
    return found;
  }

  #isOwn(path: string): boolean {
    const { ownFolder } = this.#source;
    return path === ownFolder || path.startsWith(`${ownFolder}/`);
  }

  async #keepAll(folder: string, paths: readonly string[], signal?: AbortSignal): Promise<CommitFile['files']> {
    const files: CommitFile['files'] = [];
    let bytes = 0;
    for (const path of [...paths].sort()) {
      throwIfStopped(signal);
      const content = await contentAt(folder, path);
      if (!content) continue;
      bytes += content.bytes.length;
      if (files.length >= MOST_FILES || bytes > MOST_BYTES) {
        const most = { files: MOST_FILES, megabytes: MOST_BYTES / 1024 ** 2 };
        throw new ThoughtTreeError('bad-input', tooManyFiles({ folder, ...most }));
      }
      files.push({ path, mode: content.mode, id: await this.#keep(content.bytes) });
    }
    return files;
  }

  async #keep(bytes: Buffer): Promise<string> {
    const id = createHash('sha256').update(bytes).digest('hex');
    const file = this.#place('contents', id);
    if (await lstat(file).catch(() => undefined)) return id;
    await mkdir(dirname(file), { recursive: true });
    await replaceFile(file, bytes);
    return id;
  }

  async #commit(commit: CommitFile): Promise<CommitId> {
    return this.#keep(Buffer.from(JSON.stringify(commit)));
  }

  async #read(commit: CommitId): Promise<CommitFile> {
    try {
      return CommitFile.parse(JSON.parse(await readFile(this.#place('contents', commit), 'utf8')));
    } catch (cause) {
      throw new ThoughtTreeError('not-found', unknownCommit({ commit }), { cause });
    }
  }

  async #writeFile(folder: string, path: string, { mode, id }: Entry): Promise<void> {
    const file = join(folder, path);
    const bytes = await readFile(this.#place('contents', id));
    await mkdir(dirname(file), { recursive: true });
    if (mode === '120000') return symlink(bytes.toString('utf8'), file);
    await writeFile(file, bytes, { flag: 'wx' });
    await chmod(file, mode === '100755' ? 0o755 : 0o644);
  }

  #place(kind: 'contents', id: string): string {
    return join(this.#folder, kind, id.slice(0, 2), id.slice(2));
  }
}

/** A file or a link as it is; undefined for anything else. Links are not followed, also not on the way. */
async function contentAt(folder: string, path: string): Promise<{ mode: Entry['mode']; bytes: Buffer } | undefined> {
  const steps = path.split('/');
  for (let depth = 1; depth < steps.length; depth++) {
    const above = await lstat(join(folder, ...steps.slice(0, depth))).catch(() => undefined);
    if (!above?.isDirectory()) return undefined;
  }
  const file = join(folder, path);
  const about = await lstat(file).catch(() => undefined);
  if (about?.isSymbolicLink()) return { mode: '120000', bytes: Buffer.from(await readlink(file)) };
  if (!about?.isFile()) return undefined;
  return { mode: (about.mode & 0o100) === 0 ? '100644' : '100755', bytes: await readFile(file) };
}

/** Paths that are below another one, which so is a file and a folder at once. */
function clashesIn(paths: Iterable<string>): string[] {
  const all = new Set(paths);
  return [...all].filter((path) => {
    const steps = path.split('/');
    return steps.some((_, depth) => depth > 0 && all.has(steps.slice(0, depth).join('/')));
  });
}

function listOf(entries: ReadonlyMap<string, Entry>): CommitFile['files'] {
  const files = [...entries].map(([path, entry]) => ({ path, ...entry }));
  return files.sort((a, b) => (a.path < b.path ? -1 : 1));
}

function changesBetween(from: ReadonlyMap<string, Entry>, to: ReadonlyMap<string, Entry>): Change[] {
  const paths = [...new Set([...from.keys(), ...to.keys()])].sort();
  const changes = paths.map((path) => ({ path, before: from.get(path), after: to.get(path) }));
  return changes.filter(({ before, after }) => !isSame(before, after));
}

function isSame(one: Entry | undefined, other: Entry | undefined): boolean {
  return one?.id === other?.id && one?.mode === other?.mode;
}
