import type { NodeOnDisk } from '../../core/ports/store.ts';
import { joinedPath } from '../../core/tree/slug-path.ts';
import type { ReadFiles, Stamp } from '../files/files.ts';
import { nodePath } from '../json/node-json.ts';
import { nodeMarks } from './node-marks.ts';
import { foldersOf, pathInLine, type SnapshotLine } from './snapshot-lines.ts';

interface Kept {
  /** Parsed when it is asked for: as text, it takes a third of the memory. */
  readonly line: string;
  /** The state of its node.json, if it was looked at for the node above. */
  file?: Stamp;
}

/**
 * What the folders of nodes held when it was written. It decides nothing: a node is taken from it if its folder and its
 * files are in the very state in which they were read then, told by their inodes, sizes and times of change, which nobody
 * can set. It counts only with the seal of this user's own key, so that one that came with a folder is nobody's.
 */
export class Snapshot {
  readonly #files: ReadFiles;
  readonly #nodes: Map<string, Kept>;

  /** @param lines of nodes */
  constructor(files: ReadFiles, lines: readonly string[]) {
    this.#files = files;
    this.#nodes = new Map(lines.map((line) => [pathInLine(line), { line }]));
  }

  /**
   * What a node's folder holds, if that has not changed; each node once, those above it first: a link instead of a folder
   * is found before anything below it is asked for.
   * @returns undefined if its files have to be read
   */
  take(path: string): NodeOnDisk | undefined {
    const node = this.takeLine(path)?.[2];
    return node && { file: node.file, children: node.children, folders: foldersOf(node), hasDocument: node.document };
  }

  /** The same as its line. */
  takeLine(path: string): SnapshotLine | undefined {
    const kept = this.#nodes.get(path);
    this.#nodes.delete(path);
    return kept && this.#unchanged(path, kept);
  }

  #unchanged(path: string, { line: text, file }: Kept): SnapshotLine | undefined {
    const line = JSON.parse(text) as SnapshotLine;
    const [, marks, node] = line;
    const now = nodeMarks(this.#files, path, node.children !== undefined, file);
    if (now?.marks !== marks) return undefined;
    return foldersOf(node).every((name) => this.#holdsNode(joinedPath(path, name))) ? line : undefined;
  }

  /** A folder stays a node only as long as it has a node.json, which its own state tells, not that of the one above. */
  #holdsNode(path: string): boolean {
    const stamp = this.#files.stampNow(nodePath(path));
    const kept = this.#nodes.get(path);
    if (kept && stamp) kept.file = stamp;
    return stamp?.kind === 'file';
  }
}
