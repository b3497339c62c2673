import * as z from 'zod';
import { Breather } from '../../core/concurrency/breather.ts';
import type { Fold, KeptFold } from '../../core/search/record/fold.ts';
import type { Folds } from '../../core/search/record/folds.ts';
import { type NodeData, nodeDataOf } from '../../core/tree/node-file.ts';
import type { ToldNode } from '../../core/tree/tree-record.ts';
import type { SnapshotFile } from './read-snapshot.ts';
import type { PartLine, SnapshotLine, ToldLine } from './snapshot-lines.ts';

/** The name of the part that says what was removed from the tree; the tree itself has a line for each node. */
const TREE = 'tree';

/** Contents of nodes according to the journal that a snapshot has already, with the numbers of their lines. */
export type SameFiles = ReadonlyMap<NodeData, number>;

/**
 * Folds as they were when a snapshot was written; undefined if it lacks one of them, or was replaced meanwhile.
 * @param make new ones, to which nothing has happened
 */
export async function restoredFolds<F extends Folds>(snapshot: SnapshotFile, make: () => F): Promise<F | undefined> {
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
