import { appendFile, copyFile, lstat, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ChangedFile, CommitId, Diff, Joined } from '../../core/ports/workshop.ts';
import { isThoughtTreeError, ThoughtTreeError } from '../../core/search/errors.ts';
import { inSubmodule, nestedRepository, oddName, ownFiles, partialClone } from '../messages.ts';
import { shownPaths } from '../shown.ts';
import { isSameContent } from '../workspace-file.ts';
import { type Entry, type GitRepository, SUBMODULE } from './git-repository.ts';
import { lineOf, zeroSeparated } from './run-git.ts';
import type { UserRepository } from './user-repository.ts';

/** The earlier and the later entry of a path; undefined where it is not there. */
interface Change {
  /** Relative, with `/`. */
  readonly path: string;
  readonly before: Entry | undefined;
  readonly after: Entry | undefined;
}

/** The branch that a worker's own repository is on. */
const BRANCH = 'work';
/** The settings of a repository, so that whoever works there can commit and compare. */
const SETTINGS =
  '[user]\n\tname = Thought Tree\n\temail = thought-tree@localhost\n[core]\n\tautocrlf = false\n[gc]\n\tauto = 0\n';

/**
 * Keeps commits of the workspace's files in a git repository of ours; the person's is only read. Each is there for as long as
 * the store is.
 */
export class GitStore {
  readonly #own: GitRepository;
  readonly #source: Omit<StoreSource, 'user'>;
  readonly #readUser: () => Promise<UserRepository>;
  #leftOut: Promise<readonly string[]> | undefined;

  /** @param readUser looks at the repository that the workspace is in, which the person goes on to use */
  constructor(own: GitRepository, source: Omit<StoreSource, 'user'>, readUser: () => Promise<UserRepository>) {
    this.#own = own;
    this.#source = source;
    this.#readUser = readUser;
  }

  /** Lists paths of the workspace's last commit that checkouts do not have: submodules. */
  leftOut(): Promise<readonly string[]> {
    this.#leftOut ??= this.#readUser().then((user) => submodulesOf(this.#own, user));
    return this.#leftOut;
  }

  /** Lists paths that differ from the workspace's last commit and are not ignored. */
  async uncommitted(): Promise<readonly string[]> {
    return uncommittedPaths(this.#own, { ...this.#source, user: await this.#readUser() });
  }

  /** Makes the workspace's last commit the first one here, with its uncommitted changes if wanted. */
  async first(withUncommitted: boolean, signal: AbortSignal): Promise<CommitId> {
    this.#leftOut = undefined;
    return firstCommit(this.#own, { ...this.#source, user: await this.#readUser() }, withUncommitted, signal);
  }

  /** Writes the files of a commit into an empty folder, with whatever a worker needs to compare with them. */
  async write(commit: CommitId, folder: string, signal?: AbortSignal): Promise<void> {
    const own = this.#own;
    const init = ['init', '--quiet', '--template=', `--initial-branch=${BRANCH}`, ...(await this.#format())];
    await own.runIn(folder, ...init, folder);
    const gitDir = join(folder, '.git');
    const index = join(gitDir, 'index');
    // Its objects are copies: whoever works there could change ours through links.
    const packs = join(gitDir, 'objects', 'pack', 'pack');
    await own.run({ input: `${commit}\n`, signal }, 'pack-objects', '--quiet', '--revs', packs);
    await own.run({ index, signal }, 'read-tree', commit);
    await own.run({ index, workTree: folder, folder, signal }, 'checkout-index', '--all', '--quiet', '--index');
    await own.run({ gitDir, folder }, 'update-ref', `refs/heads/${BRANCH}`, commit);
    await appendFile(join(gitDir, 'config'), SETTINGS);
    await mkdir(join(gitDir, 'info'), { recursive: true });
    await copyFile(own.excludes, join(gitDir, 'info', 'exclude')).catch(() => undefined);
  }

  /** Makes a folder that shows one commit, as `write` left it, show another one: only files that differ are written. */
  async move(folder: string, from: CommitId, to: CommitId, signal: AbortSignal): Promise<void> {
    const own = this.#own;
    const gitDir = join(folder, '.git');
    const index = join(gitDir, 'index');
    const packs = join(gitDir, 'objects', 'pack', 'pack');
    await own.run({ input: `${to}\n^${from}\n`, signal }, 'pack-objects', '--quiet', '--revs', packs);
    await own.run({ index, workTree: folder, folder, signal }, 'read-tree', '--reset', '-u', to);
    await own.run({ gitDir, folder }, 'update-ref', `refs/heads/${BRANCH}`, to);
  }

  /** Makes files of a folder that were written by `write` as they were, except what is ignored. */
  async reset(commit: CommitId, folder: string): Promise<void> {
    await this.#own.withIndex(commit, async (index) => {
      const at = { index, workTree: folder, folder };
      const { output } = await this.#own.run(at, 'ls-files', '-z', '--others', '--exclude-standard');
      for (const path of zeroSeparated(output)) await rm(join(folder, path), { recursive: true, force: true });
      await this.#own.run(at, 'checkout-index', '--all', '--force', '--quiet');
    });
  }

  /**
   * Takes the files of a folder as a commit on `base`; undefined if they are the same. Our own git reads them, with an index of
   * ours: nothing in the folder's own repository is looked at.
   * @throws ThoughtTreeError `outside` for files that cannot be taken
   */
  async take(folder: string, base: CommitId, message: string): Promise<CommitId | undefined> {
    const before = await this.#own.treeOf(base);
    const tree = await this.#own.withIndex(base, async (index) => {
      await this.#own.run({ index, workTree: folder, folder }, 'add', '--all', '--', '.');
      return this.#own.writeTree(index);
    });
    if (tree === before) return undefined;
    await this.#check(before, tree);
    return this.#own.commit(tree, [base], message);
  }

  /** @throws ThoughtTreeError `outside` for files that must not be changed, or are not there in full */
  async #check(before: string, after: string): Promise<void> {
    const { output } = await this.#own.run({}, 'diff-tree', '-r', '-z', '--no-renames', '--raw', before, after);
    const changed = rawChanges(output);
    const nested = changed.filter(({ newMode }) => newMode === SUBMODULE).map(({ path }) => path);
    if (nested.length > 0) throw new ThoughtTreeError('outside', nestedRepository({ paths: shownPaths(nested) }));
    // Read as text, it would be another file's name.
    const odd = changed.map(({ path }) => path).filter((path) => path.includes('\ufffd'));
    if (odd.length > 0) throw new ThoughtTreeError('outside', oddName({ paths: shownPaths(odd) }));
    const modules = await this.leftOut();
    const touched = (folders: readonly string[]): string[] =>
      changed
        .map(({ path }) => path)
        .filter((path) => folders.some((each) => path === each || path.startsWith(`${each}/`)));
    const inside = touched(modules);
    if (inside.length > 0) throw new ThoughtTreeError('outside', inSubmodule({ paths: shownPaths(inside) }));
    const own = touched([this.#source.ownFolder]);
    if (own.length > 0) throw new ThoughtTreeError('outside', ownFiles({ paths: shownPaths(own) }));
  }

  /**
   * Joins what was done between `base` and `commit` with `tip`: three-way, without any files, as if both had begun at `base`,
   * whatever lies between that and the tip.
   */
  async join(
    tip: CommitId,
    { base, commit }: { readonly base: CommitId; readonly commit: CommitId },
    message: string,
  ): Promise<Joined> {
    if (tip === base) return { isJoined: true, commit };
    const own = this.#own;
    const date = await own.dateOf(commit);
    const from = await own.commit(await own.treeOf(base), [], 'base', 0);
    const ours = await own.commit(await own.treeOf(tip), [from], 'ours', 0);
    const theirs = await own.commit(await own.treeOf(commit), [from], 'theirs', 0);
    const asked = ['merge-tree', '--write-tree', '-z', '--name-only', '--no-messages', ours, theirs];
    const { code, output } = await own.run({ codes: [1] }, ...asked);
    const [tree = '', ...conflicts] = zeroSeparated(output);
    if (code === 1) return { isJoined: false, conflicts: [...new Set(conflicts)] };
    return { isJoined: true, commit: await own.commit(tree, [tip], message, date) };
  }

  /** Tells whether a commit was made from another one, or is the same. */
  async isAfter(commit: CommitId, earlier: CommitId): Promise<boolean> {
    await this.#own.treeOf(commit);
    const { code } = await this.#own.run({ codes: [1] }, 'merge-base', '--is-ancestor', earlier, commit);
    return code === 0;
  }

  async withPathsOf(commit: CommitId, earlier: CommitId, paths: readonly string[]): Promise<CommitId> {
    const isMeant = ({ path }: { path: string }): boolean =>
      paths.some((each) => path === each || path.startsWith(`${each}/`));
    const [now, then] = [await this.#own.list(commit), await this.#own.list(earlier)];
    const tree = await this.#own.withIndex(commit, async (index) => {
      await this.#own.putEntries(
        index,
        now.filter(isMeant).map(({ path }) => ({ path })),
      );
      await this.#own.putEntries(index, then.filter(isMeant));
      return this.#own.writeTree(index);
    });
    if (tree === (await this.#own.treeOf(commit))) return commit;
    return this.#own.commit(tree, [commit], 'As it was', await this.#own.dateOf(commit));
  }

  async entriesOf(commit: CommitId): Promise<ReadonlyMap<string, Entry>> {
    return this.#own.entriesOf(await this.#own.treeOf(commit));
  }

  /** Keeps bytes; the name under which they are read. */
  async keep(content: Buffer): Promise<string> {
    return lineOf(await this.#own.run({ input: content }, 'hash-object', '-w', '--no-filters', '--stdin'));
  }

  /**
   * Returns the names of the contents in the person's last commit, by paths of the workspace; none where there is no
   * git any more.
   */
  async committed(): Promise<ReadonlyMap<string, string>> {
    const user = await this.#readUser().catch((error: unknown) => {
      if (!isThoughtTreeError(error, 'bad-input')) throw error;
    });
    if (user?.head === undefined) return new Map();
    const alsoObjects = user.objects;
    const { output } = await this.#own.run({ alsoObjects }, 'ls-tree', '-r', '-z', '--full-tree', user.head);
    const found = zeroSeparated(output).map(
      (line) => [line.slice(line.indexOf('\t') + 1), line.split(/[ \t]/)[2] ?? ''] as const,
    );
    return new Map(
      found.flatMap(([path, id]) =>
        path.startsWith(user.prefix) ? [[path.slice(user.prefix.length), id] as const] : [],
      ),
    );
  }

  async changes(from: CommitId, to: CommitId): Promise<readonly Change[]> {
    const trees = [await this.#own.treeOf(from), await this.#own.treeOf(to)];
    const { output } = await this.#own.run({}, 'diff-tree', '-r', '-z', '--no-renames', '--raw', ...trees);
    return rawChanges(output).map(({ path, oldMode, newMode, oldId, newId }) => ({
      path,
      before: entryOf(oldMode, oldId),
      after: entryOf(newMode, newId),
    }));
  }

  diff(from: CommitId, to: CommitId): Promise<Diff> {
    return gitDiff(this.#own, from, to);
  }

  /** Reads the contents of entries, by their names. */
  async read(ids: readonly string[]): Promise<ReadonlyMap<string, Buffer>> {
    const found = new Map<string, Buffer>();
    if (ids.length === 0) return found;
    const { output } = await this.#own.run({ input: `${ids.join('\n')}\n` }, 'cat-file', '--batch');
    let at = 0;
    for (const id of ids) {
      const end = output.indexOf(10, at);
      const size = Number(output.subarray(at, end).toString('latin1').split(' ')[2]);
      if (!Number.isInteger(size)) throw new Error(`no object ${id}`);
      found.set(id, output.subarray(end + 1, end + 1 + size));
      at = end + 1 + size + 1;
    }
    return found;
  }

  /** Before a worker has a checkout, its own repository is as we made it: so git may be asked what is where. */
  async isClean(folder: string): Promise<boolean> {
    const top = lineOf(await this.#own.runIn(folder, 'rev-parse', '--show-toplevel'));
    const branch = lineOf(await this.#own.runIn(folder, 'symbolic-ref', 'HEAD'));
    const changed = await this.#own.runIn(folder, 'status', '--porcelain', '--untracked-files=all');
    return top === folder && branch === `refs/heads/${BRANCH}` && changed.output.length === 0;
  }

  async #format(): Promise<string[]> {
    return [`--object-format=${lineOf(await this.#own.run({}, 'rev-parse', '--show-object-format'))}`];
  }
}

interface RawChange {
  readonly path: string;
  readonly oldMode: string;
  readonly newMode: string;
  readonly oldId: string;
  readonly newId: string;
}

/** Returns the lines of `diff-tree --raw -z`. */
function rawChanges(output: Buffer): RawChange[] {
  const parts = zeroSeparated(output);
  const changes: RawChange[] = [];
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const [oldMode = '', newMode = '', oldId = '', newId = ''] = (parts[at] as string).slice(1).split(' ');
    changes.push({ path: parts[at + 1] as string, oldMode, newMode, oldId, newId });
  }
  return changes;
}

function entryOf(mode: string, id: string): Entry | undefined {
  return mode === '000000' ? undefined : { mode: mode as Entry['mode'], id };
}

/** The longest text of a diff, in characters. */
const LONGEST_DIFF = 2 * 1024 * 1024;
const CHANGES: Record<string, ChangedFile['change']> = { A: 'added', D: 'deleted' };
const PLAIN = ['--no-renames', '--no-ext-diff', '--no-textconv', '--no-color', '--ignore-submodules=all'];

/** Returns the difference between two commits, by nothing but their bytes. */
async function gitDiff(own: GitRepository, from: CommitId, to: CommitId): Promise<Diff> {
  const trees = [await own.treeOf(from), await own.treeOf(to)];
  const status = await own.run({}, 'diff-tree', '-r', '-z', '--name-status', ...PLAIN, ...trees);
  const counts = await own.run({}, 'diff-tree', '-r', '-z', '--numstat', ...PLAIN, ...trees);
  const text = await own.run({ atMost: LONGEST_DIFF }, 'diff-tree', '-r', '-p', '--full-index', ...PLAIN, ...trees);
  const parts = zeroSeparated(status.output);
  const lines = new Map(zeroSeparated(counts.output).map(countsOf));
  const files: ChangedFile[] = [];
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const path = parts[at + 1] as string;
    const [added, removed] = lines.get(path) ?? [0, 0];
    files.push({ path, change: CHANGES[parts[at] as string] ?? 'changed', added, removed });
  }
  return { files, text: text.output.toString('utf8') };
}

/** Files that are not text count as no lines. */
function countsOf(line: string): [string, [number, number]] {
  const [added = '', removed = '', ...path] = line.split('\t');
  return [path.join('\t'), [Number(added) || 0, Number(removed) || 0]];
}

/** Where the paths of submodules are kept, which are not copied. */
const SUBMODULES = 'submodules.json';

/** Makes the first commit of our store: the files of the person's last commit. Made anew after a kill, it is the same. */
async function firstCommit(
  own: GitRepository,
  source: StoreSource,
  withUncommitted: boolean,
  signal: AbortSignal,
): Promise<CommitId> {
  const { user } = source;
  await own.exclude(user.excludes);
  const tree = await copiedTree(own, source, signal);
  const commit = await own.commit(tree, [], `The files of ${user.head ?? 'a repository without commits'}`, 0);
  if (!withUncommitted) return commit;
  const withThem = await treeWithUncommitted(own, source, tree, signal);
  return withThem === tree ? commit : own.commit(withThem, [commit], 'Uncommitted changes', 0);
}

/** Returns the tree of the workspace in the last commit, copied with all it needs; without submodules. */
async function copiedTree(own: GitRepository, { user }: StoreSource, signal: AbortSignal): Promise<string> {
  if (user.head === undefined) return own.withIndex(undefined, (index) => own.writeTree(index));
  const alsoObjects = user.objects;
  const below = user.prefix.replace(/\/$/, '');
  const nameOf = async (name: string): Promise<string | undefined> => {
    const found = await own.run({ alsoObjects, codes: [1, 128] }, 'rev-parse', '--verify', '--quiet', name);
    return found.code === 0 ? lineOf(found) : undefined;
  };
  const whole = await nameOf(`${user.head}^{tree}`);
  if (whole === undefined) throw new ThoughtTreeError('bad-input', partialClone());
  const tree = below === '' ? whole : await nameOf(`${whole}:${below}`);
  // Nothing of the workspace was ever committed.
  if (tree === undefined) return own.withIndex(undefined, (index) => own.writeTree(index));
  try {
    const packs = join(own.dir, 'objects', 'pack', 'pack');
    await own.run({ alsoObjects, input: `${tree}\n`, signal }, 'pack-objects', '--quiet', '--revs', packs);
  } catch (error) {
    if (!isThoughtTreeError(error, 'internal')) throw error;
    throw new ThoughtTreeError('bad-input', partialClone(), { cause: error });
  }
  const modules = (await own.list(tree)).filter(({ mode }) => mode === SUBMODULE);
  await writeFile(join(own.dir, SUBMODULES), JSON.stringify(modules.map(({ path }) => path)));
  if (modules.length === 0) return tree;
  return own.withIndex(tree, async (index) => {
    await own.putEntries(
      index,
      modules.map(({ path }) => ({ path })),
    );
    return own.writeTree(index);
  });
}

/** Paths of submodules in the last commit, or in the one that work began at. */
async function submodulesOf(own: GitRepository, user: UserRepository): Promise<string[]> {
  const known = await readFile(join(own.dir, SUBMODULES), 'utf8').catch(() => undefined);
  if (known !== undefined) return JSON.parse(known) as string[];
  if (user.head === undefined) return [];
  const { output } = await own.run({ alsoObjects: user.objects }, 'ls-tree', '-r', '-z', '--full-tree', user.head);
  const lines = zeroSeparated(output).filter((line) => line.startsWith(`${SUBMODULE} `));
  const paths = lines.map((line) => line.slice(line.indexOf('\t') + 1));
  return paths.filter((path) => path.startsWith(user.prefix)).map((path) => path.slice(user.prefix.length));
}

/** Makes a tree with what is not committed, without the person's index: secrets stay unless they are tracked. */
async function treeWithUncommitted(
  own: GitRepository,
  source: StoreSource,
  tree: string,
  signal: AbortSignal,
): Promise<string> {
  const paths = await uncommittedPaths(own, source);
  return own.withIndex(tree, async (index) => {
    await addFiles(own, source.workspace, index, paths, signal);
    return own.writeTree(index);
  });
}

/** Bytes as they are; links as links; what is gone, or in the place of a folder, is removed. */
async function addFiles(
  own: GitRepository,
  workTree: string,
  index: string,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const input = paths.map((path) => `${path}\0`).join('');
  const call = { index, workTree, folder: workTree, input, signal };
  if (paths.length > 0) await own.run(call, 'update-index', '-z', '--add', '--remove', '--replace', '--stdin');
}

/** The number of files that are compared in full; of more, every one that git names counts. */
const MOST_COMPARED = 2000;
/** Larger ones are not read for that. */
const LARGEST = 256 * 1024 * 1024;

interface StoreSource {
  /** The workspace's folder, with no link in it. */
  readonly workspace: string;
  /** The repository it is in. */
  readonly user: UserRepository;
  /** The search's own folder relative to the workspace; nothing in it is ever changed by work. */
  readonly ownFolder: string;
  /** Tells whether a file is one that keeps secrets: it is not taken along unless it is tracked. */
  readonly isSecret: (path: string) => boolean;
}

/**
 * Lists what differs between the workspace and its last commit, as our own git sees it: with an index of ours, so that
 * the person's is not even read, and without looking into submodules, whose settings could name programs. Files that
 * keep secrets are named only if they are tracked: no others are ever taken along.
 * @returns paths relative to the workspace
 */
async function uncommittedPaths(own: GitRepository, source: StoreSource): Promise<string[]> {
  const { user } = source;
  return own.withIndexOf(user, async (index) => {
    const at = { index, workTree: user.top, folder: source.workspace, alsoObjects: user.objects };
    await own.run({ ...at, codes: [1] }, 'update-index', '-q', '--refresh', '--ignore-submodules');
    const changed = await own.run(at, 'diff-files', '-z', '--raw', '--relative', '--ignore-submodules=all');
    const untracked = await own.run(at, 'ls-files', '-z', '--others', '--exclude-standard', '--', '.');
    const isTaken = (path: string): boolean =>
      !path.endsWith('/') && !isOwnPath(source, path) && !source.isSecret(path);
    const ofPerson = zeroSeparated(untracked.output).filter(isTaken);
    return [...(await reallyChanged(own, source, zeroSeparated(changed.output))), ...ofPerson].sort();
  });
}

function isOwnPath({ ownFolder }: StoreSource, path: string): boolean {
  return path === ownFolder || path.startsWith(`${ownFolder}/`);
}

/** Without those that only have other line ends, or are files of Git LFS in place of their pointers. */
async function reallyChanged(own: GitRepository, source: StoreSource, parts: string[]): Promise<string[]> {
  const paths: string[] = [];
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const [oldMode = '', newMode, id = '', , status] = (parts[at] as string).slice(1).split(' ');
    const path = parts[at + 1] as string;
    if (isOwnPath(source, path) || (status === 'D' && source.user.isSparse)) continue;
    const isPlain = status === 'M' && oldMode === newMode && oldMode !== '120000';
    if (isPlain && at / 2 < MOST_COMPARED && (await isSameFile(own, source, id, path))) continue;
    paths.push(path);
  }
  return paths;
}

async function isSameFile(
  own: GitRepository,
  { workspace, user }: StoreSource,
  id: string,
  path: string,
): Promise<boolean> {
  const file = join(workspace, path);
  const about = await lstat(file).catch(() => undefined);
  if (!about?.isFile() || about.size > LARGEST) return false;
  const { output } = await own.run({ alsoObjects: user.objects }, 'cat-file', 'blob', id);
  return isSameContent(output, await readFile(file));
}
