import { lstat, readFile, realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import { runProcess } from '../../processes/run-process.ts';
import { otherTop } from '../messages.ts';
import type { GitProgram, RunGit } from './run-git.ts';

/** The repository that the workspace is in. Nothing in it is ever written, and nothing that its settings name is run. */
export interface UserRepository {
  /** The folder of all its files. */
  readonly top: string;
  /** The path of the workspace in it, with `/` at the end; empty if it is the whole. */
  readonly prefix: string;
  readonly objects: string;
  readonly format: 'sha1' | 'sha256';
  /** The last commit; undefined if there is none yet. */
  readonly head: string | undefined;
  /** Patterns of what is ignored, of its own and of the folders above the workspace, as they apply in the workspace. */
  readonly excludes: string;
  /** True if only some of its files are meant to be there. */
  readonly isSparse: boolean;
}

/**
 * Reads where the repository of a workspace has what, with calls that run nothing: they look for the folder and for HEAD.
 * @returns undefined if the workspace is in none
 */
export async function readUserRepository(git: RunGit, workspace: string): Promise<UserRepository | undefined> {
  const real = await realpath(workspace);
  const asked = ['--show-toplevel', '--absolute-git-dir', '--git-common-dir', '--show-object-format', '--show-prefix'];
  let lines: string[];
  try {
    const { output } = await git({ folder: real }, 'rev-parse', '--path-format=absolute', ...asked);
    lines = output.toString('utf8').split('\n');
  } catch (error) {
    // One that is damaged, or that git does not know, is not the same as none.
    if (await isBelowGit(real)) throw error;
    return undefined;
  }
  const [top = '', gitDir = '', common = '', format, prefix = ''] = lines;
  if (resolve(top, prefix) !== resolve(real))
    throw new ThoughtTreeError('outside', otherTop({ folder: workspace, top }));
  if (prefix !== '' && (await isIgnored(git, real))) return undefined;
  const head = await git({ gitDir, folder: real, codes: [1, 128] }, 'rev-parse', '--verify', '--quiet', 'HEAD');
  const isSparse = (await textOf(join(gitDir, 'info', 'sparse-checkout'))) !== '';
  return {
    top,
    prefix,
    objects: join(common, 'objects'),
    format: format === 'sha256' ? 'sha256' : 'sha1',
    head: head.code === 0 ? head.output.toString('latin1').trim() : undefined,
    excludes: `${await textOf(join(common, 'info', 'exclude'))}\n${await excludesAbove(top, prefix)}`,
    isSparse,
  };
}

/** A folder that a repository ignores is none of its business. */
async function isIgnored(git: RunGit, folder: string): Promise<boolean> {
  const { code } = await git({ folder, codes: [1] }, 'check-ignore', '--quiet', '--no-index', '--', folder);
  return code === 0;
}

async function isBelowGit(folder: string): Promise<boolean> {
  for (let at = folder; ; at = dirname(at)) {
    if (await lstat(join(at, '.git')).catch(() => undefined)) return true;
    if (at === dirname(at)) return false;
  }
}

/** Returns what .gitignore files above the workspace say about it. */
async function excludesAbove(top: string, prefix: string): Promise<string> {
  const steps = prefix.split('/').filter((step) => step !== '');
  const parts: string[] = [];
  for (const [depth] of steps.entries()) {
    const text = await textOf(join(top, ...steps.slice(0, depth), '.gitignore'));
    parts.push(...text.split('\n').flatMap((line) => patternBelow(line, steps.slice(depth))));
  }
  return parts.join('\n');
}

/**
 * Returns a pattern of a folder as it applies in a folder below, whose path from there is `steps`; none if it does not.
 */
function patternBelow(line: string, steps: readonly string[]): string[] {
  const pattern = line.trimEnd();
  if (pattern === '' || pattern.startsWith('#')) return [];
  const mark = pattern.startsWith('!') ? '!' : '';
  const rest = pattern.slice(mark.length);
  // Without a `/` before its end, it applies at every depth.
  if (!rest.slice(0, -1).includes('/') || rest.startsWith('**/')) return [pattern];
  const anchored = rest.startsWith('/') ? rest.slice(1) : rest;
  const start = `${steps.join('/')}/`;
  return anchored.startsWith(start) ? [`${mark}/${anchored.slice(start.length)}`] : [];
}

/**
 * The file of patterns that this user ignores everywhere: as their own settings name it, else in its usual place. Only the
 * settings of the user are asked, which nobody else writes.
 */
export async function ownExcludes({ path, searchPath }: GitProgram): Promise<string | undefined> {
  const home = process.env['HOME'] ?? homedir();
  const env = {
    PATH: searchPath,
    HOME: home,
    XDG_CONFIG_HOME: process.env['XDG_CONFIG_HOME'],
    GIT_TERMINAL_PROMPT: '0',
  };
  let named = '';
  const onOutput = (piece: Buffer, from: string): boolean => {
    if (from === 'stdout') named += piece.toString('utf8');
    return named.length < 5000;
  };
  const args = ['config', '--global', '--type=path', '--get', 'core.excludesFile'];
  await runProcess({ program: path, args, folder: home, env, timeoutMs: 10_000, onOutput }).catch(() => undefined);
  const config = env.XDG_CONFIG_HOME && isAbsolute(env.XDG_CONFIG_HOME) ? env.XDG_CONFIG_HOME : join(home, '.config');
  const file = named.trim() || join(config, 'git', 'ignore');
  return (await textOf(file)) === '' ? undefined : file;
}

/** Returns the text of a file of settings; empty if there is none. */
async function textOf(file: string): Promise<string> {
  try {
    const about = await stat(file);
    return about.isFile() && about.size <= 1024 * 1024 ? await readFile(file, 'utf8') : '';
  } catch {
    return '';
  }
}
