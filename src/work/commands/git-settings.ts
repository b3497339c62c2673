import { lstat, readdir, readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

const MOST_MODULES = 200;

/**
 * The settings of the repository that a folder is in: addresses in them may hold passwords and tokens, which are none of a
 * command's business. They are found without git, which would read them.
 * @returns absolute paths of files that exist
 */
export async function gitSettingsOf(folder: string): Promise<string[]> {
  const found: string[] = [];
  for (let at = folder; ; at = dirname(at)) {
    for (const dir of await repositoriesAt(join(at, '.git'))) {
      const modules = join(dir, 'modules');
      const names = (await readdir(modules).catch(() => [])).slice(0, MOST_MODULES);
      for (const place of [dir, ...names.map((name) => join(modules, name))])
        for (const name of ['config', 'config.worktree', 'FETCH_HEAD']) found.push(join(place, name));
    }
    if (at === dirname(at)) break;
  }
  const isFile = await Promise.all(found.map(async (file) => (await lstat(file).catch(() => undefined))?.isFile()));
  return [...new Set(found.filter((_, i) => isFile[i]))];
}

/** The folder that `.git` is; or the ones that it names, of a further worktree and of the repository itself. */
export async function repositoriesAt(git: string): Promise<string[]> {
  const about = await lstat(git).catch(() => undefined);
  if (!about) return [];
  if (about.isDirectory()) return [git];
  const named = await firstLine(git);
  if (!named?.startsWith('gitdir: ')) return [];
  const dir = resolve(dirname(git), named.slice('gitdir: '.length));
  const common = await firstLine(join(dir, 'commondir'));
  return common ? [dir, resolve(dir, common)] : [dir];
}

async function firstLine(file: string): Promise<string | undefined> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  return text?.split('\n')[0]?.trim();
}
