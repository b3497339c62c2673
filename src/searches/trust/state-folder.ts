import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { homeFrom, isOnlyOurs } from '../../text/files/real-place.ts';

const NAME = 'thought-tree';
/** The longest file of ours that is read, in bytes. */
const LONGEST = 1024 * 1024;

/** Returns where this user's programs keep their state; undefined for a user without a home. */
export function statePath(
  env: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
  homeOf: () => string = homedir,
): string | undefined {
  const { XDG_STATE_HOME: given, LOCALAPPDATA: local } = env;
  // A relative one is to be ignored, says its specification: it would lie in whatever folder this runs in.
  if (given && isAbsolute(given)) return join(given, NAME);
  if (platform === 'win32' && local && isAbsolute(local)) return join(local, NAME);
  const home = homeFrom(homeOf);
  if (home === undefined || !isAbsolute(home)) return undefined;
  if (platform === 'win32') return join(home, 'AppData', 'Local', NAME);
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', NAME);
  return join(home, '.local', 'state', NAME);
}

/**
 * This user's own folder, outside of every workspace: nobody else can read or write it, so that what is in it was written
 * by a program of this user. Shared by the command line and the editor.
 */
export class StateFolder {
  readonly #path: string;

  private constructor(path: string) {
    this.#path = path;
  }

  /** Undefined if it cannot be made, or others could write it: then nothing is remembered. */
  static open(path = statePath()): StateFolder | undefined {
    if (path === undefined) return undefined;
    try {
      for (const folder of [path, join(path, 'searches')]) {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        if (!isOnlyOurs(folder)) return undefined;
      }
      return new StateFolder(path);
    } catch {
      return undefined;
    }
  }

  /** Returns the text of a file in it; undefined if there is none. */
  read(name: string): string | undefined {
    const file = join(this.#path, name);
    try {
      const about = lstatSync(file);
      return about.isFile() && about.size <= LONGEST ? readFileSync(file, 'utf8') : undefined;
    } catch {
      return undefined;
    }
  }

  /** Returns the names of the files of a folder in it, the last changed first. */
  latestIn(folder: string, most: number): string[] {
    const changed = (name: string): number => lstatSync(join(this.#path, folder, name)).mtimeMs;
    try {
      const files = readdirSync(join(this.#path, folder)).filter((name) => name.endsWith('.json'));
      const dated = files.map((name) => ({ name: `${folder}/${name}`, at: changed(name) }));
      return dated
        .sort((a, b) => b.at - a.at)
        .slice(0, most)
        .map(({ name }) => name);
    } catch {
      return [];
    }
  }

  /** Makes a file in it, on the disk itself, unless there is one. */
  create(name: string, text: string): void {
    try {
      writeFileSync(join(this.#path, name), text, { mode: 0o600, flag: 'wx', flush: true });
      flushFolder(this.#path);
    } catch {
      // it is there, or cannot be written: reading tells
    }
  }

  /** Removes a file from it, if there is one. */
  remove(name: string): void {
    try {
      rmSync(join(this.#path, name), { force: true });
    } catch {
      // nobody else can remove it
    }
  }

  /**
   * Replaces a file in it as a whole; false if that was not possible.
   * @param flush whether it must be on the disk itself afterwards
   */
  write(name: string, text: string, flush = false): boolean {
    const file = join(this.#path, name);
    const temporary = `${file}.${process.pid}.tmp`;
    try {
      rmSync(temporary, { force: true });
      writeFileSync(temporary, text, { mode: 0o600, flag: 'wx', flush });
      renameSync(temporary, file);
      if (flush) flushFolder(dirname(file));
      return true;
    } catch {
      return false;
    }
  }
}

function flushFolder(path: string): void {
  if (process.platform === 'win32') return; // folders cannot be opened there
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

const KEY = 'request-key';

/**
 * A secret in this user's state folder, made when it is first needed: what is proved or sealed with it was written by a
 * program of this user. Undefined if nothing can be remembered here.
 */
export function ownKey(): string | undefined {
  const state = StateFolder.open();
  const known = state?.read(KEY)?.trim();
  if (!state || (known !== undefined && known !== '')) return known;
  // Whoever makes it at the same time wins: what is there afterwards counts. An empty one was left by a full disk.
  const fresh = `${randomBytes(32).toString('hex')}\n`;
  if (known === undefined) state.create(KEY, fresh);
  else state.write(KEY, fresh, true);
  return state.read(KEY)?.trim() || undefined;
}
