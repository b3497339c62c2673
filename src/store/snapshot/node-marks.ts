import type { ReadFiles, Stamp } from '../files/files.ts';
import { nodePath } from '../json/node-json.ts';

/** The states of a node's folder, of its node.json, and of its children.json if it has one. */
export interface NodeMarks {
  readonly marks: string;
  /** When the latest of them was changed, in milliseconds since 1970. */
  readonly changed: number;
}

/**
 * Undefined if there is no such node, or if the system cannot tell states apart.
 * @param isListed whether it has a children.json
 * @param file the state of its node.json, where that is known already
 */
export function nodeMarks(
  files: Pick<ReadFiles, 'stampNow'>,
  path: string,
  isListed: boolean,
  file?: Stamp,
): NodeMarks | undefined {
  const folder = files.stampNow(path);
  const node = file ?? files.stampNow(nodePath(path));
  if (folder?.kind !== 'folder' || node?.kind !== 'file') return undefined;
  if (!isListed) return { marks: `${folder.mark} ${node.mark}`, changed: Math.max(folder.changed, node.changed) };
  const list = files.stampNow(`${path}/children.json`);
  if (list?.kind !== 'file') return undefined;
  const changed = Math.max(folder.changed, node.changed, list.changed);
  return { marks: `${folder.mark} ${node.mark} ${list.mark}`, changed };
}
