import { createHash } from 'node:crypto';
import { mkdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { gitSettingsOf } from './commands/git-settings.ts';
import { endLeftBehind } from './commands/left-behind.ts';
import { type CommandRules, heldBy, ownFolders } from './commands/run-command.ts';
import { findSandbox } from './commands/sandbox.ts';
import { secretFilesIn } from './commands/secret-files.ts';
import { CopyStore } from './copy/copy-store.ts';
import { findGit } from './git/git-program.ts';
import { GitRepository } from './git/git-repository.ts';
import { GitStore } from './git/git-store.ts';
import { gitRunner } from './git/run-git.ts';
import { ownExcludes, readUserRepository } from './git/user-repository.ts';
import { foldersOutside } from './paths.ts';
import { removeFolder } from './remove-folder.ts';
import type { WorkStore } from './work-store.ts';
import { type Consent, WorkshopOfStore } from './workshop-of-store.ts';

/** What a workshop is opened for. */
export interface WorkshopRequest {
  /** The person's folder. */
  readonly workspace: string;
  /** The search's own folder relative to it, with `/`. */
  readonly ownFolder: string;
  /** Our folder for the workshop, outside of the workspace; made if it is not there. */
  readonly folder: string;
  /** Folders of our own state, which no command is to see. */
  readonly hidden: readonly string[];
  readonly consent: Consent;
  /** Whether commands may use the network. */
  readonly hasNetwork: boolean;
  /** Removes secrets from what a command wrote. */
  readonly redact: (text: string) => Promise<string>;
  /** Whether a file holds secrets, by its path relative to the workspace. */
  readonly isSecret: (path: string) => boolean;
  /** The folders of programs; by default those of this process. */
  readonly searchPath?: string | undefined;
}

/**
 * Opens the workshop of a search, which one process at a time has.
 * @throws ThoughtTreeError `bad-input` if the git of this system is too old
 */
export async function openWorkshop(request: WorkshopRequest): Promise<WorkshopOfStore> {
  const { consent, searchPath = process.env['PATH'] ?? '' } = request;
  const workspace = await realpath(request.workspace);
  await mkdir(request.folder, { recursive: true, mode: 0o700 });
  const folder = await realpath(request.folder);
  const programs = await foldersOutside(workspace, searchPath);
  const store = await openStore({ ...request, workspace, folder }, searchPath);
  const rules = await openRules({ ...request, workspace, folder }, programs);
  return WorkshopOfStore.open({ folder, store, rules, consent });
}

async function openStore(request: WorkshopRequest, searchPath: string): Promise<WorkStore> {
  const { workspace, folder, ownFolder, isSecret } = request;
  const program = await findGit(workspace, searchPath);
  if (!program) return new CopyStore(join(folder, 'copies'), { workspace, ownFolder, isSecret });
  const git = gitRunner(program, await ownExcludes(program));
  const readUser = () => readUserRepository(git, workspace);
  const user = await readUser();
  const own = new GitRepository(git, join(folder, 'store.git'));
  await own.open(user?.format ?? 'sha1');
  return new GitStore(own, { workspace, ownFolder, isSecret }, readUser);
}

/** How commands run here; tries the sandbox once. */
async function openRules(
  { workspace, folder, ownFolder, hidden, hasNetwork, redact, isSecret }: WorkshopRequest,
  searchPath: readonly string[],
): Promise<CommandRules> {
  const scratch = join(folder, 'scratch');
  const mark = createHash('sha256').update(folder).digest('hex').slice(0, 24);
  // A process that was killed may have left some running.
  await endLeftBehind(mark);
  await removeFolder(scratch);
  const tried = { folder: join(scratch, 'try', 'work'), home: join(scratch, 'try', 'home') };
  for (const each of [tried.folder, tried.home]) await mkdir(each, { recursive: true, mode: 0o700 });
  const real = await Promise.all(hidden.map((each) => realpath(each)));
  const secretFiles = async (): Promise<string[]> => [
    ...(await secretFilesIn(workspace, isSecret)),
    ...(await gitSettingsOf(workspace)),
  ];
  const common = { searchPath, hidden: real, secretFiles, hasNetwork, workspace, ownFolder, mark, scratch, redact };
  const given = await ownFolders(join(scratch, 'try'));
  const folders = { ...tried, ...given, seenAs: { ...tried, temporary: '/tmp' }, workspace };
  const held = await heldBy({ ...common, sandbox: undefined }, folders);
  return { ...common, sandbox: await findSandbox(searchPath, held) };
}
