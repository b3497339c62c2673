import type { NodeStatus } from '../core/tree/node-status.ts';
import { ROW } from './geometry.ts';
import type { Placed } from './layout/tree-layout.ts';

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
