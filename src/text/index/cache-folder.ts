import { randomBytes } from 'node:crypto';
import {
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
import { crc32 } from 'node:zlib';
import { homeFrom, isOnlyOurs } from '../files/real-place.ts';
import { termsOf } from '../words/terms.ts';

const NAME = 'thought-tree';
/** All that is kept, in bytes: the folders that were asked about longest ago go first. */
const MOST_BYTES = 500 * 1024 * 1024;
/** The age of remains of a process that was killed, in milliseconds. */
const OLD_REMAINS = 60 * 60 * 1000;
const SALT = 'salt';

/** Returns where this user's programs keep what they can make again; undefined for a user without a home. */
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
  const home = homeFrom(homeOf);
  if (home === undefined || !isAbsolute(home)) return undefined;
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

  /** Returns the bytes of a file; undefined if there is none. */
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

/** Mixed into every hash: of this user alone, so that a kept index tells nobody else which words it has. */
export interface Salt {
  readonly first: number;
  readonly second: number;
}

/** Returns the hash of a term, 32 bits. */
export function termHash(term: string, { first, second }: Salt): number {
  let hash = first;
  for (let at = 0; at < term.length; at++) hash = Math.imul(hash ^ term.charCodeAt(at), 0x01000193);
  hash ^= second;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

// Words whose terms change whenever the rules of splitting, stopping or stemming do; not those that only ICU can split,
// which takes a while to get ready for it: its version tells as much.
const SAMPLE = `getHTTPResponse2 utf8 IPv4 WebSocket the new back done get return undefined import value retried retries execution
  executes enforced queueing databases analyses réglages Übergänge größer naïve 超时 キャンセル 중단하다 2fa x y snake_case_name
  SCREAMING_CASE don't e-mail foo.bar #private $scope happily movement darkness importance ties classes boxes running stopped`;

/** Tells apart the rules by which words become terms: what was counted by others is worth nothing. */
export function wordsVersion(): number {
  return termHash(`${termsOf(SAMPLE).join(' ')} ${process.versions['icu']}`, { first: 0x811c9dc5, second: 0 });
}

const LONGEST_SEALED_HEAD = 64 * 1024 * 1024;
/** The alignment of what follows the head, in bytes, so that numbers in it can be used where they are. */
const ALIGNED = 8;
/** The length of the head and its check sum. */
const BYTES_OF_NUMBERS = 8;

/**
 * The bytes of a kept file: what kind of file it is, a head in JSON, and bytes; the head and the bytes with check sums.
 * @param magic a line that names the kind
 */
export function seal(magic: string, head: object, parts: readonly Uint8Array[]): Uint8Array[] {
  const sum = parts.reduce((before, part) => crc32(part, before), 0);
  const text = aligned(magic, Buffer.from(JSON.stringify({ ...head, sum })));
  const numbers = Buffer.alloc(BYTES_OF_NUMBERS);
  numbers.writeUInt32LE(text.length, 0);
  numbers.writeUInt32LE(crc32(text), 4);
  return [Buffer.from(magic), numbers, text, ...parts];
}

/**
 * Returns the head of a kept file, to be checked, and its bytes. @throws Error for one that is damaged or of another
 * kind
 */
export function unseal(magic: string, bytes: Buffer): { readonly head: unknown; readonly body: Buffer } {
  if (bytes.toString('latin1', 0, magic.length) !== magic) throw new Error('of another kind');
  const length = bytes.readUInt32LE(magic.length);
  const start = magic.length + BYTES_OF_NUMBERS;
  const text = bytes.subarray(start, start + length);
  if (length > LONGEST_SEALED_HEAD || crc32(text) !== bytes.readUInt32LE(magic.length + 4)) throw new Error('damaged');
  const head = JSON.parse(text.toString('utf8'));
  const body = bytes.subarray(start + length);
  if (crc32(body) !== head?.sum) throw new Error('damaged');
  return { head, body };
}

/** With spaces after it. */
function aligned(magic: string, text: Buffer): Buffer {
  const over = (magic.length + BYTES_OF_NUMBERS + text.length) % ALIGNED;
  return over === 0 ? text : Buffer.concat([text, Buffer.alloc(ALIGNED - over, ' ')]);
}
