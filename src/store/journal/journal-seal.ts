import { createHmac, timingSafeEqual } from 'node:crypto';
import * as z from 'zod';
import type { Commit, Files, ReadFiles } from '../files/files.ts';
import { journalDigest } from '../snapshot/journal-digest.ts';
import type { SealKey } from '../snapshot/sealed-file.ts';
import { JOURNAL } from './journal-reader.ts';

const SEAL = '.search/journal-seal.json';

const JournalSeal = z.object({
  /** The length of the journal, in bytes. */
  bytes: z.number().int().nonnegative(),
  /** An HMAC-SHA-256, in hex. */
  seal: z.string(),
});

/** Shows later that this user's programs left the journal as it is now. It may be lost: then nothing shows it. */
export async function sealJournal(files: Files, key: SealKey, commit: Commit): Promise<void> {
  const bytes = (await files.stat(JOURNAL))?.size ?? 0;
  const seal = await sealOf(files, key, bytes);
  if (seal !== undefined) await files.writeAtomic(SEAL, `${JSON.stringify({ bytes, seal })}\n`, commit);
}

/** Tells whether the journal is, to its last byte, as a program with the key left it. */
export async function isJournalSealed(files: ReadFiles, key: SealKey): Promise<boolean> {
  const { data } = JournalSeal.safeParse(await files.read(SEAL).then(parsed, () => undefined));
  if (!data || (await files.stat(JOURNAL))?.size !== data.bytes) return false;
  const wanted = Buffer.from((await sealOf(files, key, data.bytes)) ?? '');
  const found = Buffer.from(data.seal);
  return found.length === wanted.length && timingSafeEqual(found, wanted);
}

function parsed(text = ''): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Undefined if the journal is shorter by now. */
async function sealOf(files: ReadFiles, key: SealKey, bytes: number): Promise<string | undefined> {
  const digest = await journalDigest(files, bytes);
  if (digest === undefined) return undefined;
  // The key has other uses: none of their proofs is a seal.
  return createHmac('sha256', key).update(`thought-tree journal\n${bytes} ${digest}`).digest('hex');
}
