import { type Camera, nodeHeight, ROW, rowY } from '../state/geometry.ts';
import { firstFrom, type Layout, type Placed } from '../state/tree-layout.ts';
import type { Palette } from './palette.ts';

/** Everything that a picture is made of. */
export interface Scene {
  readonly layout: Layout;
  readonly camera: Camera;
  readonly palette: Palette;
  /** Where a node is now: rows move while the tree grows. */
  readonly rowOf: (placed: Placed) => number;
  /** Whether rows are on their way to their place. */
  readonly isGrowing: boolean;
  /** From 0 to 1: what is new comes up. */
  readonly presence: (placed: Placed) => number;
  readonly selected: string | null;
  readonly hovered: string | null;
  readonly best: ReadonlySet<string>;
  /** Place in line of open leaves, from 1. */
  readonly ranks: ReadonlyMap<string, number>;
  /** What a person looks for; undefined where it is nothing. */
  readonly found: ReadonlySet<string> | undefined;
  /** Nodes that are worked on, or hide one that is. */
  readonly running: ReadonlySet<string>;
}

/** A rectangle of the window, in pixels. */
export interface Region {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** The nodes of a column, in the order of their rows, that a region shows. */
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

/** The parents of a column whose children a region shows, or passes by; their ranges follow each other. */
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

/** The first of a list of which what is asked holds from some place on. */
function firstWhere(list: readonly Placed[], holds: (placed: Placed) => boolean, from = 0): number {
  let [low, high] = [from, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(list[middle] as Placed)) high = middle;
    else low = middle + 1;
  }
  return low;
}
