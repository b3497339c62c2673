import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import type { WorkCommand, WorkOutcome } from '../../core/ports/workshop.ts';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import { oneLine } from '../../core/text/text.ts';
import { runProcess } from '../../processes/run-process.ts';
import { copyFolder } from '../copy-folder.ts';
import { cannotStart } from '../messages.ts';
import { removeFolder } from '../remove-folder.ts';
import type { Held } from './bubblewrap.ts';
import { type CommandFolders, shellOf, workEnvironment } from './command-line.ts';
import { endLeftBehind } from './left-behind.ts';
import { OutputEnd } from './output-end.ts';
import { hiddenOfHome, programsInTemporary, type Sandbox } from './sandbox.ts';
import type { SecretPlaces } from './secret-files.ts';
import { changedBetween, lookAt } from './strayed.ts';

/** The rules by which all commands of a workshop run. */
export interface CommandRules {
  readonly sandbox: Sandbox | undefined;
  /** Folders of programs. */
  readonly searchPath: readonly string[];
  /** Paths that hold what is this person's alone, besides their home: our own state. */
  readonly hidden: readonly string[];
  /** Paths that they see all the same, read only. */
  readonly shown: readonly string[];
  /** Returns the places of the workspace, and of its repository, that hold secrets. */
  readonly secrets: () => Promise<SecretPlaces>;
  readonly hasNetwork: boolean;
  readonly workspace: string;
  /** The search's own folder, relative to the workspace. */
  readonly ownFolder: string;
  /** The beginning of its commands' marks. */
  readonly mark: string;
  /** For what is thrown away afterwards. */
  readonly scratch: string;
  /** Removes secrets from an output. */
  readonly redact: (text: string) => Promise<string>;
}

/** Where a command runs: a checkout, and the home of its tools. */
export interface CommandPlace {
  readonly folder: string;
  readonly home: string;
}

/**
 * Runs a command in a checkout: with its own home and temporary files, without keys, held by the sandbox if there is one,
 * bounded in time and output, and ended with everything it started.
 * @throws ThoughtTreeError `bad-input` if it cannot be started; `not-found` if its sandbox cannot be made with what is there
 */
export async function runWorkCommand(
  rules: CommandRules,
  place: CommandPlace,
  { line, rights, timeoutMs }: WorkCommand,
  signal: AbortSignal,
): Promise<WorkOutcome> {
  const own = join(rules.scratch, `run-${randomBytes(8).toString('hex')}`);
  const given = await ownFolders(own);
  try {
    const used = rights === 'read' ? await copyOf(place, own, signal) : place;
    const folders = { ...used, ...given, seenAs: { ...place, temporary: '/tmp' }, workspace: rules.workspace };
    return await run(rules, folders, line, timeoutMs, signal);
  } finally {
    await removeFolder(own);
  }
}

/** Makes the folders that each command gets anew. */
export async function ownFolders(own: string): Promise<Pick<CommandFolders, 'temporary' | 'empty'>> {
  const [temporary, empty] = [join(own, 'tmp'), join(own, 'empty')];
  await mkdir(temporary, { recursive: true, mode: 0o700 });
  await writeFile(empty, '');
  return { temporary, empty };
}

/** Makes a copy of a place: what is written there is thrown away with it. */
async function copyOf({ folder, home }: CommandPlace, own: string, signal: AbortSignal): Promise<CommandPlace> {
  const copy = { folder: join(own, 'work'), home: join(own, 'home') };
  await copyFolder(folder, copy.folder, signal);
  await copyFolder(home, copy.home, signal);
  return copy;
}

async function run(
  rules: CommandRules,
  folders: CommandFolders,
  line: string,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<WorkOutcome> {
  const { sandbox, searchPath, workspace, ownFolder, redact } = rules;
  const id = `${rules.mark}-${randomBytes(12).toString('hex')}`;
  const command = shellOf(line);
  const { program, args } = sandbox?.wrap(command, await heldBy(rules, folders)) ?? command;
  const seen = sandbox?.name === 'bubblewrap' ? { ...folders, ...folders.seenAs } : folders;
  const env = workEnvironment(process.env, searchPath.join(delimiter), seen, id);
  const output = new OutputEnd();
  const before = sandbox ? undefined : await lookAt(workspace, ownFolder);
  const started = performance.now();
  const onOutput = (piece: Buffer): boolean => output.take(piece);
  const request = { program, args, folder: folders.folder, env, timeoutMs, signal, onOutput };
  const end = await runProcess({ ...request, isVerbatim: process.platform === 'win32' }).catch((cause: unknown) => {
    throw new ThoughtTreeError('bad-input', cannotStart({ why: oneLine(String(cause), 300) }), { cause });
  });
  const ms = Math.round(performance.now() - started);
  // A sandbox ends everything with the command, but not at once if it was ended itself.
  if (!sandbox || end.stopped) await endLeftBehind(id);
  assertHeld(sandbox, end.exitCode, output);
  const strayed = before ? changedBetween(before, await lookAt(workspace, ownFolder)) : [];
  return { ...end, output: await output.text(redact), outputHash: output.hash(), ms, strayed };
}

/**
 * Where a sandbox could not be made, nothing ran: that is no answer of the command. One that only says so itself is taken at
 * its word, which never makes a check hold.
 */
function assertHeld(sandbox: Sandbox | undefined, exitCode: number | undefined, output: OutputEnd): void {
  const said = exitCode === 1 && sandbox?.name === 'bubblewrap' ? output.start() : '';
  if (said.startsWith('bwrap: ')) throw new ThoughtTreeError('not-found', cannotStart({ why: oneLine(said, 300) }));
}

/** Everything that a command in a sandbox may see and write. */
export async function heldBy(rules: CommandRules, folders: CommandFolders): Promise<Held> {
  const { searchPath, hidden, shown, secrets, hasNetwork } = rules;
  const ofHome = await hiddenOfHome(searchPath);
  const ofWorkspace = await secrets();
  return {
    ...folders,
    hidden: [...ofHome.hidden, ...hidden, ...ofWorkspace.folders],
    shown: [...ofHome.shown, ...programsInTemporary(searchPath), ...shown],
    emptied: [...ofHome.emptied, ...ofWorkspace.files],
    hasNetwork,
  };
}
