import { isDeepStrictEqual } from 'node:util';
import { Breather } from '../../core/concurrency/breather.ts';
import { joinedPath } from '../../core/tree/slug-path.ts';
import type { ReadFiles } from '../files/files.ts';
import { ProblemList } from '../json/problem-list.ts';
import { RecentTexts } from '../json/recent-texts.ts';
import { readNodeFolder, readRootFolder } from '../read-node.ts';
import { nodeMarks } from './node-marks.ts';
import type { Snapshot } from './snapshot.ts';
import { foldersOf, namesOf, type SnapshotLine } from './snapshot-lines.ts';

/** Deeper nodes are read from their files each time; a chain of folders must not make a snapshot long. */
const DEEPEST = 64;

/**
 * The lines of the nodes as they are on disk, level by level, as they are asked for later. A node that is being changed is
 * left out: its files are read between two looks at their states, and what was changed shortly before could be changed
 * again without a trace.
 * @param before an earlier snapshot, whose unchanged nodes need not be read again
 * @param settledBy when the files in it were changed at the latest, by the file system's clock
 */
export async function* nodeLines(files: ReadFiles, before: Snapshot, settledBy: number): AsyncGenerator<SnapshotLine> {
  const breather = new Breather(5);
  let level = [...(await readRootFolder(files, nothingKnown())).folders];
  for (let depth = 1; level.length > 0; depth++) {
    const below: string[] = [];
    for (const path of level) {
      await breather.breathe();
      const same = await before.takeLine(path);
      const { line, folders } = same
        ? { line: same, folders: foldersOf(same[2]) }
        : await readLine(files, path, settledBy);
      if (line) yield line;
      if (depth < DEEPEST) for (const name of folders) below.push(joinedPath(path, name));
    }
    level = below;
  }
}

/** The line of a node as it is now, if that can be told, and the folders below it. */
async function readLine(
  files: ReadFiles,
  path: string,
  settledBy: number,
): Promise<{ line?: SnapshotLine; folders: readonly string[] }> {
  const isListed = files.stampNow(`${path}/children.json`) !== undefined;
  const before = nodeMarks(files, path, isListed);
  const found = await readNodeFolder(files, path, nothingKnown());
  if (!found) return { folders: [] };
  const { node, isPlain } = found;
  const { file, children, folders, hasDocument: document } = node;
  const after = nodeMarks(files, path, isListed);
  const isSettled = before && before.marks === after?.marks && before.changed < settledBy;
  if (!isSettled || !isPlain() || isListed !== (children !== undefined)) return { folders };
  const isUsual = isDeepStrictEqual(folders, namesOf(children));
  return { line: [path, before.marks, { file, children, ...(!isUsual && { folders }), document }], folders };
}

/** Each node by itself, so that a problem with one is told from the others'. */
function nothingKnown() {
  return { problems: new ProblemList(), recent: new RecentTexts<never>(0) };
}
