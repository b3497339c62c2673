import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { Breather } from '../../core/concurrency.ts';
import type { ReadFiles } from '../files/files.ts';

/** The key with which this user's own programs seal what they derive from a search's files. */
export type SealKey = string;

const NEWLINE = 0x0a;
/** Bytes that are hashed, and read, together. */
const BLOCK = 256 * 1024;
/** The longest sealed file, in bytes: several times what a tree of 100,000 nodes needs. */
const LONGEST = 1024 * BLOCK;
/** The last line, with its line break: a SHA-256 in hex. */
const SEAL_LENGTH = 65;
/** Blocks that are kept: more than a tree has levels, as its nodes are asked for on several levels in turns. */
const KEPT_BLOCKS = 16;

/** The text of a sealed file, piece by piece: its lines and the seal. */
export async function* sealed(lines: AsyncIterable<string> | Iterable<string>, key: SealKey): AsyncGenerator<string> {
  const hashes: Buffer[] = [];
  let hash = createHash('sha256');
  let room = BLOCK;
  let piece: string[] = [];
  const take = (text: string): void => {
    for (let bytes = Buffer.from(text); bytes.length > 0; ) {
      const part = bytes.subarray(0, room);
      hash.update(part);
      room -= part.length;
      bytes = bytes.subarray(part.length);
      if (room > 0) continue;
      hashes.push(hash.digest());
      hash = createHash('sha256');
      room = BLOCK;
    }
  };
  let length = 0;
  for await (const line of lines) {
    piece.push(line);
    length += line.length + 1;
    if (length < BLOCK) continue;
    const text = `${piece.join('\n')}\n`;
    take(text);
    yield text;
    [piece, length] = [[], 0];
  }
  const rest = piece.map((line) => `${line}\n`).join('');
  take(rest);
  if (room < BLOCK) hashes.push(hash.digest());
  yield `${rest}${sealOf(hashes, key)}\n`;
}

/**
 * A file that somebody with the key wrote, line by line; what is read later is compared with what it was when it was opened.
 * It takes little memory, whatever its size.
 */
export class SealedFile {
  readonly #files: ReadFiles;
  readonly #file: string;
  /** Of each block of it. */
  readonly #hashes: readonly Buffer[];
  /** Where each line begins, in bytes, and where the last one ends. */
  readonly #starts: readonly number[];
  readonly #recent = new Map<number, Promise<Buffer | undefined>>();

  constructor(files: ReadFiles, file: string, hashes: readonly Buffer[], starts: readonly number[]) {
    this.#files = files;
    this.#file = file;
    this.#hashes = hashes;
    this.#starts = starts;
  }

  /** Returns a line by its number; undefined if the file is another by now. */
  async line(number: number): Promise<string | undefined> {
    const begin = this.#starts[number] as number;
    const end = (this.#starts[number + 1] as number) - 1;
    const first = Math.floor(begin / BLOCK);
    const blocks: Buffer[] = [];
    for (let block = first; block * BLOCK < end; block++) {
      const bytes = await this.#block(block);
      if (!bytes) return undefined;
      blocks.push(bytes);
    }
    const bytes = blocks.length === 1 ? (blocks[0] as Buffer) : Buffer.concat(blocks);
    return bytes.toString('utf8', begin - first * BLOCK, end - first * BLOCK);
  }

  #block(block: number): Promise<Buffer | undefined> {
    const recent = this.#recent.get(block);
    if (recent) return recent;
    for (const oldest of this.#recent.keys()) {
      if (this.#recent.size < KEPT_BLOCKS) break;
      this.#recent.delete(oldest);
    }
    const bytes = this.#read(block);
    this.#recent.set(block, bytes);
    return bytes;
  }

  async #read(block: number): Promise<Buffer | undefined> {
    const end = this.#starts.at(-1) as number;
    const length = Math.min(BLOCK, end - block * BLOCK);
    const bytes = await this.#files.readBytes(this.#file, block * BLOCK, length).catch(() => new Uint8Array());
    return hashOf(bytes).equals(this.#hashes[block] as Buffer) ? asBuffer(bytes) : undefined;
  }
}

/**
 * Opens a sealed file.
 * @param take gets the bytes of each line, before it is known whether the seal fits them: false ends the reading
 * @returns undefined if it is not whole, or somebody without the key wrote it
 */
export async function openSealed(
  files: ReadFiles,
  file: string,
  key: SealKey,
  take: (line: Buffer) => boolean,
): Promise<SealedFile | undefined> {
  const found = await files.stat(file);
  if (found?.kind !== 'file' || found.size > LONGEST) return undefined;
  const end = found.size - SEAL_LENGTH;
  const hashes: Buffer[] = [];
  const starts = [0];
  const buffer = Buffer.alloc(BLOCK);
  let rest: Buffer = Buffer.alloc(0);
  const breather = new Breather();
  for (let offset = 0; offset < end; ) {
    await breather.breathe();
    const bytes = asBuffer(await files.readBytes(file, offset, Math.min(BLOCK, end - offset), buffer));
    if (bytes.length < Math.min(BLOCK, end - offset)) return undefined;
    hashes.push(hashOf(bytes));
    const lines = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
    const before = offset - rest.length;
    let begin = 0;
    for (let at = lines.indexOf(NEWLINE); at >= 0; at = lines.indexOf(NEWLINE, begin)) {
      if (!take(lines.subarray(begin, at))) return undefined;
      begin = at + 1;
      starts.push(before + begin);
    }
    // The buffer is used again.
    rest = Buffer.from(lines.subarray(begin));
    offset += bytes.length;
  }
  const seal = asBuffer(await files.readBytes(file, end, SEAL_LENGTH));
  const wanted = Buffer.from(`${sealOf(hashes, key)}\n`);
  const isSealed = rest.length === 0 && seal.length === wanted.length && timingSafeEqual(seal, wanted);
  return isSealed ? new SealedFile(files, file, hashes, starts) : undefined;
}

function sealOf(hashes: readonly Buffer[], key: SealKey): string {
  // The key has other uses: none of their proofs is a seal.
  const hmac = createHmac('sha256', key).update('thought-tree snapshot\n');
  for (const hash of hashes) hmac.update(hash);
  return hmac.digest('hex');
}

function hashOf(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest();
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}
