import { readdir, readFile, realpath } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { repositoriesAt } from '../../work/commands/git-settings.ts';

const MOST_WORKTREES = 100;

/**
 * A folder under all the names that an agent's client may have known it by: as it is given, without links, and the same
 * folder in every worktree of its repository.
 */
export async function foldersLike(folder: string): Promise<string[]> {
  const real = await realpath(folder).catch(() => folder);
  return [...new Set([folder, real, ...(await inWorktrees(real))])];
}

/** The folders that a folder is in, the nearest first. */
export function foldersAbove(folder: string): string[] {
  const above = dirname(folder);
  return above === folder ? [] : [above, ...foldersAbove(above)];
}

async function inWorktrees(folder: string): Promise<string[]> {
  for (let top = folder; ; top = dirname(top)) {
    const common = (await repositoriesAt(join(top, '.git'))).at(-1);
    if (common !== undefined) return (await worktreesOf(common)).map((tree) => join(tree, relative(top, folder)));
    if (top === dirname(top)) return [];
  }
}

/** The folders of a repository's worktrees, the main one first. @param common what all of them share, usually `.git` */
async function worktreesOf(common: string): Promise<string[]> {
  const names = await readdir(join(common, 'worktrees')).catch(() => []);
  const pointers = names.slice(0, MOST_WORKTREES).map((name) => join(common, 'worktrees', name, 'gitdir'));
  const texts = await Promise.all(pointers.map((file) => readFile(file, 'utf8').catch(() => '')));
  const further = texts.flatMap((text) => (text.trim() === '' ? [] : [dirname(text.trim())]));
  return basename(common) === '.git' ? [dirname(common), ...further] : further;
}
