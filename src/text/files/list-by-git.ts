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
    // fsmonitor may name a program: reading a folder must not run what that folder's settings say.
    const flags = ['-c', 'core.fsmonitor=false', '-c', 'core.quotePath=false'];
    const without = own.map((folder) => `:(exclude,literal)${folder}`);
    const { stdout, stderr } = await run(
      'git',
      [...flags, 'ls-files', '-z', '-co', '--exclude-standard', '--', '.', ...without],
      {
        cwd: workspace,
        env: { ...env, LC_ALL: 'C', GIT_OPTIONAL_LOCKS: '0' },
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
 * The place of a folder in the repository of git's that it is in, as a prefix of paths from its top; undefined if there is
 * none: then git need not be started to say so.
 */
function topOf(workspace: string): { readonly prefix: string } | undefined {
  try {
    const real = realpathSync.native(workspace);
    for (let folder = real; ; folder = dirname(folder)) {
      if (existsSync(join(folder, '.git'))) {
        const below = relative(folder, real).split(sep).join('/');
        return { prefix: below === '' ? '' : `${below}/` };
      }
      if (folder === dirname(folder)) return undefined;
    }
  } catch {
    return undefined;
  }
}
