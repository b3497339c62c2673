import { execFile } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { SecretFilter } from '../secrets/secret-filter.ts';
import { exclusionOf } from './excluded-files.ts';
import { ownFolders, searchFolders } from './search-folders.ts';
import type { SkipReason } from './skipped.ts';
import { walkFolder } from './walk-folder.ts';

const run = promisify(execFile);

/** The files of a workspace. */
export interface FolderFiles {
  /** Those worth quoting, sorted by code unit, relative, with `/`. */
  readonly paths: readonly string[];
  /** The others that are not ignored, with the reason; sorted as well. */
  readonly skipped: readonly { readonly path: string; readonly reason: SkipReason }[];
  /** Whether some may lie behind a link: git continues to list what it tracks below a folder that has become one since. */
  readonly mayPassLinks: boolean;
}

/**
 * The files of a workspace worth quoting: those that git would list, except lock files, changelogs, fixtures, generated
 * files, secrets, binaries and every folder that holds a search of ours. Sorted by code unit, relative, with `/`.
 * @param searches where this workspace's searches are kept; see `ownFolders`
 */
export async function listFiles(workspace: string, secrets: SecretFilter, searches?: string): Promise<string[]> {
  return [...(await surveyFiles(workspace, secrets, searches)).paths];
}

/** The same, with what is not worth quoting and why. @throws the signal's reason */
export async function surveyFiles(
  workspace: string,
  secrets: SecretFilter,
  searches?: string,
  signal?: AbortSignal,
): Promise<FolderFiles> {
  const { paths: all, isByGit } = await list(workspace, searches, signal);
  const folders = searchFolders(workspace, all);
  const inSearch = (path: string): boolean =>
    folders.some((folder) => folder === '.' || path === folder || path.startsWith(`${folder}/`));
  const paths: string[] = [];
  const skipped: { path: string; reason: SkipReason }[] = [];
  for (const path of [...new Set(all)].sort()) {
    if (folders.length > 0 && inSearch(path)) continue;
    const reason = exclusionOf(path) ?? (secrets.leavesOut(path) ? 'secret' : undefined);
    if (reason === undefined) paths.push(path);
    else skipped.push({ path, reason });
  }
  return { paths, skipped, mayPassLinks: isByGit };
}

/** Every file of a workspace that is not ignored: what may be cited. */
export async function listAll(workspace: string, searches?: string): Promise<ReadonlySet<string>> {
  return new Set((await list(workspace, searches)).paths);
}

async function list(
  workspace: string,
  searches: string | undefined,
  signal?: AbortSignal,
): Promise<{ readonly paths: string[]; readonly isByGit: boolean }> {
  const own = await ownFolders(workspace, searches);
  const byGit = await listByGit(workspace, own, signal);
  return { paths: byGit ?? (await walkFolder(workspace, own, signal)), isByGit: byGit !== undefined };
}

/** What git lists below the folder; undefined if there is no git, no work tree, or the whole folder is ignored. */
async function listByGit(
  workspace: string,
  own: readonly string[],
  signal: AbortSignal | undefined,
): Promise<string[] | undefined> {
  if (!isInRepository(workspace)) return undefined;
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
        ...(signal ? { signal } : {}),
      },
    );
    const paths = stdout.split('\0').filter((path) => path !== '');
    return paths.length > 0 ? paths : undefined;
  } catch {
    signal?.throwIfAborted();
    return undefined;
  }
}

/** Whether any folder from this one up is one of git's: else it need not be started to say so. */
function isInRepository(workspace: string): boolean {
  try {
    for (let folder = realpathSync.native(workspace); ; folder = dirname(folder)) {
      if (existsSync(join(folder, '.git'))) return true;
      if (folder === dirname(folder)) return false;
    }
  } catch {
    return false;
  }
}
