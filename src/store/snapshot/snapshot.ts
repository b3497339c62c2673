import type { NodeOnDisk } from '../../core/ports/store.ts';
import { joinedPath } from '../../core/tree/slug-path.ts';
import type { ReadFiles } from '../files/files.ts';
import { nodePath } from '../json/node-json.ts';
import { nodeMarks } from './node-marks.ts';
import type { SnapshotFile } from './read-snapshot.ts';
import { foldersOf, type SnapshotLine } from './snapshot-lines.ts';

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
