import { createHash } from 'node:crypto';
import { mkdir, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { AllowsExperiment, Experiments } from '../core/ports/experiments.ts';
import { ThoughtTreeError } from '../core/search/errors.ts';
import { gitSettingsOf } from './commands/git-settings.ts';
import { endLeftBehind } from './commands/left-behind.ts';
import { type CommandRules, heldBy, ownFolders } from './commands/run-command.ts';
import { findSandbox } from './commands/sandbox.ts';
import { type SecretPlaces, secretPlacesIn } from './commands/secret-files.ts';
import { findGit } from './git/git-program.ts';
import { GitRepository } from './git/git-repository.ts';
import { GitStore } from './git/git-store.ts';
import { gitRunner, type RunGit } from './git/run-git.ts';
import { ownExcludes, readUserRepository, type UserRepository } from './git/user-repository.ts';
import { HeldExperiments, installedIn } from './held-experiments.ts';
import { noGit, noRepository } from './messages.ts';
import { foldersOutside } from './paths.ts';
import { removeFolder } from './remove-folder.ts';
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
