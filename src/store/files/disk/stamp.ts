import type { EntryKind, Stamp } from '../files.ts';
import type { DiskOperations } from './disk-operations.ts';

interface Kinds {
  isFile(): boolean;
  isDirectory(): boolean;
}

export function kindOf(found: Kinds): EntryKind {
  if (found.isFile()) return 'file';
  return found.isDirectory() ? 'folder' : 'other';
}

/**
 * The state of a file or a folder on disk; undefined if there is none, or if the system has no inodes or times of change.
 * Whole numbers, since inodes and nanoseconds are longer than a number holds.
 */
export function stampOf({ lstatSync }: Pick<DiskOperations, 'lstatSync'>, file: string): Stamp | undefined {
  const found = lstatSync(file, { throwIfNoEntry: false, bigint: true });
  if (!found) return undefined;
  const { dev, ino, size, ctimeNs, mtimeNs } = found;
  if (!ino || !ctimeNs) return undefined;
  const mark = `${dev}:${ino}:${size}:${ctimeNs}`;
  return { kind: kindOf(found), mark, changed: Number(ctimeNs) / 1e6, modified: Number(mtimeNs) / 1e6 };
}
