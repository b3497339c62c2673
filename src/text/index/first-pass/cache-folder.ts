import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import type { Salt } from './term-hash.ts';

const NAME = 'thought-tree';
/** All that is kept, in bytes: the folders that were asked about longest ago go first. */
const MOST_BYTES = 500 * 1024 * 1024;
/** The age of remains of a process that was killed, in milliseconds. */
const OLD_REMAINS = 60 * 60 * 1000;
const SALT = 'salt';

/** Where this user's programs keep what they can make again; undefined for a user without a home. */
export function cachePath(
  env: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
  homeOf: () => string = homedir,
): string | undefined {
  const { THOUGHT_TREE_CACHE: own, XDG_CACHE_HOME: given, LOCALAPPDATA: local } = env;
  if (own && isAbsolute(own)) return own;
  // A relative one is to be ignored, says its specification.
  if (given && isAbsolute(given)) return join(given, NAME);
  if (platform === 'win32' && local && isAbsolute(local)) return join(local, NAME, 'Cache');
  let home: string;
  try {
    home = homeOf();
  } catch {
    return undefined;
  }
  if (!isAbsolute(home)) return undefined;
  if (platform === 'win32') return join(home, 'AppData', 'Local', NAME, 'Cache');
  if (platform === 'darwin') return join(home, 'Library', 'Caches', NAME);
  return join(home, '.cache', NAME);
}

/**
 * The folder in which indexes are kept: outside of every workspace, for this user alone, bounded, and safe to delete at any
 * moment. Processes share it without a lock: a file is replaced as a whole, and whoever writes last wins.
 */
export class CacheFolder {
  readonly #path: string;
  readonly salt: Salt;
  readonly #most: number;

  private constructor(path: string, salt: Salt, most: number) {
    this.#path = path;
    this.salt = salt;
    this.#most = most;
  }

  /** Undefined if it cannot be made, or others could write it: then nothing is kept. */
  static open(path = cachePath(), most = MOST_BYTES): CacheFolder | undefined {
    if (path === undefined) return undefined;
    const folder = join(path, 'indexes');
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      if (!isOnlyOurs(folder)) return undefined;
      return new CacheFolder(folder, saltIn(folder), most);
    } catch {
      return undefined;
    }
  }

  /** The bytes of a file; undefined if there is none. */
  read(name: string): Buffer | undefined {
    const file = join(this.#path, name);
    try {
      const about = lstatSync(file);
      if (!about.isFile() || about.size > this.#most) return undefined;
      const bytes = readFileSync(file);
      const now = new Date();
      utimesSync(file, now, now); // it is still asked about
      return bytes;
    } catch {
      return undefined;
    }
  }

  /** Replaces a file as a whole, and makes room; false if that was not possible. */
  async write(name: string, parts: readonly Uint8Array[]): Promise<boolean> {
    const file = join(this.#path, name);
    const temporary = `${file}.${process.pid}-${randomBytes(4).toString('hex')}.tmp`;
    const size = parts.reduce((sum, part) => sum + part.byteLength, 0);
    if (size > this.#most / 2) return false;
    try {
      const handle = await open(temporary, 'wx', 0o600);
      try {
        for (const part of parts) await handle.writeFile(part);
      } finally {
        await handle.close();
      }
      await rename(temporary, file);
      this.#makeRoom(name);
      return true;
    } catch {
      await rm(temporary, { force: true }).catch(() => undefined);
      return false;
    }
  }

  #makeRoom(just: string): void {
    const files = readdirSync(this.#path).flatMap((name) => {
      const about = lstatSync(join(this.#path, name), { throwIfNoEntry: false });
      return about?.isFile() && name !== SALT ? [{ name, size: about.size, at: about.mtimeMs }] : [];
    });
    files.sort((a, b) => b.at - a.at || (a.name < b.name ? -1 : 1));
    let room = this.#most;
    for (const { name, size, at } of files) {
      room -= size;
      const isRemains = name.endsWith('.tmp') && at < Date.now() - OLD_REMAINS;
      if (isRemains || (room < 0 && name !== just && !name.endsWith('.tmp')))
        rmSync(join(this.#path, name), { force: true });
    }
  }
}

/** This user's salt, made when first needed. */
function saltIn(folder: string): Salt {
  const file = join(folder, SALT);
  const bytes = readSalt(file) ?? makeSalt(file);
  return { first: bytes.readUInt32LE(0), second: bytes.readUInt32LE(4) };
}

function readSalt(file: string): Buffer | undefined {
  const about = lstatSync(file, { throwIfNoEntry: false });
  return about?.isFile() && about.size === 8 ? readFileSync(file) : undefined;
}

function makeSalt(file: string): Buffer {
  const temporary = `${file}.${process.pid}-${randomBytes(4).toString('hex')}.tmp`;
  const bytes = randomBytes(8);
  writeFileSync(temporary, bytes, { mode: 0o600, flag: 'wx' });
  renameSync(temporary, file);
  // Of two processes that begin at once, both use what the last one wrote.
  return readSalt(file) ?? bytes;
}

function isOnlyOurs(folder: string): boolean {
  const about = lstatSync(folder);
  if (!about.isDirectory()) return false;
  if (process.getuid === undefined) return true; // Windows: below the user's own profile, which has rights of its own
  if (about.uid !== process.getuid()) return false;
  if ((about.mode & 0o077) !== 0) chmodSync(folder, 0o700);
  return (lstatSync(folder).mode & 0o077) === 0;
}
