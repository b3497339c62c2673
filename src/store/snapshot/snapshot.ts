import * as z from 'zod';
import type { NodeOnDisk } from '../../core/ports/store.ts';
import { isThoughtTreeError } from '../../core/search/errors.ts';
import type { NodeData } from '../../core/tree/node-file.ts';
import { joinedPath } from '../../core/tree/slug.ts';
import type { ReadFiles } from '../files/files.ts';
import { nodePath } from '../json/node-json.ts';
import { openSealed, type SealedFile, type SealKey } from './sealed-file.ts';

/**
 * The content of nodes' folders at the time of writing. It decides nothing: a node is taken from it if its folder and
 * its files are in the very state in which they were read then, told by their inodes, sizes and times of change, which
 * nobody can set. It counts only with the seal of this user's own key, so that one that came with a folder is nobody's.
 */
export class Snapshot {
  readonly #files: ReadFiles;
  readonly #snapshot: SnapshotFile | undefined;
  /** The states of node.json that were looked at for the node above, by the number of the line. */
  readonly #marks = new Map<number, string>();

  constructor(files: ReadFiles, snapshot: SnapshotFile | undefined) {
    this.#files = files;
    this.#snapshot = snapshot;
  }

  /**
   * Returns the content of a node's folder, if that has not changed; each node once, those above it first: a link
   * instead of a folder is found before anything below it is asked for.
   * @returns undefined if its files have to be read
   */
  async take(path: string): Promise<NodeOnDisk | undefined> {
    const node = (await this.takeLine(path))?.[2];
    return node && { file: node.file, children: node.children, folders: foldersOf(node), hasDocument: node.document };
  }

  /** Returns the line of a node, as `take` does. */
  async takeLine(path: string): Promise<SnapshotLine | undefined> {
    const { nodes, lines } = this.#snapshot ?? {};
    const number = nodes?.get(path);
    if (number === undefined) return undefined;
    nodes?.delete(path);
    const text = await lines?.line(number);
    const file = this.#marks.get(number);
    this.#marks.delete(number);
    return text === undefined ? undefined : this.#unchanged(path, JSON.parse(text), file);
  }

  #unchanged(path: string, line: SnapshotLine, file: string | undefined): SnapshotLine | undefined {
    const [, marks, node] = line;
    if (nodeMarks(this.#files, path, node.children !== undefined, file)?.marks !== marks) return undefined;
    return foldersOf(node).every((name) => this.#holdsNode(joinedPath(path, name))) ? line : undefined;
  }

  /** A folder stays a node only as long as it has a node.json, which its own state tells, not that of the one above. */
  #holdsNode(path: string): boolean {
    const stamp = this.#files.stampNow(nodePath(path));
    if (stamp?.kind !== 'file') return false;
    const number = this.#snapshot?.nodes.get(path);
    if (number !== undefined) this.#marks.set(number, stamp.mark);
    return true;
  }
}

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
type LineKind = 'node' | 'told' | 'other';

const [BRACKET, QUOTE] = [0x5b, 0x22];

function kindOfLine(line: Buffer): LineKind {
  if (line[0] !== BRACKET) return 'other';
  return line[1] === QUOTE ? 'node' : 'told';
}

/**
 * Returns the path in the line of a node, without parsing the rest: slug paths hold nothing that JSON writes in another
 * way.
 */
function pathInLine(line: Buffer): string {
  return line.toString('utf8', 2, line.indexOf(QUOTE, 2));
}

/** Returns the names of the folders below a node that are nodes. */
export function foldersOf({ folders, children }: SnapshotNode): readonly string[] {
  return folders ?? namesOf(children);
}

/** Returns the names of the listed children, in the order of folders. */
export function namesOf(children: SnapshotNode['children']): string[] {
  return (children ?? []).map(({ slug }) => slug).sort();
}

/** The states of a node's folder, of its node.json, and of its children.json if it has one. */
export interface NodeMarks {
  readonly marks: string;
  /** When the latest of them was changed, in milliseconds since 1970; of those that were looked at here. */
  readonly changed: number;
}

/**
 * Undefined if there is no such node, or if the system cannot tell states apart.
 * @param isListed whether it has a children.json
 * @param known the mark of its node.json, a file, where that was looked at already
 */
export function nodeMarks(
  files: Pick<ReadFiles, 'stampNow'>,
  path: string,
  isListed: boolean,
  known?: string,
): NodeMarks | undefined {
  const folder = files.stampNow(path);
  if (folder?.kind !== 'folder') return undefined;
  let { mark: marks, changed } = folder;
  const add = (file: string): boolean => {
    const stamp = files.stampNow(file);
    if (stamp?.kind !== 'file') return false;
    marks += ` ${stamp.mark}`;
    changed = Math.max(changed, stamp.changed);
    return true;
  };
  if (known !== undefined) marks += ` ${known}`;
  else if (!add(nodePath(path))) return undefined;
  if (isListed && !add(`${path}/children.json`)) return undefined;
  return { marks, changed };
}
