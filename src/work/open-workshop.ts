import { createHash, randomBytes } from 'node:crypto';
import { cp, lstat, mkdir, realpath, symlink, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { AllowsExperiment, Experiment, Experiments, Language, WorkOutcome } from '../core/ports/workshop.ts';
import { isThoughtTreeError, ThoughtTreeError } from '../core/search/errors.ts';
import { type CommandRules, endLeftBehind, heldBy, ownFolders, runWorkCommand } from './commands/run-command.ts';
import { findSandbox } from './commands/sandbox.ts';
import { gitSettingsOf, type SecretPlaces, secretPlacesIn } from './commands/secret-files.ts';
import { copyFolder, foldersOutside, removeFolder } from './folders.ts';
import { GitRepository } from './git/git-repository.ts';
import { GitStore } from './git/git-store.ts';
import { findGit, gitRunner, type RunGit } from './git/run-git.ts';
import { ownExcludes, readUserRepository, type UserRepository } from './git/user-repository.ts';
import { experimentDeclined, noGit, noRepository, tooLargeToCopy } from './messages.ts';
import { type Consent, WorkshopOfStore, type WorkshopParts } from './workshop-of-store.ts';

export interface WorkshopRequest {
  /** The person's folder. */
  readonly workspace: string;
  /** The search's own folder relative to it, with `/`. */
  readonly ownFolder: string;
  /** Our folder for the workshop, outside of the workspace; made if it is not there. */
  readonly folder: string;
  /** Our folder of locks, which all workshops of this user share. */
  readonly locks: string;
  /** Folders of our own state, which no command is to see. */
  readonly hidden: readonly string[];
  readonly consent: Consent;
  readonly hasNetwork: boolean;
  /** Removes secrets from what a command wrote. */
  readonly redact: (text: string) => Promise<string>;
  /** Tells whether a file holds secrets, by its path relative to the workspace. */
  readonly isSecret: (path: string) => boolean;
  /** The folders of programs; by default those of this process. */
  readonly searchPath?: string | undefined;
  /** Replacements for the system, for tests. */
  readonly system?: WorkshopParts['system'];
}

/**
 * Opens the workshop of a search, which one process at a time has.
 * @throws ThoughtTreeError `bad-input` as for `assertGit`
 */
export async function openWorkshop(request: WorkshopRequest): Promise<WorkshopOfStore> {
  const { consent, locks, system, searchPath = process.env['PATH'] ?? '' } = request;
  const workspace = await realpath(request.workspace);
  await mkdir(request.folder, { recursive: true, mode: 0o700 });
  const folder = await realpath(request.folder);
  const programs = await foldersOutside(workspace, searchPath);
  const store = await openStore({ ...request, workspace, folder }, searchPath);
  const rules = await openRules({ ...request, workspace, folder }, programs);
  return WorkshopOfStore.open({ folder, store, rules, consent, locks, system });
}

interface ExperimentsRequest extends Pick<WorkshopRequest, 'workspace' | 'folder' | 'hidden' | 'redact'> {
  /** The files that a copy of the workspace has, relative to it. */
  readonly files: () => Promise<readonly string[]>;
  readonly allows: AllowsExperiment;
  /** The folders of programs; by default those of this process. */
  readonly searchPath?: string | undefined;
}

/** Opens what runs programs of models; undefined where no sandbox holds them: then none run. */
export async function openExperiments(request: ExperimentsRequest): Promise<Experiments | undefined> {
  const { files, allows, searchPath = process.env['PATH'] ?? '' } = request;
  const workspace = await realpath(request.workspace);
  await mkdir(request.folder, { recursive: true, mode: 0o700 });
  const folder = await realpath(request.folder);
  const programs = await foldersOutside(workspace, searchPath);
  // They see nothing of the person's home but tools, and of the workspace only a copy and what is installed there.
  const home = await realpath(homedir()).catch(() => '/');
  const hidden = [...request.hidden, workspace, ...(home === '/' ? [] : [home])];
  const shown = await installedIn(workspace);
  const copy = join(folder, 'base');
  // A process that was killed may have left one of other files.
  await removeFolder(copy);
  await mkdir(copy, { recursive: true, mode: 0o700 });
  const held = { workspace: copy, folder, ownFolder: '', hidden, hasNetwork: false, redact: request.redact };
  const rules = await openRules({ ...held, isSecret: () => false }, programs, shown);
  const open = new HeldExperiments({ rules, workspace, folder, files, allows, shown });
  if (rules.sandbox) return open;
  await open.close();
  return undefined;
}

/**
 * Sees that there is what work needs.
 * @throws ThoughtTreeError `bad-input` if there is no git, or it is too old, or the workspace is in no repository
 */
export async function assertGit(workspace: string, searchPath = process.env['PATH'] ?? ''): Promise<void> {
  await (await openGit(await realpath(workspace), searchPath)).readUser();
}

async function openStore({ workspace, folder, ...more }: WorkshopRequest, searchPath: string): Promise<GitStore> {
  const { ownFolder, isSecret } = more;
  const { git, readUser } = await openGit(workspace, searchPath);
  const user = await readUser();
  const own = new GitRepository(git, join(folder, 'store.git'));
  await own.open(user.format);
  return new GitStore(own, { workspace, ownFolder, isSecret }, readUser);
}

async function openGit(
  workspace: string,
  searchPath: string,
): Promise<{ readonly git: RunGit; readonly readUser: () => Promise<UserRepository> }> {
  const program = await findGit(workspace, searchPath);
  if (!program) throw new ThoughtTreeError('bad-input', noGit({ folder: workspace }));
  const git = gitRunner(program, await ownExcludes(program));
  const readUser = async (): Promise<UserRepository> => {
    const user = await readUserRepository(git, workspace);
    if (!user) throw new ThoughtTreeError('bad-input', noRepository({ folder: workspace }));
    return user;
  };
  return { git, readUser };
}

/** Returns how commands run here; tries the sandbox once. */
async function openRules(
  {
    workspace,
    folder,
    ownFolder,
    hidden,
    hasNetwork,
    redact,
    isSecret,
  }: Omit<WorkshopRequest, 'consent' | 'locks' | 'system'>,
  searchPath: readonly string[],
  shown: readonly string[] = [],
): Promise<CommandRules> {
  const scratch = join(folder, 'scratch');
  const mark = createHash('sha256').update(folder).digest('hex').slice(0, 24);
  // A process that was killed may have left some running.
  await endLeftBehind(mark);
  await removeFolder(scratch);
  const tried = { folder: join(scratch, 'try', 'work'), home: join(scratch, 'try', 'home') };
  for (const each of [tried.folder, tried.home]) await mkdir(each, { recursive: true, mode: 0o700 });
  const real = await Promise.all(hidden.map((each) => realpath(each)));
  const secrets = async (): Promise<SecretPlaces> => {
    const { files, folders } = await secretPlacesIn(workspace, isSecret);
    return { files: [...files, ...(await gitSettingsOf(workspace))], folders };
  };
  const common = {
    searchPath,
    hidden: real,
    shown,
    secrets,
    hasNetwork,
    workspace,
    ownFolder,
    mark,
    scratch,
    redact,
  };
  const given = await ownFolders(join(scratch, 'try'));
  const folders = { ...tried, ...given, seenAs: { ...tried, temporary: '/tmp' }, workspace };
  const held = await heldBy({ ...common, sandbox: undefined }, folders);
  return { ...common, sandbox: await findSandbox(searchPath, held) };
}

/** The time that a program may run, in milliseconds, and that of a processor that it may take, in seconds. */
const EXPERIMENT_MS = 60_000;
const EXPERIMENT_CPU_SECONDS = 60;
/** The most that is copied. */
const MOST_COPIED_FILES = 20_000;
const MOST_COPIED_BYTES = 200_000_000;
/** Folders that programs need besides, and nobody commits: seen as they are, read only. */
const DEPENDENCIES = ['node_modules', '.venv', 'venv', 'vendor'];

const PROGRAMS: Readonly<Record<Language, { readonly file: string; readonly line: string }>> = {
  javascript: { file: 'try.mjs', line: 'exec node ./try.mjs' },
  python: { file: 'try.py', line: 'exec python3 ./try.py' },
  shell: { file: 'try.sh', line: 'exec sh ./try.sh' },
};

/** Returns the folders of a workspace with what is installed there. */
async function installedIn(workspace: string): Promise<string[]> {
  const found: string[] = [];
  for (const name of DEPENDENCIES) {
    const folder = join(workspace, name);
    // A link could lead anywhere.
    if ((await lstat(folder).catch(() => undefined))?.isDirectory()) found.push(folder);
  }
  return found;
}

interface ExperimentParts {
  /** Of which the workspace is the copy. */
  readonly rules: CommandRules;
  readonly workspace: string;
  /** Our folder, outside of it. */
  readonly folder: string;
  /** As `installedIn` found it. */
  readonly shown: readonly string[];
  /** The files that a copy of the workspace has: those that models may see. */
  readonly files: () => Promise<readonly string[]>;
  readonly allows: AllowsExperiment;
}

/** Programs that run in a sandbox, each on a copy of its own. */
class HeldExperiments implements Experiments {
  readonly #parts: ExperimentParts;
  #base: Promise<string> | undefined;

  constructor(parts: ExperimentParts) {
    this.#parts = parts;
  }

  async run({ language, program }: Experiment, signal: AbortSignal): Promise<WorkOutcome> {
    const { rules, allows } = this.#parts;
    if (!(await allows({ language, program }, []))) throw new ThoughtTreeError('declined', experimentDeclined());
    const own = join(rules.scratch, `try-${randomBytes(8).toString('hex')}`);
    const place = { folder: join(own, 'work'), home: join(own, 'home') };
    const { file, line } = PROGRAMS[language];
    try {
      await copyFolder(await this.#copied(), place.folder);
      await mkdir(place.home, { recursive: true, mode: 0o700 });
      await writeFile(join(place.folder, file), program);
      const limited = `ulimit -t ${EXPERIMENT_CPU_SECONDS} 2>/dev/null; ${line}`;
      return await runWorkCommand(rules, place, { line: limited, rights: 'write', timeoutMs: EXPERIMENT_MS }, signal);
    } finally {
      await removeFolder(own);
    }
  }

  async close(): Promise<void> {
    await this.#base?.catch(() => undefined);
    await removeFolder(this.#parts.folder);
  }

  /** Returns the copy, which is made once. One that failed is made anew by the next program, unless there is too much to copy. */
  #copied(): Promise<string> {
    this.#base ??= this.#copy().catch((error: unknown) => {
      if (!isThoughtTreeError(error, 'bad-input')) this.#base = undefined;
      throw error;
    });
    return this.#base;
  }

  /** Returns the files of the workspace as they are when the first program runs. */
  async #copy(): Promise<string> {
    const { rules, workspace, files, shown } = this.#parts;
    const { workspace: base } = rules;
    // One that failed may have left files that the workspace no longer has.
    await removeFolder(base);
    await mkdir(base, { recursive: true, mode: 0o700 });
    let bytes = 0;
    const all = await files();
    if (all.length > MOST_COPIED_FILES) throw new ThoughtTreeError('bad-input', tooLargeToCopy());
    for (const path of all) {
      const from = join(workspace, path);
      const found = await lstat(from).catch(() => undefined);
      if (!found?.isFile()) continue; // a link could lead anywhere
      bytes += found.size;
      if (bytes > MOST_COPIED_BYTES) throw new ThoughtTreeError('bad-input', tooLargeToCopy());
      await mkdir(dirname(join(base, path)), { recursive: true });
      await cp(from, join(base, path));
    }
    for (const folder of shown) {
      const to = join(base, basename(folder));
      if ((await lstat(to).catch(() => undefined)) === undefined) await symlink(folder, to);
    }
    return base;
  }
}
