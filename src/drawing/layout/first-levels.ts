import type { TreeModel, ViewNode } from '../tree-model.ts';
import { type LinkDescriptors, layersLayoutOf } from './layer-layout.ts';
import type { Unfolding } from './tree-layout.ts';

const ALL: Unfolding = { levels: Number.MAX_SAFE_INTEGER, opened: new Set(), closed: new Set() };

/** The number of additional rows between nodes of different parents. */
const BETWEEN = 0.3;

/**
 * Chooses what is shown of a tree in which nobody has opened or closed anything: as many levels as there are rows for,
 * at least the first, then the best path, then the best branches of the next level that there is still room for.
 * @param best paths from the first level down
 * @param rows those that can be read at once
 */
export function firstLevels(tree: TreeModel, best: ReadonlySet<string>, rows: number): Unfolding {
  const levels = countLevels(tree.nodes(), best);
  let shown = levels.length - 1;
  while (shown > 1 && rowsOf(levels, shown) > rows) shown--;
  if (shown >= levels.length - 1) return ALL;
  const opened = new Set(best);
  let free = rows - rowsOf(levels, shown);
  for (const node of parentsAt(tree.nodes(), shown).sort(byScore)) {
    const needed = rowsBelow(node);
    if (best.has(node.path) || node.data.status === 'pruned' || needed > free) continue;
    opened.add(node.path);
    free -= needed;
  }
  return { ...ALL, levels: shown, opened };
}

/** One level of a tree. */
interface Level {
  nodes: number;
  /** Those with children. */
  parents: number;
  /** The rows that the children of the best path's node in this level need in addition. */
  best: number;
}

function countLevels(nodes: Iterable<ViewNode>, best: ReadonlySet<string>): Level[] {
  const levels: Level[] = [];
  for (const node of nodes) {
    const level = levels[node.depth] ?? { nodes: 0, parents: 0, best: 0 };
    levels[node.depth] = level;
    level.nodes++;
    if (node.children.length === 0) continue;
    level.parents++;
    if (best.has(node.path)) level.best += rowsBelow(node);
  }
  return levels;
}

function parentsAt(nodes: Iterable<ViewNode>, wanted: number): ViewNode[] {
  const parents: ViewNode[] = [];
  for (const node of nodes) if (node.depth === wanted && node.children.length > 0) parents.push(node);
  return parents;
}

/** Counts the rows that are needed in addition if a node is opened. */
function rowsBelow({ children }: ViewNode): number {
  return children.length - 1 + 2 * BETWEEN;
}

/** Returns the height of a tree that is shown down to a level, with the best path. */
function rowsOf(levels: readonly Level[], shown: number): number {
  let rows = levels[shown]?.nodes ?? 0;
  for (const [depth, { nodes, parents, best }] of levels.entries()) rows += depth < shown ? nodes - parents : best;
  return rows + BETWEEN * Math.max(0, (levels[shown - 1]?.parents ?? 0) - 1);
}

/** The best first, whatever order they came in. */
function byScore(a: ViewNode, b: ViewNode): number {
  return (b.data.score ?? 0) - (a.data.score ?? 0) || (a.path < b.path ? -1 : 1);
}

/** Above this number of nodes, layers are not laid out only to see if they fit. */
const MOST_TRIED = 400;
/** Nodes that a person can survey. */
const SURVEYED = 100;

/** Chooses what is shown of a drawing in layers, whose height only a layout tells. */
export function firstLayers(tree: TreeModel, descriptors: LinkDescriptors, rows: number): Unfolding {
  const counts: number[] = [];
  for (const { depth } of tree.nodes()) counts[depth] = (counts[depth] ?? 0) + 1;
  const fits = (levels: number): boolean => {
    const shown = counts.slice(0, levels + 1).reduce((sum, each) => sum + (each ?? 0), 0);
    if (shown > MOST_TRIED) return false;
    const { top, bottom } = layersLayoutOf(tree.root, { ...ALL, levels }, descriptors);
    return bottom - top <= rows || shown <= SURVEYED;
  };
  let levels = counts.length - 1;
  while (levels > 1 && !fits(levels)) levels--;
  return levels >= counts.length - 1 ? ALL : { ...ALL, levels };
}
