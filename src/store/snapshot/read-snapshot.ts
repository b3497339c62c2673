import { isThoughtTreeError } from '../../core/search/errors.ts';
import type { ReadFiles } from '../files/files.ts';
import { readSealed, type SealKey } from './sealed-lines.ts';
import { SNAPSHOT, SnapshotHead } from './snapshot-lines.ts';

/** The lines of a snapshot, not parsed: most are asked for once, and as text they take a third of the memory. */
export interface SnapshotText {
  readonly head: SnapshotHead;
  /** The states of the checkpoint's folds, by name. */
  readonly parts: ReadonlyMap<string, string>;
  readonly nodes: readonly string[];
  /** The nodes according to the journal. */
  readonly told: readonly string[];
}

/**
 * Reads a search's snapshot; undefined if there is none that this user's programs wrote, and that is whole.
 * @param wanted which lines are needed besides the parts; the others are left out
 */
export async function readSnapshot(
  files: ReadFiles,
  key: SealKey,
  wanted: { readonly nodes: boolean; readonly told: boolean },
): Promise<SnapshotText | undefined> {
  let head: SnapshotHead | undefined;
  const names: string[] = [];
  const parts = new Map<string, string>();
  const nodes: string[] = [];
  const told: string[] = [];
  let number = 0;
  const take = (line: string): boolean => {
    if (!head) {
      head = SnapshotHead.safeParse(JSON.parse(line)).data;
      names.push(...(head?.checkpoint?.parts ?? []));
      return head !== undefined;
    }
    const at = number++;
    if (at < names.length) parts.set(names[at] as string, line);
    else if (at < names.length + head.nodes) wanted.nodes && nodes.push(line);
    else wanted.told && told.push(line);
    return true;
  };
  const isWhole = await readSealed(files, SNAPSHOT, key, take).catch(unreadable);
  const { checkpoint, nodes: count = 0 } = head ?? {};
  const isComplete = number === names.length + count + (checkpoint?.told ?? 0);
  return isWhole && isComplete && head ? { head, parts, nodes, told } : undefined;
}

/** A snapshot that cannot be read is as good as none. */
function unreadable(error: unknown): false {
  if (error instanceof SyntaxError || isThoughtTreeError(error)) return false;
  throw error;
}
