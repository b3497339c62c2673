import type { Folds } from '../../core/search/record/folds.ts';
import type { Commit, Files } from '../files/files.ts';
import { JOURNAL } from '../journal/journal-reader.ts';
import { checkpointLines } from './checkpoint.ts';
import { foldJournal } from './fold-journal.ts';
import { journalDigest } from './journal-digest.ts';
import { nodeLines } from './node-lines.ts';
import { readSnapshot, type SnapshotText } from './read-snapshot.ts';
import { type SealKey, sealLines } from './sealed-lines.ts';
import { Snapshot } from './snapshot.ts';
import { type Checkpoint, SNAPSHOT, SNAPSHOT_VERSION, type SnapshotHead } from './snapshot-lines.ts';

/** How long before a file must have been changed last, in milliseconds: the clocks of file systems move in steps. */
const SETTLED_MS = 2000;

/** How a snapshot is written. */
export interface Keeping extends Commit {
  /** Seals it. */
  readonly key: SealKey;
  /** What to keep of the journal, new, as if nothing had happened; by default nothing. */
  readonly folds?: (() => Folds) | undefined;
  /** How long before that nothing in it was changed, in milliseconds. */
  readonly settledMs?: number;
}

/** Writes a snapshot of the files as they are now, unless this system cannot tell states of files apart. */
export async function keepSnapshot(
  files: Files,
  { key, folds, settledMs = SETTLED_MS, beforeCommit }: Keeping,
): Promise<void> {
  const now = await files.now();
  if (now === undefined) return;
  const before = await readSnapshot(files, key, { nodes: true, told: true });
  const nodes = await nodeLines(files, new Snapshot(files, before?.nodes ?? []), now - settledMs);
  const kept = folds && (await checkpointOf(files, before, folds, nodes));
  const head: SnapshotHead = {
    version: SNAPSHOT_VERSION,
    ...(kept && { checkpoint: kept.checkpoint }),
    nodes: nodes.length,
  };
  const lines = [JSON.stringify(head), ...(kept?.parts ?? []), ...nodes, ...(kept?.told ?? [])];
  await files.writeAtomic(SNAPSHOT, sealLines(lines, key), { beforeCommit });
}

interface Kept {
  readonly checkpoint: Checkpoint;
  readonly parts: readonly string[];
  readonly told: readonly string[];
}

/** Undefined if the journal changes meanwhile, or if something in it is to be told on each opening. */
async function checkpointOf(
  files: Files,
  before: SnapshotText | undefined,
  make: () => Folds,
  nodes: readonly string[],
): Promise<Kept | undefined> {
  const size = (await files.stat(JOURNAL))?.size ?? 0;
  const digest = await journalDigest(files, size);
  const { folds, position, problems } = await foldJournal(files, before, make);
  const isSame = position.offset === size && (await journalDigest(files, size)) === digest;
  const lines = isSame && problems.length === 0 ? checkpointLines(folds, nodes) : undefined;
  if (!lines || digest === undefined) return undefined;
  const { parts, told } = lines;
  const names = parts.map(([name]) => name);
  const checkpoint = { ...position, digest, parts: names, told: told.length };
  return { checkpoint, parts: parts.map(([, line]) => line), told };
}
