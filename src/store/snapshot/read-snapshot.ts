import { isThoughtTreeError } from '../../core/search/errors.ts';
import type { ReadFiles } from '../files/files.ts';
import { openSealed, type SealedFile, type SealKey } from './sealed-file.ts';
import { kindOfLine, type PartLine, pathInLine, SNAPSHOT, SnapshotFoot } from './snapshot-lines.ts';

/** A snapshot of this user's own programs. Only what is few in it is in memory. */
export interface SnapshotFile {
  readonly foot: SnapshotFoot;
  /** The states of the checkpoint's folds, by name. */
  readonly parts: ReadonlyMap<string, unknown>;
  /** The lines of nodes by path, if they were asked for. */
  readonly nodes: Map<string, number>;
  /** The lines about nodes according to the journal. */
  readonly told: readonly number[];
  readonly lines: Pick<SealedFile, 'line'>;
}

/**
 * Opens a search's snapshot; undefined if there is none that this user's programs wrote, and that is whole.
 * @param withNodes whether the lines of nodes are needed
 */
export async function readSnapshot(
  files: ReadFiles,
  key: SealKey,
  withNodes: boolean,
): Promise<SnapshotFile | undefined> {
  const nodes = new Map<string, number>();
  const told: number[] = [];
  const others: string[] = [];
  let number = -1;
  const take = (line: Buffer): boolean => {
    number++;
    const kind = kindOfLine(line);
    if (kind === 'other') others.push(line.toString('utf8'));
    else if (kind === 'told') told.push(number);
    else if (withNodes) nodes.set(pathInLine(line), number);
    return true;
  };
  const lines = await openSealed(files, SNAPSHOT, key, take).catch(unreadable);
  if (!lines) return undefined;
  const foot = SnapshotFoot.safeParse(JSON.parse(others.pop() ?? '0')).data;
  const parts = others.map((line) => JSON.parse(line) as PartLine);
  return foot && { foot, parts: new Map(parts.map(({ part, state }) => [part, state])), nodes, told, lines };
}

/** A snapshot that cannot be read is as good as none. */
function unreadable(error: unknown): undefined {
  if (!isThoughtTreeError(error)) throw error;
}
