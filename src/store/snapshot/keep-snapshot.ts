import type { Commit, Files } from '../files/files.ts';
import { snapshotLines } from './make-snapshot.ts';
import { type SealKey, sealLines } from './sealed-lines.ts';
import { Snapshot } from './snapshot.ts';
import { SNAPSHOT } from './snapshot-lines.ts';

/** How long before a file must have been changed last, in milliseconds: the clocks of file systems move in steps. */
const SETTLED_MS = 2000;

/**
 * Writes a snapshot of the files as they are now, unless this system cannot tell states of files apart.
 * @param settledMs how long before that nothing in it was changed
 */
export async function keepSnapshot(
  files: Files,
  key: SealKey,
  commit: Commit = {},
  settledMs: number = SETTLED_MS,
): Promise<void> {
  const now = await files.now();
  if (now === undefined) return;
  const lines = await snapshotLines(files, await Snapshot.read(files, key), now - settledMs);
  await files.writeAtomic(SNAPSHOT, sealLines(lines, key), commit);
}
