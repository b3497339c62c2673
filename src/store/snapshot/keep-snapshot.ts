import { isDeepStrictEqual } from 'node:util';
import { Breather } from '../../core/concurrency.ts';
import type { Folds } from '../../core/search/record/search-record.ts';
import { type NodeData, nodeDataOf } from '../../core/tree/node-file.ts';
import { joinedPath } from '../../core/tree/slug.ts';
import { nodeAt } from '../../core/tree/tree.ts';
import { patchBetween } from '../../core/tree/tree-node.ts';
import type { Commit, Files, ReadFiles } from '../files/files.ts';
import { JOURNAL } from '../journal/journal-reader.ts';
import { journalDigest } from '../journal/journal-seal.ts';
import { ProblemList, RecentTexts } from '../json/json-file.ts';
import { readNodeFolder, readRootFolder } from '../read-node.ts';
import { canBeKept, checkpointLines, foldJournal } from './checkpoint.ts';
import { type SealKey, sealed } from './sealed-file.ts';
import {
  type Checkpoint,
  foldersOf,
  namesOf,
  nodeMarks,
  readSnapshot,
  SNAPSHOT,
  SNAPSHOT_VERSION,
  Snapshot,
  type SnapshotFile,
  type SnapshotFoot,
  type SnapshotLine,
} from './snapshot.ts';

/** The least age of a file's last change, in milliseconds: the clocks of file systems move in steps. */
const SETTLED_MS = 2000;

export interface Keeping extends Commit {
  /** Seals it. */
  readonly key: SealKey;
  /** The folds to keep of the journal, new, as if nothing had happened; by default nothing. */
  readonly folds?: (() => Folds) | undefined;
  /** The least age of the last change in it, in milliseconds. */
  readonly settledMs?: number;
}

/** Writes a snapshot of the files as they are now, unless this system cannot tell states of files apart. */
export async function keepSnapshot(
  files: Files,
  { key, folds, settledMs = SETTLED_MS, beforeCommit }: Keeping,
): Promise<void> {
  const now = await files.now();
  if (now === undefined) return;
  const before = await readSnapshot(files, key, true);
  const kept = folds && (await checkpointOf(files, before, folds));
  const lines = snapshotLines(files, before, now - settledMs, kept);
  await files.writeAtomic(SNAPSHOT, sealed(lines, key), { beforeCommit });
}

/** All lines of a snapshot, each when it is needed: together they take more memory than the tree. */
async function* snapshotLines(
  files: Files,
  before: SnapshotFile | undefined,
  settledBy: number,
  kept: Kept | undefined,
): AsyncGenerator<string> {
  const same = new Map<NodeData, number>();
  let number = 0;
  for await (const line of nodeLines(files, new Snapshot(files, before), settledBy)) {
    yield JSON.stringify(line);
    const [path, , { file }] = line;
    const told = kept?.folds.told && nodeAt(kept.folds.told.tree, path)?.file;
    if (told && !patchBetween(told, nodeDataOf(file))) same.set(told, number);
    number++;
  }
  if (kept) yield* checkpointLines(kept.folds, same);
  const foot: SnapshotFoot = { version: SNAPSHOT_VERSION, ...(kept && { checkpoint: kept.checkpoint }) };
  yield JSON.stringify(foot);
}

interface Kept {
  readonly checkpoint: Checkpoint;
  readonly folds: Folds;
}

/** Undefined if the journal changes meanwhile, or if something in it is to be told on each opening. */
async function checkpointOf(
  files: Files,
  before: SnapshotFile | undefined,
  make: () => Folds,
): Promise<Kept | undefined> {
  const size = (await files.stat(JOURNAL))?.size ?? 0;
  const digest = await journalDigest(files, size);
  const { folds, position, problems } = await foldJournal(files, before, make);
  const isSame = position.offset === size && (await journalDigest(files, size)) === digest;
  if (!isSame || digest === undefined || problems.length > 0 || !canBeKept(folds)) return undefined;
  return { checkpoint: { ...position, digest }, folds };
}

/** Deeper nodes are read from their files each time; a chain of folders must not make a snapshot long. */
const DEEPEST = 64;

/**
 * The lines of the nodes as they are on disk, level by level, as they are asked for later. A node that is being changed is
 * left out: its files are read between two looks at their states, and what was changed shortly before could be changed
 * again without a trace.
 * @param before an earlier snapshot, whose unchanged nodes need not be read again
 * @param settledBy when the files in it were changed at the latest, by the file system's clock
 */
async function* nodeLines(files: ReadFiles, before: Snapshot, settledBy: number): AsyncGenerator<SnapshotLine> {
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

/** Returns the line of a node as it is now, if that can be told, and the folders below it. */
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
