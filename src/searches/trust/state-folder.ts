import { chmodSync, lstatSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

const NAME = 'thought-tree';
/** The longest file of ours that is read, in bytes. */
const LONGEST = 1024 * 1024;

/** Where this user's programs keep their state; undefined for a user without a home. */
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

/** The system has none for users that it does not know, as in some containers. */
function homeFrom(homeOf: () => string): string | undefined {
  try {
    return homeOf();
  } catch {
    return undefined;
  }
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

  /** The text of a file in it; undefined if there is none. */
  read(name: string): string | undefined {
    const file = join(this.#path, name);
    try {
      const about = lstatSync(file);
      return about.isFile() && about.size <= LONGEST ? readFileSync(file, 'utf8') : undefined;
    } catch {
      return undefined;
    }
  }

  /** Makes a file in it, unless there is one. */
  create(name: string, text: string): void {
    try {
      writeFileSync(join(this.#path, name), text, { mode: 0o600, flag: 'wx' });
    } catch {
      // it is there, or cannot be written: reading tells
    }
  }

  /** Replaces a file in it as a whole; false if that was not possible. */
  write(name: string, text: string): boolean {
    const file = join(this.#path, name);
    const temporary = `${file}.${process.pid}.tmp`;
    try {
      rmSync(temporary, { force: true });
      writeFileSync(temporary, text, { mode: 0o600, flag: 'wx' });
      renameSync(temporary, file);
      return true;
    } catch {
      return false;
    }
  }
}

function isOnlyOurs(folder: string): boolean {
  const about = lstatSync(folder);
  if (!about.isDirectory()) return false;
  if (process.getuid === undefined) return true; // Windows: below the user's own profile, which has rights of its own
  if (about.uid !== process.getuid()) return false;
  if ((about.mode & 0o077) !== 0) chmodSync(folder, 0o700);
  return (lstatSync(folder).mode & 0o077) === 0;
}
