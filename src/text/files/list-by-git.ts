import { execFile } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import type { SkippedPath } from './skipped.ts';
import type { Walked } from './walk-folder.ts';

const run = promisify(execFile);

/** What git says of a folder that it cannot read; its path is that from the top of the work tree. */
const CLOSED = /^warning: could not open directory '(.*)': /gm;

/**
 * What git lists below a folder; undefined if there is no git, no work tree, or the whole folder is ignored.
 * @param own folders to leave out
 */
export async function listByGit(
  workspace: string,
  own: readonly string[],
  signal: AbortSignal | undefined,
): Promise<Walked | undefined> {
  const top = topOf(workspace);
  if (top === undefined) return undefined;
  // A variable such as GIT_DIR (set inside a hook) would make git use another repository.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_')));
  try {
    // Settings may name programs, for fsmonitor and to fetch what is not there: reading a folder runs none of them.
    // Another owner's repository is only listed, with the rules that it has: without them, more would be read.
    const settings = ['core.fsmonitor=false', 'core.quotePath=false', `safe.directory=${top.folder}`];
    const flags = settings.flatMap((setting) => ['-c', setting]);
    const without = own.map((folder) => `:(exclude,literal)${folder}`);
    const { stdout, stderr } = await run(
      'git',
      [...flags, 'ls-files', '-z', '-co', '--exclude-standard', '--', '.', ...without],
      {
        cwd: workspace,
        env: { ...env, LC_ALL: 'C', GIT_OPTIONAL_LOCKS: '0', GIT_NO_LAZY_FETCH: '1', GIT_ALLOW_PROTOCOL: '' },
        maxBuffer: 256_000_000,
        ...(signal ? { signal } : {}),
      },
    );
    const files = stdout.split('\0').filter((path) => path !== '');
    return files.length > 0
      ? { files, skipped: [...closedIn(stderr, top.prefix), ...ignoringIn(workspace, files)] }
      : undefined;
  } catch {
    signal?.throwIfAborted();
    return undefined;
  }
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

/**
 * The top of the repository of git's that a folder is in, and its place as a prefix of paths from there; undefined if there is
 * none: then git need not be started to say so.
 */
function topOf(workspace: string): { readonly folder: string; readonly prefix: string } | undefined {
  try {
    const real = realpathSync.native(workspace);
    for (let folder = real; ; folder = dirname(folder)) {
      if (existsSync(join(folder, '.git'))) {
        const below = relative(folder, real).split(sep).join('/');
        return { folder: folder.split(sep).join('/'), prefix: below === '' ? '' : `${below}/` };
      }
      if (folder === dirname(folder)) return undefined;
    }
  } catch {
    return undefined;
  }
}
