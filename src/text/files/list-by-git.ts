import { execFile } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { namesOf, type Repository } from './git-rules.ts';
import type { SkippedPath } from './skipped.ts';
import type { Walked } from './walk-folder.ts';

const run = promisify(execFile);

/** A step that leads nowhere, or out of the folder: an index that somebody else made may hold any path. */
const ODD_STEP = /(?:^|\/)\.{1,2}(?:\/|$)/;
/** The time after which git counts as silent, in milliseconds: it waits for ever for a pipe in the place of a file of rules. */
const TIMEOUT_MS = 60_000;

/** The words of git about a folder that it cannot read; its path is that from the top of the work tree. */
const CLOSED = /^warning: could not open directory '(.*)': /gm;

/** The paths that git lists in a folder. */
export interface ListedByGit extends Walked {
  /** Folders that are repositories of their own, which git does not list: submodules that are there. */
  readonly modules: string[];
}

/**
 * Lists what git lists below a folder; undefined if git cannot be asked.
 * @param own folders to leave out
 * @param timeout in milliseconds
 */
export async function listByGit(
  workspace: string,
  own: readonly string[],
  repository: Repository,
  signal?: AbortSignal,
  timeout = TIMEOUT_MS,
): Promise<ListedByGit | undefined> {
  const ask = (...args: string[]): Promise<Said> => askGit(resolve(workspace), repository.top, args, timeout, signal);
  const here = ['--', '.', ...own.map((folder) => `:(exclude,literal)${folder}`)];
  try {
    const { stdout, stderr } = await ask('ls-files', '-z', '-co', '--exclude-standard', ...here);
    const modules = existsSync(join(repository.top, '.gitmodules'))
      ? modulesIn(workspace, (await ask('ls-files', '-z', '-s', ...here)).stdout)
      : [];
    const files = stdout.split('\0').filter((path) => path !== '' && !ODD_STEP.test(path) && !modules.includes(path));
    const skipped = [...closedIn(stderr, repository.prefix), ...ignoringIn(workspace, files)];
    for (const path of namesOf(repository.rules)) skipped.push({ path, reason: 'ignored' });
    return { files, skipped, modules };
  } catch {
    signal?.throwIfAborted();
    return undefined;
  }
}

interface Said {
  readonly stdout: string;
  readonly stderr: string;
}

function askGit(
  folder: string,
  top: string,
  args: readonly string[],
  timeout: number,
  signal?: AbortSignal,
): Promise<Said> {
  // A variable such as GIT_DIR (set inside a hook) would make git use another repository. With the right one, git also lists
  // what belongs to another owner, with the rules that it has: without them, more would be read.
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_') || name === 'GIT_CONFIG_GLOBAL');
  const env = {
    ...Object.fromEntries(own),
    GIT_DIR: join(top, '.git'),
    GIT_WORK_TREE: top,
    LC_ALL: 'C',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_NO_LAZY_FETCH: '1',
    GIT_ALLOW_PROTOCOL: '',
  };
  // Settings may name programs, for fsmonitor and to fetch what is not there: reading a folder runs none of them.
  const settings = ['-c', 'core.fsmonitor=false', '-c', 'core.quotePath=false'];
  return run('git', ['-C', folder, ...settings, ...args], {
    // Windows looks for programs in the folder where one begins, others may be told to: not among files of somebody else.
    cwd: dirname(process.execPath),
    env,
    maxBuffer: 256_000_000,
    timeout,
    ...(signal ? { signal } : {}),
  });
}

/** The submodules among the entries of an index that are there, and not behind a link. */
function modulesIn(workspace: string, entries: string): string[] {
  const real = realpathSync(workspace);
  const paths = entries.split('\0').flatMap((entry) => /^160000 [^\t]{1,200}\t(.*)/s.exec(entry)?.[1] ?? []);
  return paths.filter((path) => {
    if (ODD_STEP.test(path)) return false;
    const folder = join(real, path);
    return existsSync(join(folder, '.git')) && realpathSync(folder) === folder;
  });
}

function closedIn(said: string, prefix: string): SkippedPath[] {
  const closed = Array.from(said.matchAll(CLOSED), ([, path = '']) => path).filter((path) => path.startsWith(prefix));
  return [...new Set(closed)].map((path) => ({ path: path.slice(prefix.length) || '.', reason: 'closed' }));
}

/** Git does not list what its rules leave out, nor does it say whether there is any. */
function ignoringIn(workspace: string, files: readonly string[]): SkippedPath[] {
  const rules = files.filter((path) => path === '.gitignore' || path.endsWith('/.gitignore'));
  const packages = existsSync(join(workspace, 'node_modules')) ? ['node_modules/'] : [];
  return [...rules, ...packages].map((path) => ({ path, reason: 'ignored' }));
}
