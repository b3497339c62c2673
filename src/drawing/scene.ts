import type { NodeStatus } from '../core/tree/node-file.ts';
import { type Camera, nodeHeight, ROW, rowY } from './geometry.ts';
import type { LinkDescriptors, Related } from './layout/layer-layout.ts';
import { firstFrom, type Layout, type Placed } from './layout/tree-layout.ts';
import type { Palette } from './palette.ts';

/** Everything that a picture is made from. */
export interface Scene {
  readonly layout: Layout;
  readonly camera: Camera;
  readonly palette: Palette;
  /** Where a node currently is: rows move while the tree grows. */
  readonly rowOf: (placed: Placed) => number;
  /** True if rows are still moving into place. */
  readonly isGrowing: boolean;
  /** From 0 to 1: how far new nodes have appeared. */
  readonly presence: (placed: Placed) => number;
  readonly selected: string | null;
  readonly hovered: string | null;
  readonly best: ReadonlySet<string>;
  /** Place in line of open leaves, from 1. */
  readonly ranks: ReadonlyMap<string, number>;
  /** The filter's matches; undefined without a filter. */
  readonly found: ReadonlySet<string> | undefined;
  /** Nodes in progress, and nodes that hide one. */
  readonly running: ReadonlySet<string>;
  /** The ways to draw links, by type; undefined for a tree. */
  readonly descriptors: LinkDescriptors | undefined;
  /** The nodes that wait for the selected one, and those for which it waits. */
  readonly related: Related | undefined;
}

/** A rectangle of the window, in pixels. */
export interface Region {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Returns the nodes of a column in a region, in the order of their rows. */
export function placedIn(scene: Scene, column: readonly Placed[], { top, bottom }: Region): readonly Placed[] {
  const { camera, rowOf, isGrowing } = scene;
  const margin = nodeHeight(camera);
  if (isGrowing)
    return column.filter((placed) => {
      const y = rowY(camera, rowOf(placed));
      return y >= top - margin && y <= bottom + margin;
    });
  const rowAt = (y: number): number => (y - camera.y) / (ROW * camera.scale);
  return column.slice(firstFrom(column, rowAt(top - margin)), firstFrom(column, rowAt(bottom + margin)));
}

/** Returns the parents in a column whose edges are in a region; their ranges are consecutive. */
export function parentsIn(scene: Scene, parents: readonly Placed[], { top, bottom }: Region): readonly Placed[] {
  const { camera, isGrowing } = scene;
  if (isGrowing) return parents;
  const rowAt = (y: number): number => (y - camera.y) / (ROW * camera.scale);
  const [first, last] = [rowAt(top), rowAt(bottom)];
  const from = firstWhere(parents, ({ lastChild }) => lastChild >= first);
  return parents.slice(
    from,
    firstWhere(parents, ({ firstChild }) => firstChild > last, from),
  );
}

/** Returns the first index of a list from which on a condition holds (binary search). */
function firstWhere(list: readonly Placed[], holds: (placed: Placed) => boolean, from = 0): number {
  let [low, high] = [from, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(list[middle] as Placed)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Distance between lines of words, in pixels, where nodes are mere marks. */
const LABEL_HEIGHT = 13.6;

/** A column as seen from far away: at most one node for each line of the screen. */
interface FarColumn {
  readonly marks: readonly Placed[];
  /** The nodes that have room for words. */
  readonly labelled: ReadonlySet<Placed>;
}

/** Of nodes that share a line, the most informative one is shown. */
const WORTH: Readonly<Record<NodeStatus, number>> = {
  failed: 6,
  'in-progress': 5,
  expanded: 4,
  leaf: 3,
  unexpanded: 2,
  pruned: 1,
};

type Known = FarColumn & { readonly scale: number; readonly found: ReadonlySet<string> | undefined };
const known = new WeakMap<readonly Placed[], Known>();

/**
 * A column as seen from far away. It does not depend on the part that is drawn, so that a picture can be assembled from
 * parts; and it is computed once per scale, so that the cost of drawing depends on the screen's lines, not on the number
 * of nodes.
 * @param found the filter's matches, which take precedence
 */
export function farColumn(column: readonly Placed[], scale: number, found: ReadonlySet<string> | undefined): FarColumn {
  const before = known.get(column);
  if (before?.scale === scale && before.found === found) return before;
  const marks = thinned(column, 1 / (ROW * scale), found);
  const far = { marks, labelled: labelled(marks, ROW * scale, found), scale, found };
  known.set(column, far);
  return far;
}

/** @param rows the number of rows that share one line of the screen */
function thinned(column: readonly Placed[], rows: number, found: ReadonlySet<string> | undefined): readonly Placed[] {
  if (rows <= 1) return column;
  const tall = LABEL_HEIGHT * rows;
  const marks: Placed[] = [];
  let line = Number.NaN;
  let most = 0;
  for (const placed of column) {
    const at = Math.floor(placed.row / rows);
    const worth = worthOf(placed, tall, found);
    if (at === line && worth <= most) continue;
    if (at === line) marks.pop();
    marks.push(placed);
    [line, most] = [at, worth];
  }
  return marks;
}

function worthOf({ node, firstChild, lastChild }: Placed, tall: number, found: ReadonlySet<string> | undefined) {
  const isTall = lastChild - firstChild >= tall;
  return WORTH[node.data.status] + (isTall ? 10 : 0) + (found?.has(node.path) ? 100 : 0);
}

/** Labels branches that are tall enough to be distinguished, and leaves if single rows are. */
function labelled(marks: readonly Placed[], row: number, found: ReadonlySet<string> | undefined): Set<Placed> {
  const chosen = new Set<Placed>();
  let free = Number.NEGATIVE_INFINITY;
  for (const placed of marks) {
    const rows = placed.hasShownChildren ? placed.lastChild - placed.firstChild + 1 : 1;
    const y = placed.row * row;
    if (y < free || rows * row < LABEL_HEIGHT * 0.8 || (found && !found.has(placed.node.path))) continue;
    chosen.add(placed);
    free = y + LABEL_HEIGHT;
  }
  return chosen;
}
