import type { Folds } from '../../core/search/record/folds.ts';
import { type NodeData, nodeDataOf } from '../../core/tree/node-file.ts';
import { patchBetween } from '../../core/tree/node-patch.ts';
import { nodeAt } from '../../core/tree/tree.ts';
import type { Commit, Files } from '../files/files.ts';
import { JOURNAL } from '../journal/journal-reader.ts';
import { canBeKept, checkpointLines } from './checkpoint.ts';
import { foldJournal } from './fold-journal.ts';
import { journalDigest } from './journal-digest.ts';
import { nodeLines } from './node-lines.ts';
import { readSnapshot, type SnapshotFile } from './read-snapshot.ts';
import { type SealKey, sealed } from './sealed-file.ts';
import { Snapshot } from './snapshot.ts';
import { type Checkpoint, SNAPSHOT, SNAPSHOT_VERSION, type SnapshotFoot } from './snapshot-lines.ts';

/** The least age of a file's last change, in milliseconds: the clocks of file systems move in steps. */
const SETTLED_MS = 2000;

export interface Keeping extends Commit {
  /** Seals it. */
  readonly key: SealKey;
  /** The folds to keep of the journal, new, as if nothing had happened; by default nothing. */
  readonly folds?: (() => Folds) | undefined;
  /** The least age of the last change in it, in milliseconds. */
  readonly settledMs?: number;
}

/** Writes a snapshot of the files as they are now, unless this system cannot tell states of files apart. */
export async function keepSnapshot(
  files: Files,
  { key, folds, settledMs = SETTLED_MS, beforeCommit }: Keeping,
): Promise<void> {
  const now = await files.now();
  if (now === undefined) return;
  const before = await readSnapshot(files, key, true);
  const kept = folds && (await checkpointOf(files, before, folds));
  const lines = snapshotLines(files, before, now - settledMs, kept);
  await files.writeAtomic(SNAPSHOT, sealed(lines, key), { beforeCommit });
}

/** All lines of a snapshot, each when it is needed: together they take more memory than the tree. */
async function* snapshotLines(
  files: Files,
  before: SnapshotFile | undefined,
  settledBy: number,
  kept: Kept | undefined,
): AsyncGenerator<string> {
  const same = new Map<NodeData, number>();
  let number = 0;
  for await (const line of nodeLines(files, new Snapshot(files, before), settledBy)) {
    yield JSON.stringify(line);
    const [path, , { file }] = line;
    const told = kept?.folds.told && nodeAt(kept.folds.told.tree, path)?.file;
    if (told && !patchBetween(told, nodeDataOf(file))) same.set(told, number);
    number++;
  }
  if (kept) yield* checkpointLines(kept.folds, same);
  const foot: SnapshotFoot = { version: SNAPSHOT_VERSION, ...(kept && { checkpoint: kept.checkpoint }) };
  yield JSON.stringify(foot);
}

interface Kept {
  readonly checkpoint: Checkpoint;
  readonly folds: Folds;
}

/** Undefined if the journal changes meanwhile, or if something in it is to be told on each opening. */
async function checkpointOf(
  files: Files,
  before: SnapshotFile | undefined,
  make: () => Folds,
): Promise<Kept | undefined> {
  const size = (await files.stat(JOURNAL))?.size ?? 0;
  const digest = await journalDigest(files, size);
  const { folds, position, problems } = await foldJournal(files, before, make);
  const isSame = position.offset === size && (await journalDigest(files, size)) === digest;
  if (!isSame || digest === undefined || problems.length > 0 || !canBeKept(folds)) return undefined;
  return { checkpoint: { ...position, digest }, folds };
}
