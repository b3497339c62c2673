import { hierarchy, tree } from 'd3-hierarchy';
import type { NodeStatus } from '../../core/tree/node-status.ts';
import type { ViewNode } from '../tree-model.ts';
import type { Lane } from './level.ts';

/** Which part of the tree is shown: everything down to a level, except for what a person opened or closed. */
export interface Unfolding {
  /** Nodes of this depth and deeper are closed unless opened. */
  readonly levels: number;
  readonly opened: ReadonlySet<string>;
  readonly closed: ReadonlySet<string>;
}

/** One node's place: `column` is its depth, `row` counts in rows from the top, with fractions. */
export interface Placed {
  readonly node: ViewNode;
  readonly column: number;
  readonly row: number;
  /** Rows of its first and last visible child; its own if there is none. */
  readonly firstChild: number;
  readonly lastChild: number;
  /** Number of hidden nodes below it, and their numbers by status. */
  readonly hidden: number;
  readonly hiddenIn: Partial<Record<NodeStatus, number>>;
  readonly hasShownChildren: boolean;
  /** True if it is pruned, or in a pruned branch. */
  readonly isCutOff: boolean;
}

/** The place of everything. */
export interface Layout {
  readonly placed: readonly Placed[];
  readonly byPath: ReadonlyMap<string, Placed>;
  /** The nodes of each column, from the top. */
  readonly columns: readonly (readonly Placed[])[];
  /** Those of each column whose children are shown, from the top. */
  readonly parents: readonly (readonly Placed[])[];
  /** Nodes merged into a node that is also shown. */
  readonly merged: readonly Placed[];
  /** The boxes around parts, outer ones first, and the lines of links; none in a tree. */
  readonly boxes: readonly Box[];
  readonly lines: readonly DrawnLine[];
  /** True if it is in layers instead of levels. */
  readonly isLayered: boolean;
  readonly top: number;
  readonly bottom: number;
}

/** Around a node and its parts, in columns and rows, with the borders in them. */
export interface Box {
  readonly placed: Placed;
  readonly from: number;
  readonly to: number;
  readonly top: number;
  readonly bottom: number;
  /** The depth of boxes within it. */
  readonly holds: number;
}

/** A link between two shown nodes, or what is shown of them. */
export interface DrawnLine {
  readonly type: string;
  /** The node that it leads to: what comes first. */
  readonly from: Placed;
  /** The node that has it. */
  readonly to: Placed;
  /** The boxes of its ends, where their parts are shown. */
  readonly fromBox: Box | undefined;
  readonly toBox: Box | undefined;
  /** Where it passes other layers, from left to right. */
  readonly lanes: readonly Lane[];
}

export const EMPTY_LAYOUT: Layout = {
  placed: [],
  byPath: new Map(),
  columns: [],
  parents: [],
  merged: [],
  boxes: [],
  lines: [],
  isLayered: false,
  top: 0,
  bottom: 0,
};

/** Tells whether a node's children are shown. */
export function isOpen({ path, depth }: ViewNode, { levels, opened, closed }: Unfolding): boolean {
  return depth < levels ? !closed.has(path) : opened.has(path);
}

/** Tells whether both show the same of any tree. */
export function isSame(a: Unfolding, b: Unfolding): boolean {
  const isSameSet = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
    one === other || (one.size === other.size && [...one].every((each) => other.has(each)));
  return a.levels === b.levels && isSameSet(a.opened, b.opened) && isSameSet(a.closed, b.closed);
}

/** Places every visible node: depth to the right, siblings below each other, parents level with the middle of theirs. */
export function layoutOf(root: ViewNode | undefined, unfolding: Unfolding): Layout {
  if (!root) return EMPTY_LAYOUT;
  const shown = hierarchy<ViewNode>(root, (node) => (isOpen(node, unfolding) ? node.children : undefined));
  const points = tree<ViewNode>()
    .nodeSize([1, 1])
    .separation((a, b) => (a.parent === b.parent ? 1 : 1.3))(shown)
    .descendants();
  const cut = new Set<ViewNode>(); // parents come before their children
  const layout: Placed[] = points.map(({ x, depth, data, children }) => ({
    node: data,
    column: depth,
    row: x,
    firstChild: children?.[0]?.x ?? x,
    lastChild: children?.at(-1)?.x ?? x,
    ...(children ? NOTHING_HIDDEN : hiddenBelow(data)),
    hasShownChildren: children !== undefined,
    isCutOff: isCutBelow(data, cut),
  }));
  const columns: Placed[][] = [];
  let [top, bottom] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const each of layout) {
    const column = columns[each.column] ?? [];
    columns[each.column] = column;
    column.push(each);
    top = Math.min(top, each.row);
    bottom = Math.max(bottom, each.row);
  }
  const byPath = new Map(layout.map((each) => [each.node.path, each]));
  const parents = columns.map((column) => column.filter(({ hasShownChildren }) => hasShownChildren));
  const merged = layout.filter(({ node }) => node.data.sameAs !== undefined && byPath.has(node.data.sameAs));
  return { placed: layout, byPath, columns, parents, merged, boxes: [], lines: [], isLayered: false, top, bottom };
}

/** Tells whether a node is pruned, or its parent is in what is cut; then it is, too. */
function isCutBelow(node: ViewNode, cut: Set<ViewNode>): boolean {
  const isCut = node.data.status === 'pruned' || (node.parent !== undefined && cut.has(node.parent));
  if (isCut) cut.add(node);
  return isCut;
}

const NOTHING_HIDDEN = { hidden: 0, hiddenIn: {} };

/** Counts what is hidden below a node whose children are not shown. */
export function hiddenBelow(node: ViewNode): Pick<Placed, 'hidden' | 'hiddenIn'> {
  if (node.children.length === 0) return NOTHING_HIDDEN;
  let hidden = 0;
  const hiddenIn: Partial<Record<NodeStatus, number>> = {};
  const stack = [...node.children];
  for (let at = stack.pop(); at; at = stack.pop()) {
    hidden++;
    hiddenIn[at.data.status] = (hiddenIn[at.data.status] ?? 0) + 1;
    for (const child of at.children) stack.push(child);
  }
  return { hidden, hiddenIn };
}

/** The first of a column's nodes at or below a row; the column's length if there is none. */
export function firstFrom(column: readonly Placed[], row: number): number {
  let [low, high] = [0, column.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((column[middle] as Placed).row < row) low = middle + 1;
    else high = middle;
  }
  return low;
}
