import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CommitId } from '../../core/ports/workshop.ts';
import { isThoughtTreeError, ThoughtTreeError } from '../../core/search/errors.ts';
import { partialClone } from '../messages.ts';
import { type GitRepository, SUBMODULE } from './git-repository.ts';
import { lineOf, zeroSeparated } from './run-git.ts';
import type { StoreSource } from './uncommitted.ts';
import { uncommittedPaths } from './uncommitted.ts';
import type { UserRepository } from './user-repository.ts';

/** Where the paths of submodules are kept, which are not copied. */
const SUBMODULES = 'submodules.json';

/** Makes the first commit of our store: the files of the person's last commit. Made anew after a kill, it is the same. */
export async function firstCommit(
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

/** The tree of the workspace in the last commit, copied with all it needs; without submodules. */
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
export async function submodulesOf(own: GitRepository, user: UserRepository): Promise<string[]> {
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
