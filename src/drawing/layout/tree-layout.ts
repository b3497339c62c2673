import { type HierarchyNode, hierarchy, tree } from 'd3-hierarchy';
import type { NodeStatus } from '../../core/tree/node-file.ts';
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
  /** What is above each column, where columns are the rounds in which nodes came about; else none. */
  readonly heads: readonly Head[];
  readonly top: number;
  readonly bottom: number;
}

/** The rounds of the nodes in a column; more than one where a node could not be in the column of its own. */
export interface Head {
  readonly first: number;
  readonly last: number;
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
  heads: [],
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

/**
 * Places every visible node: depth to the right, siblings below each other, parents level with the middle of theirs; or
 * with the first of them, so that a reader who begins at the top begins with the root. Where nodes come about in rounds,
 * there is a column for each round instead of each depth.
 */
export function layoutOf(root: ViewNode | undefined, unfolding: Unfolding, from: 'middle' | 'top' = 'middle'): Layout {
  if (!root) return EMPTY_LAYOUT;
  const shown = hierarchy<ViewNode>(root, (node) => (isOpen(node, unfolding) ? node.children : undefined));
  const columnOf = columnsByRound(shown);
  const points = (columnOf || from === 'top' ? inRows(shown, from) : aroundTheMiddle(shown)).descendants();
  const cut = new Set<ViewNode>(); // parents come before their children
  const layout: Placed[] = points.map(({ x, depth, data, children }) => ({
    node: data,
    column: columnOf?.get(data) ?? depth,
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
  for (let i = 0; i < columns.length; i++) columns[i] = (columns[i] ?? []).sort((a, b) => a.row - b.row);
  const byPath = new Map(layout.map((each) => [each.node.path, each]));
  const parents = columns.map((column) => column.filter(({ hasShownChildren }) => hasShownChildren));
  const merged = layout.filter(({ node }) => node.data.sameAs !== undefined && byPath.has(node.data.sameAs));
  const heads = columnOf ? columns.map(headOf) : [];
  return { ...EMPTY_LAYOUT, placed: layout, byPath, columns, parents, merged, heads, top, bottom };
}

type Point = HierarchyNode<ViewNode> & { x: number };

function aroundTheMiddle(shown: HierarchyNode<ViewNode>): HierarchyNode<ViewNode> & { descendants(): Point[] } {
  const separation = (a: HierarchyNode<ViewNode>, b: HierarchyNode<ViewNode>): number =>
    a.parent === b.parent ? 1 : 1.3;
  return tree<ViewNode>().nodeSize([1, 1]).separation(separation)(shown);
}

/** Each end of a branch has a row of its own. */
function inRows(shown: HierarchyNode<ViewNode>, from: 'middle' | 'top'): { descendants(): Point[] } {
  let next = 0;
  (shown as Point).eachAfter((node) => {
    const children = (node.children ?? []) as Point[];
    const [first = 0, last = first] = [children[0]?.x, children.at(-1)?.x];
    (node as Point).x = children.length === 0 ? next++ : from === 'top' ? first : (first + last) / 2;
  });
  return shown as { descendants(): Point[] };
}

/**
 * Returns the columns of nodes that came about in rounds: in the order of the rounds, and right of what they follow
 * from.
 */
function columnsByRound(shown: HierarchyNode<ViewNode>): ReadonlyMap<ViewNode, number> | undefined {
  const all = shown.descendants();
  const rounds = [...new Set(all.flatMap(({ data }) => roundOf(data) ?? []))].sort((a, b) => a - b);
  if (rounds.length === 0) return undefined;
  const places = new Map(rounds.map((round, i) => [round, i + 1]));
  const columns = new Map<ViewNode, number>();
  for (const { data, parent } of all) {
    const least = parent ? (columns.get(parent.data) ?? 0) + 1 : 0;
    columns.set(data, Math.max(least, places.get(roundOf(data) ?? Number.NaN) ?? 0));
  }
  return columns;
}

/** Returns the round in which a node came about. */
export function roundOf({ data }: ViewNode): number | undefined {
  return data.marks?.find(({ round }) => round !== undefined)?.round;
}

/** Returns the rounds of a column, as in "2" or "2–3". */
export function roundsText({ first, last }: Head): string {
  return first === last ? String(first) : `${first}–${last}`;
}

function headOf(column: readonly Placed[]): Head {
  const rounds = column.flatMap(({ node }) => roundOf(node) ?? []).sort((a, b) => a - b);
  return { first: rounds[0] ?? 0, last: rounds.at(-1) ?? 0 };
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

/** Returns the first of a column's nodes at or below a row; the column's length if there is none. */
export function firstFrom(column: readonly Placed[], row: number): number {
  let [low, high] = [0, column.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((column[middle] as Placed).row < row) low = middle + 1;
    else high = middle;
  }
  return low;
}
