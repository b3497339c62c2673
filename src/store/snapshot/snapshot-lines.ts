import * as z from 'zod';
import type { NodeOnDisk } from '../../core/ports/store.ts';

/** A derived copy of what opening a search reads; see `Snapshot`. */
export const SNAPSHOT = '.search/snapshot.jsonl';

/** Whatever is written in another way has another number, and is not read. */
export const SNAPSHOT_VERSION = 1;

const count = z.number().int().nonnegative();

/** A checkpoint of the journal: how far it goes, and what is to be found there. */
export const Checkpoint = z.object({
  /** Bytes from the journal's beginning, after a whole line. */
  offset: count,
  /** Lines before that. */
  lines: count,
  /** The SHA-256 of those bytes: the checkpoint holds for no others. */
  digest: z.string(),
  /** The folds that were kept, by name: each has a line. */
  parts: z.array(z.string()),
  /** The number of lines about nodes according to the journal, after the lines of nodes. */
  told: count,
});
export type Checkpoint = z.infer<typeof Checkpoint>;

/** The first line. */
export const SnapshotHead = z.object({
  version: z.literal(SNAPSHOT_VERSION),
  checkpoint: Checkpoint.optional(),
  /** The number of lines of nodes, after those of the checkpoint's parts. */
  nodes: count,
});
export type SnapshotHead = z.infer<typeof SnapshotHead>;

/** What a node's folder held. */
export interface SnapshotNode extends Pick<NodeOnDisk, 'file' | 'children'> {
  /** The folders below that are nodes, if they are not the listed children. */
  readonly folders?: readonly string[];
  readonly document: boolean;
}

/**
 * The line of a node: its slug path, the states of its folder and its files when they were read, and what was in them,
 * checked. Its own program wrote it, as the seal of the whole tells, so that it is not checked again.
 */
export type SnapshotLine = readonly [path: string, marks: string, node: SnapshotNode];

/** The path in the text of a line, without parsing the rest: slug paths hold nothing that JSON writes in another way. */
export function pathInLine(line: string): string {
  return line.slice(2, line.indexOf('"', 2));
}

/** The names of the folders below a node that are nodes. */
export function foldersOf({ folders, children }: SnapshotNode): readonly string[] {
  return folders ?? namesOf(children);
}

/** The names of the listed children, in the order of folders. */
export function namesOf(children: SnapshotNode['children']): string[] {
  return (children ?? []).map(({ slug }) => slug).sort();
}
