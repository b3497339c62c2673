import type { LinkDescriptor } from '../../core/kind/kind-descriptor.ts';
import { branch, isCutOff, type ViewNode } from '../tree-model.ts';
import { type Block, type Edge, type Lane, type Level, levelOf } from './level.ts';
import {
  type Box,
  type DrawnLine,
  EMPTY_LAYOUT,
  hiddenBelow,
  isOpen,
  type Layout,
  type Placed,
  type Unfolding,
} from './tree-layout.ts';

/** Room in a box above its head and below its parts, in rows. */
const MARGIN = 0.3;
/** The row of a box's own node, from its top, and where its parts begin. */
const HEAD = MARGIN + 0.5;
const PARTS = MARGIN + 1.1;

/** In a level with more links, those that are no order decide nothing: each would have to be checked against all. */
const MOST_CHECKED = 500;

/** The ways to draw links, by type. */
export type LinkDescriptors = Readonly<Record<string, LinkDescriptor>>;

interface Link {
  readonly type: string;
  readonly from: ViewNode;
  readonly to: ViewNode;
}

/** A shown node whose children are shown, as a drawing of its own. */
interface Opened {
  readonly node: ViewNode;
  readonly level: Level;
  /** The lanes of the links that are drawn in this level. */
  readonly lanes: ReadonlyMap<Link, readonly Lane[]>;
  readonly holds: number;
}

/**
 * Places every visible node in layers from left to right: what waits comes after what it waits for. The parts of a node are
 * in a box with it; the root heads the whole.
 * @param root the top of what is drawn: of the whole, or of a branch
 */
export function layersLayoutOf(root: ViewNode | undefined, unfolding: Unfolding, descriptors: LinkDescriptors): Layout {
  if (!root) return EMPTY_LAYOUT;
  const shown = shownNodes(root, unfolding);
  const links = linksOf(root, shown);
  const opened = openedOf(root, shown, linksByLevel(links, descriptors), unfolding);
  return assembled(root, shown, links, opened);
}

/** Parents before their children, in order. */
function shownNodes(root: ViewNode, unfolding: Unfolding): ReadonlyMap<string, ViewNode> {
  const shown = new Map([[root.path, root]]);
  for (const node of shown.values())
    if (isOpen(node, unfolding)) for (const child of node.children) shown.set(child.path, child);
  return shown;
}

/** Returns the links between what is shown; those of hidden nodes begin or end at the box that hides them. */
function linksOf(root: ViewNode, shown: ReadonlyMap<string, ViewNode>): Link[] {
  const links = new Map<string, Link>();
  for (const owner of branch(root)) {
    for (const { type, path } of owner.data.links ?? []) {
      const [from, to] = [shownAt(shown, path), shownAt(shown, owner.path)];
      if (!from || !to || isWithin(from.path, to.path) || isWithin(to.path, from.path)) continue;
      links.set(`${type}\n${from.path}\n${to.path}`, { type, from, to });
    }
  }
  return [...links.values()];
}

/** Returns the node of a path, or what hides it; undefined if it is gone. */
function shownAt(shown: ReadonlyMap<string, ViewNode>, path: string): ViewNode | undefined {
  let at = path;
  while (at !== '' && !shown.has(at)) at = at.slice(0, Math.max(0, at.lastIndexOf('/')));
  return at === '' ? undefined : shown.get(at);
}

function isWithin(path: string, above: string): boolean {
  return path === above || path.startsWith(`${above}/`);
}

/** A link with the parts of a level that its ends are in. */
interface LevelLink {
  readonly link: Link;
  readonly from: ViewNode;
  readonly to: ViewNode;
}
/** Links by the path of the node in whose level they are. */
type Levels = ReadonlyMap<string, readonly LevelLink[]>;

/** Returns those that are an order first; of the others, those that do not lead in a circle with them. */
function linksByLevel(links: readonly Link[], descriptors: LinkDescriptors): Levels {
  const levels = new Map<string, LevelLink[]>();
  const isOrder = ({ type }: Link): boolean => Object.hasOwn(descriptors, type) && descriptors[type]?.isOrder === true;
  for (const link of [...links.filter(isOrder), ...links.filter((each) => !isOrder(each))]) {
    const [from, to] = siblingsAbove(link);
    const at = from.parent?.path ?? '';
    const list = levels.get(at) ?? [];
    if (isOrder(link) || (list.length < MOST_CHECKED && !leadsTo(list, to, from))) list.push({ link, from, to });
    levels.set(at, list);
  }
  return levels;
}

/** Tells whether links lead from one part of a level to another one. */
function leadsTo(links: readonly LevelLink[], start: ViewNode, end: ViewNode): boolean {
  const seen = new Set([start]);
  for (const at of seen) for (const { from, to } of links) if (from === at) seen.add(to);
  return seen.has(end);
}

/** Returns the nodes of one level in which the ends of a link are. */
function siblingsAbove({ from, to }: Link): [ViewNode, ViewNode] {
  let [a, b] = [from, to];
  while (a.depth > b.depth && a.parent) a = a.parent;
  while (b.depth > a.depth && b.parent) b = b.parent;
  while (a.parent !== b.parent && a.parent && b.parent) [a, b] = [a.parent, b.parent];
  return [a, b];
}

/** Draws each opened node's parts, the innermost first. */
function openedOf(
  root: ViewNode,
  shown: ReadonlyMap<string, ViewNode>,
  levels: Levels,
  unfolding: Unfolding,
): ReadonlyMap<string, Opened> {
  const opened = new Map<string, Opened>();
  for (const node of [...shown.values()].reverse())
    if (
      node.children.length > 0 &&
      (node === root || isOpen(node, unfolding)) &&
      shown.has(node.children[0]?.path ?? '')
    )
      opened.set(node.path, openedFrom(node, opened, levels.get(node.path) ?? []));
  return opened;
}

function openedFrom(node: ViewNode, opened: ReadonlyMap<string, Opened>, inside: readonly LevelLink[]): Opened {
  const { children } = node;
  const numbers = new Map(children.map((child, at) => [child, at]));
  const known = new Map<string, number>();
  const edges: Edge[] = [];
  const edgeOf = inside.map(({ from, to }) => {
    const edge: Edge = [numbers.get(from) ?? 0, numbers.get(to) ?? 0];
    const at = known.get(edge.join(' ')) ?? edges.length;
    if (at === edges.length) edges.push(edge);
    known.set(edge.join(' '), at);
    return at;
  });
  const level = levelOf(
    children.map((child) => blockOf(child, opened.get(child.path))),
    edges,
  );
  const lanes = new Map(inside.map(({ link }, i) => [link, level.lanes[edgeOf[i] ?? 0] ?? []]));
  const holds = Math.max(0, ...children.map(({ path }) => (opened.get(path)?.holds ?? -1) + 1));
  return { node, level, lanes, holds };
}

function blockOf({ data }: ViewNode, opened: Opened | undefined): Block {
  const isEnd = data.role === 'end';
  if (!opened) return { wide: 1, high: 1, attach: 0.5, isEnd };
  return { wide: opened.level.wide, high: PARTS + opened.level.high + MARGIN, attach: HEAD, isEnd };
}

/** Puts the levels into each other. */
function assembled(
  root: ViewNode,
  shown: ReadonlyMap<string, ViewNode>,
  links: readonly Link[],
  opened: ReadonlyMap<string, Opened>,
): Layout {
  const origins = new Map([[root.path, { column: 0, top: 0 }]]);
  const placed: Placed[] = [];
  const byPath = new Map<string, Placed>();
  const boxes: Box[] = [];
  const lanes = new Map<Link, readonly Lane[]>();
  for (const node of shown.values()) {
    const { column, top } = origins.get(node.path) as { column: number; top: number };
    const inner = opened.get(node.path);
    const one = placedAt(node, column, top + (inner ? HEAD : 0.5), inner !== undefined);
    placed.push(one);
    byPath.set(node.path, one);
    if (!inner) continue;
    const start = top + PARTS;
    for (const [i, child] of node.children.entries()) {
      const at = inner.level.places[i] ?? { column: 0, top: 0 };
      origins.set(child.path, { column: column + at.column, top: start + at.top });
    }
    const moved = (lane: Lane): Lane => ({ from: lane.from + column, to: lane.to + column, row: lane.row + start });
    for (const [link, own] of inner.lanes) lanes.set(link, own.map(moved));
    const bottom = start + inner.level.high + MARGIN;
    if (node !== root)
      boxes.push({ placed: one, from: column, to: column + inner.level.wide - 1, top, bottom, holds: inner.holds });
  }
  const boxOf = new Map(boxes.map((box) => [box.placed, box]));
  const lines = links.map((link): DrawnLine => {
    const [from, to] = [byPath.get(link.from.path) as Placed, byPath.get(link.to.path) as Placed];
    const [fromBox, toBox] = [boxOf.get(from), boxOf.get(to)];
    return { type: link.type, from, to, fromBox, toBox, lanes: lanes.get(link) ?? [] };
  });
  return {
    ...EMPTY_LAYOUT,
    ...inColumns(placed),
    placed,
    byPath,
    boxes,
    lines,
    isLayered: true,
    ...spanOf(placed, boxes),
  };
}

function placedAt(node: ViewNode, column: number, row: number, hasShownChildren: boolean): Placed {
  const hidden = hasShownChildren ? { hidden: 0, hiddenIn: {} } : hiddenBelow(node);
  return { node, column, row, firstChild: row, lastChild: row, ...hidden, hasShownChildren, isCutOff: isCutOff(node) };
}

function inColumns(placed: readonly Placed[]): Pick<Layout, 'columns' | 'parents'> {
  const columns: Placed[][] = [];
  for (const each of placed) {
    columns[each.column] ??= [];
    columns[each.column]?.push(each);
  }
  const all = [...columns].map((column) => (column ?? []).sort((a, b) => a.row - b.row));
  return { columns: all, parents: all.map(() => []) };
}

function spanOf(placed: readonly Placed[], boxes: readonly Box[]): Pick<Layout, 'top' | 'bottom'> {
  let [top, bottom] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { row } of placed) [top, bottom] = [Math.min(top, row), Math.max(bottom, row)];
  for (const box of boxes) bottom = Math.max(bottom, box.bottom - 0.5);
  return { top, bottom };
}

/** The nodes for which a node waits, and those that wait for it, through any number of links; by their paths. */
export interface Related {
  readonly before: ReadonlySet<string>;
  readonly after: ReadonlySet<string>;
}

/** Everything that a shown node waits for or that waits for it; undefined in a tree, and for its root. */
export function relatedTo(
  path: string | null,
  { lines, isLayered }: Layout,
  descriptors: LinkDescriptors,
): Related | undefined {
  if (!isLayered || path === null || path === '') return undefined;
  const [before, after] = [new Map<string, string[]>(), new Map<string, string[]>()];
  const note = (map: Map<string, string[]>, from: string, to: string): void => {
    map.set(from, [...(map.get(from) ?? []), to]);
  };
  for (const { type, from, to } of lines) {
    if (!(Object.hasOwn(descriptors, type) && descriptors[type]?.isOrder)) continue;
    note(before, to.node.path, from.node.path);
    note(after, from.node.path, to.node.path);
  }
  return { before: reached(path, before), after: reached(path, after) };
}

/** A part waits with its whole, and what waits for the whole waits for its parts. */
function reached(start: string, links: ReadonlyMap<string, readonly string[]>): Set<string> {
  const found = new Set<string>();
  const open = [start];
  for (let path = open.pop(); path !== undefined; path = open.pop())
    for (let at = path; at !== ''; at = at.slice(0, Math.max(0, at.lastIndexOf('/'))))
      for (const next of links.get(at) ?? []) {
        if (found.has(next)) continue;
        found.add(next);
        open.push(next);
      }
  found.delete(start);
  return found;
}
