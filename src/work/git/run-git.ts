import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import { oneLine } from '../../core/text/text.ts';
import { runProcess } from '../../processes/run-process.ts';
import { foldersOutside, throwIfStopped } from '../folders.ts';
import { gitFailed, oldGit } from '../messages.ts';

/** The longest output of one call, in bytes: lists of files, and the files of a group. */
const LONGEST = 512 * 1024 * 1024;
const TIMEOUT_MS = 10 * 60_000;

/**
 * Whatever the settings of a repository, a user or a system say: no hooks, no fsmonitor, no signing, no filters, no network,
 * no conversion of line ends, and no cleaning up behind our back. Objects are flushed before they count.
 */
const SETTINGS = [
  ...['core.hooksPath=/dev/null', 'core.fsmonitor=false', 'core.untrackedCache=false', 'core.attributesFile=/dev/null'],
  ...['core.autocrlf=false', 'core.safecrlf=false', 'core.quotePath=false', 'core.splitIndex=false'],
  ...['core.fsync=committed,loose-object', 'core.fsyncMethod=batch', 'core.pager=cat', 'core.editor=true'],
  ...['commit.gpgSign=false', 'tag.gpgSign=false', 'gc.auto=0', 'maintenance.auto=false', 'protocol.allow=never'],
  ...[
    'submodule.recurse=false',
    'diff.external=',
    'diff.renames=false',
    'merge.conflictStyle=merge',
    'safe.directory=*',
  ],
].flatMap((setting) => ['-c', setting]);

/** Our own name on commits that nobody but us made. */
const IDENTITY = { name: 'Thought Tree', email: 'thought-tree@localhost' };

export interface GitCall {
  /** The repository; without one, git looks for the one that `folder` is in. */
  readonly gitDir?: string;
  /** The files that are compared with it, or written from it. */
  readonly workTree?: string;
  /** The index, by its path. */
  readonly index?: string;
  /** A further place of objects, which is only read. */
  readonly alsoObjects?: string;
  readonly folder: string;
  readonly input?: string | Uint8Array;
  /** Exit codes that are answers, in addition to 0. */
  readonly codes?: readonly number[];
  /** The most bytes of its output; the rest is left out without an error. */
  readonly atMost?: number;
  /** The date of a commit, in seconds since 1970. */
  readonly date?: number;
  readonly signal?: AbortSignal | undefined;
}

export interface GitAnswer {
  readonly code: number;
  readonly output: Buffer;
}

/** The only way in which git is called. */
export type RunGit = (call: GitCall, ...args: readonly string[]) => Promise<GitAnswer>;

/**
 * @param excludes the file of patterns that this user ignores everywhere, if there is one
 * @throws by the result: ThoughtTreeError `internal` if git fails, `aborted` if it was stopped
 */
export function gitRunner({ path, searchPath }: GitProgram, excludes?: string): RunGit {
  const own = [...SETTINGS, '-c', `core.excludesFile=${excludes ?? '/dev/null'}`];
  return async (call, ...args) => {
    const { folder, input, codes = [], atMost, signal } = call;
    const collected = collect(atMost);
    const places = [
      ...(call.gitDir === undefined ? [] : [`--git-dir=${call.gitDir}`]),
      ...(call.workTree === undefined ? [] : [`--work-tree=${call.workTree}`]),
    ];
    // The one command that knows no such flag; an absolute path has no magic either way.
    const literal = args[0] === 'check-ignore' ? [] : ['--literal-pathspecs'];
    const flags = ['--no-pager', ...literal, '--no-replace-objects', '--no-optional-locks'];
    const end = await runProcess({
      program: path,
      args: [...flags, ...places, ...own, ...args],
      folder,
      env: environment(call, searchPath),
      ...(input !== undefined && { input }),
      timeoutMs: TIMEOUT_MS,
      signal,
      onOutput: collected.take,
    }).catch((cause: unknown) => fail(args, String(cause), cause));
    throwIfStopped(signal);
    const wasCut = end.stopped === 'output' && atMost !== undefined;
    const code = wasCut ? 0 : end.exitCode;
    if (code === undefined || (code !== 0 && !codes.includes(code)))
      fail(args, collected.errors() || (end.stopped ?? `exit code ${code}`));
    return { code, output: collected.output() };
  };
}

/** Nothing of ours but what is listed: variables such as GIT_DIR would make it use another repository. */
function environment({ index, alsoObjects, date }: GitCall, searchPath: string): NodeJS.ProcessEnv {
  const { SystemRoot, TEMP } = process.env;
  const { name, email } = IDENTITY;
  const at = date === undefined ? {} : { GIT_AUTHOR_DATE: `@${date} +0000`, GIT_COMMITTER_DATE: `@${date} +0000` };
  return {
    PATH: searchPath,
    LC_ALL: 'C',
    ...(SystemRoot !== undefined && { SystemRoot }),
    ...(TEMP !== undefined && { TEMP }),
    ...{ GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null', GIT_ATTR_NOSYSTEM: '1' },
    ...{ GIT_TERMINAL_PROMPT: '0', GIT_OPTIONAL_LOCKS: '0', GIT_NO_LAZY_FETCH: '1', GIT_ALLOW_PROTOCOL: '' },
    ...{ GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: email, GIT_COMMITTER_NAME: name, GIT_COMMITTER_EMAIL: email },
    ...at,
    ...(index !== undefined && { GIT_INDEX_FILE: index }),
    // Quoted, since a colon separates several.
    ...(alsoObjects !== undefined && { GIT_ALTERNATE_OBJECT_DIRECTORIES: JSON.stringify(alsoObjects) }),
  };
}

function collect(atMost: number | undefined): {
  readonly take: (piece: Buffer, from: 'stdout' | 'stderr') => boolean;
  readonly output: () => Buffer;
  readonly errors: () => string;
} {
  const pieces: Buffer[] = [];
  let room = atMost ?? LONGEST;
  let errors = '';
  return {
    take(piece, from) {
      if (from === 'stderr') {
        if (errors.length < 2000) errors += piece.toString('utf8');
        return true;
      }
      pieces.push(piece.subarray(0, room));
      room -= piece.length;
      return room >= 0;
    },
    output: () => Buffer.concat(pieces),
    errors: () => oneLine(errors, 500),
  };
}

function fail(args: readonly string[], why: string, cause?: unknown): never {
  throw new ThoughtTreeError('internal', gitFailed({ what: args[0] ?? '', why: oneLine(why, 500) }), { cause });
}

/** Returns the parts of an output that ends each with a zero byte. */
export function zeroSeparated(output: Buffer): string[] {
  const parts = output.toString('utf8').split('\0');
  return parts.at(-1) === '' ? parts.slice(0, -1) : parts;
}

/** Returns an output of one line. */
export function lineOf({ output }: GitAnswer): string {
  return output.toString('utf8').trimEnd();
}

/** Joining without touching files (`git merge-tree --write-tree`) exists from this version on. */
const OLDEST_GIT = [2, 38] as const;

/** The git of this system. */
export interface GitProgram {
  /** Its absolute path. */
  readonly path: string;
  /** The folders that it may find programs of its own in. */
  readonly searchPath: string;
}

/**
 * Finds git where the system would, but never in the workspace: whoever wrote its files would decide what runs.
 * @returns undefined if there is none
 * @throws ThoughtTreeError `bad-input` if it is too old
 */
export async function findGit(
  workspace: string,
  searchPath = process.env['PATH'] ?? '',
): Promise<GitProgram | undefined> {
  const folders = await foldersOutside(workspace, searchPath);
  for (const folder of folders) {
    const path = join(folder, process.platform === 'win32' ? 'git.exe' : 'git');
    if (!(await isProgram(path))) continue;
    const version = await versionOf(path, folder);
    if (version === undefined) continue;
    const [major, minor] = version;
    if (major < OLDEST_GIT[0] || (major === OLDEST_GIT[0] && minor < OLDEST_GIT[1]))
      throw new ThoughtTreeError('bad-input', oldGit({ version: version.join('.') }));
    return { path, searchPath: folders.join(delimiter) };
  }
  return undefined;
}

/** Tells whether a path is that of a file that may be run. */
export async function isProgram(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
}

async function versionOf(program: string, folder: string): Promise<[number, number] | undefined> {
  let text = '';
  const onOutput = (piece: Buffer): boolean => {
    text += piece.toString('latin1');
    return text.length < 1000;
  };
  try {
    await runProcess({ program, args: ['--version'], folder, env: {}, timeoutMs: 10_000, onOutput });
  } catch {
    return undefined;
  }
  const found = /^git version (\d{1,4})\.(\d{1,4})/.exec(text);
  return found ? [Number(found[1]), Number(found[2])] : undefined;
}
