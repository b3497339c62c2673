import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import * as z from 'zod';
import { jsonOrNothing } from '../../core/text/loose-json.ts';
import type { Commit, Files, ReadFiles } from '../files/files.ts';
import type { SealKey } from '../snapshot/sealed-file.ts';
import { JOURNAL } from './journal-reader.ts';

const SEAL = '.search/journal-seal.json';

export const JournalSeal = z.object({
  /** The length of the journal, in bytes. */
  bytes: z.number().int().nonnegative(),
  /** An HMAC-SHA-256, in hex. */
  seal: z.string(),
});
export type JournalSeal = z.infer<typeof JournalSeal>;

/** Shows later that this user's programs left the journal as it is now. It may be lost: then nothing shows it. */
export async function sealJournal(files: Files, key: SealKey, commit: Commit): Promise<JournalSeal | undefined> {
  const seal = await sealOfJournal(files, key);
  if (seal) await files.writeAtomic(SEAL, `${JSON.stringify(seal)}\n`, { ...commit, flush: true });
  return seal;
}

/** Returns the seal of the journal as it is now; undefined if somebody cuts it meanwhile. */
export async function sealOfJournal(files: ReadFiles, key: SealKey): Promise<JournalSeal | undefined> {
  const bytes = (await files.stat(JOURNAL))?.size ?? 0;
  const seal = await sealOf(files, key, bytes);
  return seal === undefined ? undefined : { bytes, seal };
}

/** Tells whether the journal is, to its last byte, as a program with the key left it. */
export async function isJournalSealed(files: ReadFiles, key: SealKey): Promise<boolean> {
  const { data } = JournalSeal.safeParse(
    await files.read(SEAL).then(
      (text = '') => jsonOrNothing(text),
      () => undefined,
    ),
  );
  return data !== undefined && (await hasSeal(files, key, data));
}

/**
 * Tells whether the journal is what has a seal.
 * @param mayBeGrown whether more may follow; no bytes need no seal
 */
export async function hasSeal(
  files: ReadFiles,
  key: SealKey,
  { bytes, seal }: JournalSeal,
  mayBeGrown = false,
): Promise<boolean> {
  const size = (await files.stat(JOURNAL))?.size ?? 0;
  if (mayBeGrown ? size < bytes : size !== bytes) return false;
  if (bytes === 0) return true;
  const wanted = Buffer.from((await sealOf(files, key, bytes)) ?? '');
  const found = Buffer.from(seal);
  return found.length === wanted.length && timingSafeEqual(found, wanted);
}

/** Undefined if the journal is shorter by now. */
async function sealOf(files: ReadFiles, key: SealKey, bytes: number): Promise<string | undefined> {
  const digest = await journalDigest(files, bytes);
  if (digest === undefined) return undefined;
  // The key has other uses: none of their proofs is a seal.
  return createHmac('sha256', key).update(`thought-tree journal\n${bytes} ${digest}`).digest('hex');
}

const CHUNK = 256 * 1024;

/** Returns the SHA-256 of the journal's first bytes, in hex; undefined if it has fewer. */
export async function journalDigest(files: ReadFiles, length: number): Promise<string | undefined> {
  const hash = createHash('sha256');
  const buffer = Buffer.alloc(Math.min(CHUNK, length));
  for (let offset = 0; offset < length; ) {
    const bytes = await files.readBytes(JOURNAL, offset, Math.min(CHUNK, length - offset), buffer);
    if (bytes.length === 0) return undefined;
    hash.update(bytes);
    offset += bytes.length;
  }
  return hash.digest('hex');
}
