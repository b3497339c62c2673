import * as z from 'zod';
import type { NodeOnDisk } from '../../core/ports/store.ts';
import type { NodeData } from '../../core/tree/node-file.ts';

/** A derived copy of what opening a search reads; see `Snapshot`. */
export const SNAPSHOT = '.search/snapshot.jsonl';

/** Whatever is written in another way has another number, and is not read. */
export const SNAPSHOT_VERSION = 3;

const count = z.number().int().nonnegative();

/** A checkpoint of the journal: how far it goes. */
export const Checkpoint = z.object({
  /** Bytes from the journal's beginning, after a whole line. */
  offset: count,
  /** Lines before that. */
  lines: count,
  /** The SHA-256 of those bytes: the checkpoint holds for no others. */
  digest: z.string(),
});
export type Checkpoint = z.infer<typeof Checkpoint>;

/** The last line before the seal: only then it is known what there was to write. */
export const SnapshotFoot = z.object({
  version: z.literal(SNAPSHOT_VERSION),
  checkpoint: Checkpoint.optional(),
});
export type SnapshotFoot = z.infer<typeof SnapshotFoot>;

/** The content of a node's folder. */
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

/** A node according to the journal; its content is that of the line of a node, by number, where they are the same. */
export type ToldLine = readonly [
  above: number,
  slug: string,
  file: NodeData | number | null,
  listed: 0 | 1,
  document: string | 0,
];

/** The state of a fold, by its name. */
export interface PartLine {
  readonly part: string;
  readonly state: unknown;
}

/** The subject of a line, as its first bytes tell. */
export type LineKind = 'node' | 'told' | 'other';

const [BRACKET, QUOTE] = [0x5b, 0x22];

export function kindOfLine(line: Buffer): LineKind {
  if (line[0] !== BRACKET) return 'other';
  return line[1] === QUOTE ? 'node' : 'told';
}

/** The path in the line of a node, without parsing the rest: slug paths hold nothing that JSON writes in another way. */
export function pathInLine(line: Buffer): string {
  return line.toString('utf8', 2, line.indexOf(QUOTE, 2));
}

/** The names of the folders below a node that are nodes. */
export function foldersOf({ folders, children }: SnapshotNode): readonly string[] {
  return folders ?? namesOf(children);
}

/** The names of the listed children, in the order of folders. */
export function namesOf(children: SnapshotNode['children']): string[] {
  return (children ?? []).map(({ slug }) => slug).sort();
}
