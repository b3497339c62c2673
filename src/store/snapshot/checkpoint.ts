import * as z from 'zod';
import type { Fold, KeptFold } from '../../core/search/record/fold.ts';
import type { Folds } from '../../core/search/record/folds.ts';
import { type NodeData, nodeDataOf } from '../../core/tree/node-file.ts';
import { patchBetween } from '../../core/tree/node-patch.ts';
import { joinedPath } from '../../core/tree/slug-path.ts';
import type { ToldNode, TreeRecord } from '../../core/tree/tree-record.ts';
import type { SnapshotText } from './read-snapshot.ts';
import { pathInLine, type SnapshotLine } from './snapshot-lines.ts';

/** The name of the part that says what was removed from the tree; the tree itself has a line for each node. */
const TREE = 'tree';

/** A node according to the journal; its content is that of a line of a node, by number, where they are the same. */
type ToldLine = readonly [
  above: number,
  slug: string,
  file: NodeData | number | null,
  listed: 0 | 1,
  document: string | 0,
];

/** The lines of a checkpoint. */
export interface CheckpointLines {
  readonly parts: readonly (readonly [name: string, line: string])[];
  readonly told: readonly string[];
}

/**
 * Folds as they were when a snapshot was written; undefined if it lacks one of them.
 * @param make new ones, to which nothing has happened
 */
export function restoredFolds<F extends Folds>({ parts, nodes, told }: SnapshotText, make: () => F): F | undefined {
  const folds = make();
  const kept = keptIn(folds);
  if (!kept?.every(({ name }) => parts.has(name))) return undefined;
  const tree = folds.told && parts.get(TREE);
  if (folds.told && tree === undefined) return undefined;
  try {
    for (const fold of kept) fold.restore(JSON.parse(parts.get(fold.name) as string));
  } catch (error) {
    if (error instanceof z.ZodError) return undefined;
    throw error;
  }
  if (folds.told && tree !== undefined) {
    const { cutOff, removed } = JSON.parse(tree);
    folds.told.restore({ nodes: told.map((line) => toldNode(line, nodes)), cutOff, removed });
  }
  return folds;
}

/** @param nodes the lines of nodes in the same snapshot */
export function checkpointLines(folds: Folds, nodes: readonly string[]): CheckpointLines | undefined {
  const kept = keptIn(folds);
  if (!kept) return undefined;
  const parts = kept.map(({ name, state }) => [name, JSON.stringify(state)] as const);
  if (!folds.told) return { parts, told: [] };
  const { nodes: told, ...rest } = folds.told.state;
  return { parts: [...parts, [TREE, JSON.stringify(rest)]], told: toldLines(told, nodes) };
}

/** Undefined if one of them cannot be kept. */
function keptIn({ record }: Folds): readonly KeptFold[] | undefined {
  return record.parts.every(isKept) ? [record, ...record.parts] : undefined;
}

function isKept(fold: Fold): fold is KeptFold {
  return 'restore' in fold;
}

function toldLines(told: ReturnType<() => TreeRecord['state']>['nodes'], nodes: readonly string[]): string[] {
  const numbers = new Map(nodes.map((line, number) => [pathInLine(line), number]));
  const paths: string[] = [];
  return told.map(({ above, slug, file, listed, document }) => {
    const path = above < 0 ? '' : joinedPath(paths[above] as string, slug);
    paths.push(path);
    const number = numbers.get(path);
    const isSame = file && number !== undefined && !patchBetween(file, fileIn(nodes[number] as string));
    const line: ToldLine = [above, slug, isSame ? number : (file ?? null), listed ? 1 : 0, document ?? 0];
    return JSON.stringify(line);
  });
}

function toldNode(text: string, nodes: readonly string[]): ToldNode {
  const [above, slug, said, listed, document] = JSON.parse(text) as ToldLine;
  const file = typeof said === 'number' ? fileIn(nodes[said] as string) : (said ?? undefined);
  return { above, slug, file, listed: listed === 1, document: document === 0 ? undefined : document };
}

function fileIn(line: string): NodeData {
  const [, , { file }] = JSON.parse(line) as SnapshotLine;
  return nodeDataOf(file);
}
