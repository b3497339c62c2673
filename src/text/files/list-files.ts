import { execFile } from 'node:child_process';
import fs, { existsSync, realpathSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, isAbsolute, join, posix, resolve } from 'node:path';
import { promisify } from 'node:util';
import * as z from 'zod';
import { isOddPath } from '../../core/text/text.ts';
import type { SecretFilter } from '../secrets/secret-filter.ts';
import {
  ignoredBy,
  namesOf,
  type Repository,
  type Rules,
  repositoryOf,
  rulesIn,
  rulesOfRepository,
} from './git-rules.ts';
import { readBounded } from './read-text.ts';
import { exclusionOf, type SkippedPath } from './skipped-files.ts';

/** The files of a workspace. */
export interface FolderFiles {
  /** Those worth quoting, sorted by code unit, relative, with `/`. */
  readonly paths: readonly string[];
  /** The paths left out, with the reason: files and folders, and by which rules others are not even listed. */
  readonly skipped: readonly SkippedPath[];
  /** True if some may lie behind a link: git still lists what it tracks below a folder that has become one since. */
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

/** Lists them with all that is not worth quoting, and why. @throws the signal's reason */
export async function surveyFiles(
  workspace: string,
  secrets: SecretFilter,
  searches?: string,
  signal?: AbortSignal,
): Promise<FolderFiles> {
  const { files: all, skipped: notListed, isByGit } = await list(workspace, searches, signal);
  const folders = searchFolders(workspace, all);
  const inSearch = (path: string): boolean =>
    folders.some((folder) => folder === '.' || path === folder || path.startsWith(`${folder}/`));
  const paths: string[] = [];
  const skipped: SkippedPath[] = [];
  for (const path of [...new Set(all)].sort()) {
    if (folders.length > 0 && inSearch(path)) continue;
    const reason = exclusionOf(path) ?? secrets.whyLeftOut(path) ?? (isOddPath(path) ? 'odd-name' : undefined);
    if (reason === undefined) paths.push(path);
    else skipped.push({ path, reason });
  }
  for (const one of notListed) if (!inSearch(one.path.replace(/\/$/, ''))) skipped.push(one);
  return { paths, skipped, mayPassLinks: isByGit };
}

/** Returns every file of a workspace that is not ignored: what may be cited. */
export async function listAll(workspace: string, searches?: string): Promise<ReadonlySet<string>> {
  return new Set((await list(workspace, searches)).files);
}

type Listed = Walked & { readonly isByGit: boolean };

async function list(workspace: string, searches: string | undefined, signal?: AbortSignal): Promise<Listed> {
  return listFolder(workspace, await ownFolders(workspace, searches), signal);
}

async function listFolder(folder: string, own: readonly string[], signal: AbortSignal | undefined): Promise<Listed> {
  const repository = repositoryOf(folder);
  // Git does not list what is in a folder that it ignores as a whole, except files that are tracked there all the same.
  const isAsked = repository !== undefined && !repository.leavesOut;
  const byGit = isAsked ? await listByGit(folder, own, repository, signal) : undefined;
  if (!byGit || byGit.files.length + byGit.modules.length === 0) {
    const walked = await walkFolder(folder, own, repository, signal);
    if (isAsked && !byGit) walked.skipped.push({ path: '.git', reason: 'unasked' });
    return { ...walked, isByGit: false };
  }
  const { files, skipped, modules } = byGit;
  for (const module of modules) {
    const within = own.flatMap((path) => (path.startsWith(`${module}/`) ? path.slice(module.length + 1) : []));
    const inner = await listFolder(join(folder, module), within, signal);
    for (const path of inner.files) files.push(`${module}/${path}`);
    for (const { path, reason } of inner.skipped) skipped.push({ path: posix.join(module, path), reason });
  }
  return { files, skipped, isByGit: true };
}

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

/** Returns the submodules among the entries of an index that are there, and not behind a link. */
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

/** Folders read between two looks at what else has to be done. */
const AT_ONCE = 200;

/** The content of a folder; all paths are relative to it, with `/`. */
interface Walked {
  readonly files: string[];
  /** Paths that are neither a file nor a folder that could be read, and those that rules left out. */
  readonly skipped: SkippedPath[];
}

/**
 * The files below a folder, without those that the rules of its repository leave out, `.git`, `node_modules`, and the folders in
 * `without`. Links, pipes and the like are not files.
 * @param repository that the folder is in; where it is in none, `.gitignore` files count all the same
 */
async function walkFolder(
  folder: string,
  without: readonly string[],
  repository?: Repository,
  signal?: AbortSignal,
): Promise<Walked> {
  const files: string[] = [];
  const skipped: SkippedPath[] = [];
  const ignoring = new Set<string>();
  const skip = new Set(without);
  const prefix = repository?.prefix ?? '';
  const open: { path: string; rules: Rules | undefined }[] = [{ path: '', rules: repository?.rules }];
  for (let read = 1; open.length > 0; read++) {
    const next = open.pop() as (typeof open)[number];
    if (read % AT_ONCE === 0) {
      await new Promise((resolve) => setImmediate(resolve));
      signal?.throwIfAborted();
    }
    const base = next.path === '' ? '' : `${next.path}/`;
    const entries = entriesOf(`${folder}/${next.path}`);
    if (!entries) {
      skipped.push({ path: base || '.', reason: 'closed' });
      continue;
    }
    let { rules } = next;
    const place = `${folder}/${next.path}`;
    if (base !== '' && entries.some(({ name }) => name === '.git'))
      rules = rulesOfRepository(place, prefix + base, rules);
    if (entries.some((entry) => entry.name === '.gitignore' && entry.isFile()))
      rules = rulesIn(place, prefix + base, rules, `${base}.gitignore`);
    for (const entry of entries) {
      const path = base + entry.name;
      const isFolder = entry.isDirectory();
      if (entry.name === '.git' || (isFolder && skip.has(path))) continue;
      const by =
        isFolder && entry.name === 'node_modules'
          ? `${path}/`
          : ignoredBy(`${prefix}${path}${isFolder ? '/' : ''}`, rules);
      if (by !== undefined) ignoring.add(by);
      else if (isFolder) open.push({ path, rules });
      else if (entry.isFile()) files.push(path);
      else skipped.push({ path, reason: entry.isSymbolicLink() ? 'link' : 'unreadable' });
    }
  }
  for (const path of ignoring) skipped.push({ path, reason: 'ignored' });
  return { files, skipped };
}

/** Undefined for a folder that cannot be read. */
function entriesOf(folder: string): fs.Dirent[] | undefined {
  try {
    return fs.readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    // One that is gone since it was listed has nothing to read.
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? [] : undefined;
  }
}

const Search = z.looseObject({ version: z.number(), kind: z.string(), title: z.string(), prompt: z.string() });
const MAX_BYTES = 1_000_000;
/** The default folder of searches: nothing in it is a source. */
export const SEARCHES = 'thought-trees';

/**
 * The folders of our own that are not worth a look when a workspace's files are listed, relative to it: earlier searches
 * easily have more folders than all the rest.
 * @param searches where its searches are kept, if not in the default folder; other files in it are listed
 */
async function ownFolders(workspace: string, searches = SEARCHES): Promise<string[]> {
  if (searches === SEARCHES || searches.split('/').includes('..') || isAbsolute(searches)) return [SEARCHES];
  const entries = await readdir(join(workspace, searches), { withFileTypes: true }).catch(() => []);
  const files = entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => posix.join(searches, name, 'search.json'));
  return [
    SEARCHES,
    ...searchFolders(
      workspace,
      files.filter((file) => existsSync(join(workspace, file))),
    ),
  ];
}

/**
 * The folders among `paths` that hold a search of ours, relative to `workspace`: a search must never quote another's
 * documents, nor its own.
 */
export function searchFolders(workspace: string, paths: readonly string[]): string[] {
  return paths
    .filter((path) => path.endsWith('search.json') && posix.basename(path) === 'search.json')
    .map((path) => posix.dirname(path))
    .filter((folder) => holdsSearch(join(workspace, folder)));
}

function holdsSearch(folder: string): boolean {
  if (existsSync(join(folder, 'children.json')) || existsSync(join(folder, '.search'))) return true;
  try {
    const bytes = readBounded(join(folder, 'search.json'), MAX_BYTES);
    return bytes !== undefined && Search.safeParse(JSON.parse(bytes.toString('utf8'))).success;
  } catch {
    return false; // not JSON, or gone: somebody else's file of that name
  }
}
