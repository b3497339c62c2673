import type { Problem } from '../../core/ports/store.ts';
import type { Folds } from '../../core/search/record/folds.ts';
import type { ReadFiles } from '../files/files.ts';
import { JOURNAL_START, type JournalPosition, walkJournal } from '../journal/journal-reader.ts';
import { restoredFolds } from './checkpoint.ts';
import { journalDigest } from './journal-digest.ts';
import type { SnapshotFile } from './read-snapshot.ts';

export interface FoldedJournal<F extends Folds> {
  readonly folds: F;
  /** The byte at which reading it began: 0 if there was no checkpoint that holds. */
  readonly begun: number;
  /** After its last whole line. */
  readonly position: JournalPosition;
  readonly problems: readonly Problem[];
}

/**
 * Computes what a journal says: from a checkpoint on, where the journal begins with the very bytes that the checkpoint
 * was made of; otherwise all of it.
 * @param make new ones, to which nothing has happened
 */
export async function foldJournal<F extends Folds>(
  files: ReadFiles,
  snapshot: SnapshotFile | undefined,
  make: () => F,
): Promise<FoldedJournal<F>> {
  const restored = await restore(files, snapshot, make);
  const folds = restored?.folds ?? make();
  const from = restored?.position ?? JOURNAL_START;
  const { position, problems, restarted } = await walkJournal(files, from, (event) => {
    folds.record.apply(event);
    folds.told?.apply(event);
  });
  // It was cut off in between.
  if (restarted && restored) return await foldJournal(files, undefined, make);
  return { folds, begun: from.offset, position, problems };
}

async function restore<F extends Folds>(
  files: ReadFiles,
  snapshot: SnapshotFile | undefined,
  make: () => F,
): Promise<{ folds: F; position: JournalPosition } | undefined> {
  const checkpoint = snapshot?.foot.checkpoint;
  if (!checkpoint || (await journalDigest(files, checkpoint.offset)) !== checkpoint.digest) return undefined;
  const folds = await restoredFolds(snapshot, make);
  return folds && { folds, position: { offset: checkpoint.offset, lines: checkpoint.lines } };
}
