import { type Camera, nodeHeight, ROW, rowY } from './geometry.ts';
import type { LinkFaces } from './layout/layer-layout.ts';
import type { Related } from './layout/related.ts';
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
  readonly faces: LinkFaces | undefined;
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

/** The nodes of a column in a region, in the order of their rows. */
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

/** The parents in a column whose edges are in a region; their ranges are consecutive. */
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

/** The first index of a list from which on a condition holds (binary search). */
function firstWhere(list: readonly Placed[], holds: (placed: Placed) => boolean, from = 0): number {
  let [low, high] = [from, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(list[middle] as Placed)) high = middle;
    else low = middle + 1;
  }
  return low;
}
