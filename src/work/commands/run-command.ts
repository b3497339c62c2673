import { createHash, randomBytes } from 'node:crypto';
import { lstat, mkdir, opendir, readdir, readFile, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import { LONGEST_OUTPUT, type WorkCommand, type WorkOutcome } from '../../core/ports/workshop.ts';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import { oneLine, withoutCommands } from '../../core/text/text.ts';
import { runProcess } from '../../processes/run-process.ts';
import { copyFolder, removeFolder } from '../folders.ts';
import { cannotStart } from '../messages.ts';
import { type CommandFolders, MARK, shellOf, workEnvironment } from './command-line.ts';
import { type Held, hiddenOfHome, programsInTemporary, type Sandbox } from './sandbox.ts';
import type { SecretPlaces } from './secret-files.ts';

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

/** The length that is kept of the end before it is cleaned, in bytes. */
const KEPT_OUTPUT = 8 * LONGEST_OUTPUT;
/** A command that writes more is ended, in bytes. */
const MOST_OUTPUT = 64 * 1024 * 1024;

/** Collects the end of an output, and a hash of all of it. */
class OutputEnd {
  readonly #hash = createHash('sha256');
  #pieces: Buffer[] = [];
  #kept = 0;
  #bytes = 0;

  /** @returns whether it may write more */
  take(piece: Buffer): boolean {
    this.#hash.update(piece);
    this.#bytes += piece.length;
    this.#pieces.push(piece);
    this.#kept += piece.length;
    if (this.#kept > 2 * KEPT_OUTPUT) {
      const end = Buffer.concat(this.#pieces).subarray(-KEPT_OUTPUT);
      this.#pieces = [end];
      this.#kept = end.length;
    }
    return this.#bytes <= MOST_OUTPUT;
  }

  /** Returns what it begins with, if nothing was left out of it yet. */
  start(): string {
    return this.#bytes === this.#kept ? Buffer.concat(this.#pieces).subarray(0, 500).toString('utf8') : '';
  }

  /** In hex; to be asked for once. */
  hash(): string {
    return this.#hash.digest('hex');
  }

  /**
   * Returns the end, without what a terminal would obey, and without secrets; cut only then, so that none is cut in
   * two.
   */
  async text(redact: (text: string) => Promise<string>): Promise<string> {
    const end = Buffer.concat(this.#pieces).subarray(-KEPT_OUTPUT).toString('utf8');
    const lines = stripVTControlCharacters(end).replaceAll('\r\n', '\n').replaceAll('\r', '\n');
    const safe = (await redact(withoutCommands(lines))).toWellFormed();
    return safe.slice(-LONGEST_OUTPUT).toWellFormed();
  }
}

/** The most files that are looked at; those are always the same ones, as long as nothing changes. */
const MOST_LOOKED_AT = 50_000;
/** Folders that git itself writes all the time; its settings, hooks and references are looked at. */
const WRITTEN_BY_GIT = new Set(['objects', 'logs', 'lfs', 'modules']);

/**
 * The state of all files of a folder, by size and times: where no sandbox holds commands, this tells whether one went astray.
 * @param own the search's own folder, which this process writes; relative, with `/`
 */
async function lookAt(folder: string, own: string): Promise<ReadonlyMap<string, string>> {
  const seen = new Map<string, string>();
  const waiting = [''];
  for (let below = waiting.shift(); below !== undefined && seen.size < MOST_LOOKED_AT; below = waiting.shift()) {
    const entries = await namesIn(join(folder, below));
    for (const { name, isFolder } of entries) {
      const path = below === '' ? name : `${below}/${name}`;
      if (path === own || (below === '.git' && WRITTEN_BY_GIT.has(name))) continue;
      if (isFolder) waiting.push(path);
      else if (seen.size < MOST_LOOKED_AT) seen.set(path, await stateOf(join(folder, path)));
    }
  }
  return seen;
}

/** Paths whose state is another one. */
function changedBetween(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  const paths = new Set([...before.keys(), ...after.keys()]);
  // Where not all could be looked at, one that is only on one side may have been left out on the other.
  const isWhole = before.size < MOST_LOOKED_AT && after.size < MOST_LOOKED_AT;
  return [...paths].filter((path) => {
    const [then, now] = [before.get(path), after.get(path)];
    return then !== now && (isWhole || (then !== undefined && now !== undefined));
  });
}

async function namesIn(folder: string): Promise<{ name: string; isFolder: boolean }[]> {
  try {
    const names = [];
    for await (const entry of await opendir(folder)) names.push({ name: entry.name, isFolder: entry.isDirectory() });
    return names.sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return [];
  }
}

async function stateOf(file: string): Promise<string> {
  const about = await lstat(file, { bigint: true }).catch(() => undefined);
  return about ? `${about.ino} ${about.size} ${about.mtimeNs} ${about.ctimeNs} ${about.mode}` : '';
}

/** The number of further looks, and the wait between them, in milliseconds: the last ones may take a moment to go. */
const ENDING_ROUNDS = 50;
const ENDING_WAIT_MS = 40;

/**
 * Ends what a command left running outside of its group, and waits until it is gone: whatever has its mark in its
 * environment. Only Linux shows that.
 * @param mark how the mark begins
 */
export async function endLeftBehind(mark: string): Promise<void> {
  if (process.platform !== 'linux') return;
  for (let round = 0; round < ENDING_ROUNDS; round++) {
    const found = await markedProcesses(`${MARK}=${mark}`);
    if (found.length === 0) return;
    for (const pid of found)
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // already gone
      }
    await setTimeout(ENDING_WAIT_MS);
  }
}

async function markedProcesses(mark: string): Promise<number[]> {
  const names = await readdir('/proc').catch(() => []);
  const pids = names.map(Number).filter((pid) => Number.isInteger(pid) && pid !== process.pid);
  const found = await Promise.all(
    pids.map(async (pid) => {
      const environment = await readFile(`/proc/${pid}/environ`, 'latin1').catch(() => '');
      return environment.split('\0').some((each) => each.startsWith(mark)) ? [pid] : [];
    }),
  );
  return found.flat();
}
