import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { SecretFilter } from '../secrets/secret-filter.ts';
import { isExcluded } from './excluded-files.ts';
import { ownFolders, searchFolders } from './search-folders.ts';

const run = promisify(execFile);

/**
 * The files of a workspace worth quoting: those that git would list, except lock files, changelogs, fixtures, generated
 * files, secrets, binaries and every folder that holds a search of ours. Sorted by code unit, relative, with `/`.
 * @param searches where this workspace's searches are kept; see `ownFolders`
 */
export async function listFiles(workspace: string, secrets: SecretFilter, searches?: string): Promise<string[]> {
  const all = await list(workspace, searches);
  const folders = searchFolders(workspace, all);
  const inSearch = (path: string): boolean =>
    folders.some((folder) => folder === '.' || path === folder || path.startsWith(`${folder}/`));
  const kept = all.filter((path) => !isExcluded(path) && !secrets.leavesOut(path) && !inSearch(path));
  return [...new Set(kept)].sort();
}

/** Every file of a workspace that is not ignored: what may be cited. */
export async function listAll(workspace: string, searches?: string): Promise<ReadonlySet<string>> {
  return new Set(await list(workspace, searches));
}

async function list(workspace: string, searches: string | undefined): Promise<string[]> {
  const own = await ownFolders(workspace, searches);
  return (await listByGit(workspace, own)) ?? (await listByWalking(workspace, own));
}

/** What git lists below the folder; undefined if there is no git, no work tree, or the whole folder is ignored. */
async function listByGit(workspace: string, own: readonly string[]): Promise<string[] | undefined> {
  // A variable such as GIT_DIR (set inside a hook) would make git use another repository.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_')));
  try {
    // fsmonitor may name a program: reading a folder must not run what that folder's settings say.
    const flags = ['-c', 'core.fsmonitor=false', '-c', 'core.quotePath=false'];
    const without = own.map((folder) => `:(exclude,literal)${folder}`);
    const { stdout } = await run(
      'git',
      [...flags, 'ls-files', '-z', '-co', '--exclude-standard', '--', '.', ...without],
      {
        cwd: workspace,
        env: { ...env, GIT_OPTIONAL_LOCKS: '0' },
        maxBuffer: 256_000_000,
      },
    );
    const paths = stdout.split('\0').filter((path) => path !== '');
    return paths.length > 0 ? paths : undefined;
  } catch {
    return undefined;
  }
}

async function listByWalking(workspace: string, own: readonly string[]): Promise<string[]> {
  const { convertPathToPattern, globby } = await import('globby');
  const without = own.map((folder) => `${convertPathToPattern(folder)}/**`);
  return globby('**', {
    cwd: workspace,
    dot: true,
    followSymbolicLinks: false,
    // Not `gitignore: true`: that also applies the folders above, which may well ignore this one as a whole.
    ignoreFiles: '**/.gitignore',
    ignore: ['**/.git', '**/.git/**', '**/node_modules/**', ...without],
    suppressErrors: true,
  });
}
