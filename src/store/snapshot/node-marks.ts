import type { ReadFiles } from '../files/files.ts';
import { nodePath } from '../json/node-json.ts';

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
