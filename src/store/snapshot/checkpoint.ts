import * as z from 'zod';
import { Breather } from '../../core/concurrency.ts';
import type { Problem } from '../../core/ports/store.ts';
import type { Fold, KeptFold } from '../../core/search/events.ts';
import type { Folds } from '../../core/search/record/search-record.ts';
import { type NodeData, nodeDataOf } from '../../core/tree/node-file.ts';
import type { ToldNode } from '../../core/tree/tree-record.ts';
import type { ReadFiles } from '../files/files.ts';
import { JOURNAL_START, type JournalPosition, walkJournal } from '../journal/journal-reader.ts';
import { journalDigest } from '../journal/journal-seal.ts';
import type { PartLine, SnapshotFile, SnapshotLine, ToldLine } from './snapshot.ts';

/** The name of the part that says what was removed from the tree; the tree itself has a line for each node. */
const TREE = 'tree';

/** Contents of nodes according to the journal that a snapshot has already, with the numbers of their lines. */
export type SameFiles = ReadonlyMap<NodeData, number>;

/**
 * Folds as they were when a snapshot was written; undefined if it lacks one of them, or was replaced meanwhile.
 * @param make new ones, to which nothing has happened
 */
async function restoredFolds<F extends Folds>(snapshot: SnapshotFile, make: () => F): Promise<F | undefined> {
  const { parts } = snapshot;
  const folds = make();
  const kept = keptIn(folds);
  if (!kept?.every(({ name }) => parts.has(name)) || (folds.told && !parts.has(TREE))) return undefined;
  try {
    for (const fold of kept) fold.restore(parts.get(fold.name));
    await folds.told?.restore(
      parts.get(TREE) as { cutOff: number[]; removed: [string, number][] },
      toldNodes(snapshot),
    );
    return folds;
  } catch (error) {
    if (error instanceof z.ZodError || (error instanceof Error && error.message === REPLACED)) return undefined;
    throw error;
  }
}

/**
 * The lines of folds; none if one of them cannot be kept.
 * @param same contents that need not be written again, as earlier lines of the snapshot have them
 */
export function* checkpointLines(folds: Folds, same: SameFiles): Generator<string> {
  for (const { name, state } of keptIn(folds) ?? []) yield partLine(name, state);
  if (!folds.told) return;
  const { nodes, ...rest } = folds.told.state;
  yield partLine(TREE, rest);
  for (const { above, slug, file, listed, document } of nodes) {
    const line: ToldLine = [above, slug, (file && same.get(file)) ?? file ?? null, listed ? 1 : 0, document ?? 0];
    yield JSON.stringify(line);
  }
}

export function canBeKept(folds: Folds): boolean {
  return keptIn(folds) !== undefined;
}

/** Undefined if one of them cannot be kept. */
function keptIn({ record }: Folds): readonly KeptFold[] | undefined {
  return record.parts.every(isKept) ? [record, ...record.parts] : undefined;
}

function isKept(fold: Fold): fold is KeptFold {
  return 'restore' in fold;
}

function partLine(part: string, state: unknown): string {
  return JSON.stringify({ part, state } satisfies PartLine);
}

/** The error that is thrown if the snapshot is another one by now. */
const REPLACED = 'the snapshot was replaced';

async function* toldNodes({ told, lines }: SnapshotFile): AsyncGenerator<ToldNode> {
  const line = async <T>(number: number): Promise<T> => {
    const text = await lines.line(number);
    if (text === undefined) throw new Error(REPLACED);
    return JSON.parse(text);
  };
  const breather = new Breather();
  for (const number of told) {
    await breather.breathe();
    const [above, slug, said, listed, document] = await line<ToldLine>(number);
    const file = typeof said === 'number' ? nodeDataOf((await line<SnapshotLine>(said))[2].file) : (said ?? undefined);
    yield { above, slug, file, listed: listed === 1, document: document === 0 ? undefined : document };
  }
}

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
