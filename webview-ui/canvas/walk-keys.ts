import { labelOf } from '../../src/drawing/labels.ts';
import type { Layout, Placed } from '../../src/drawing/layout/tree-layout.ts';
import { firstFrom } from '../../src/drawing/layout/tree-layout.ts';

/** Returns where an arrow, Home or End leads from a node in the drawing; undefined if nowhere. */
export function nextBy(key: string, from: Placed, layout: Layout): Placed | undefined {
  const { byPath, columns, placed, isLayered } = layout;
  if (isLayered && (key === 'ArrowLeft' || key === 'ArrowRight')) return alongLines(from, layout, key === 'ArrowRight');
  switch (key) {
    case 'ArrowLeft':
      return from.node.parent && byPath.get(from.node.parent.path);
    case 'ArrowRight':
      return from.hasShownChildren ? middleChild(from, byPath) : undefined;
    case 'ArrowUp':
      return sibling(from, columns[from.column] ?? [], -1);
    case 'ArrowDown':
      return sibling(from, columns[from.column] ?? [], 1);
    case 'Home':
      return placed[0];
    case 'End':
      return isLayered ? columns.at(-1)?.at(-1) : lastShown(placed[0], byPath);
    default:
      return undefined;
  }
}

/** Along a line, to the nearest of its ends; without one, to the nearest node in that direction. */
function alongLines(from: Placed, { lines, columns }: Layout, isOn: boolean): Placed | undefined {
  const linked = lines.flatMap((line) => {
    if (isOn) return line.from === from ? [line.to] : [];
    return line.to === from ? [line.from] : [];
  });
  if (linked.length > 0) return nearest(linked, from);
  const step = isOn ? 1 : -1;
  for (let at = from.column + step; at >= 0 && at < columns.length; at += step) {
    const found = nearest(columns[at] ?? [], from);
    if (found) return found;
  }
  return undefined;
}

function nearest(list: readonly Placed[], { row }: Placed): Placed | undefined {
  let best: Placed | undefined;
  for (const each of list) if (!best || Math.abs(each.row - row) < Math.abs(best.row - row)) best = each;
  return best;
}

function middleChild({ node }: Placed, byPath: Layout['byPath']): Placed | undefined {
  const first = node.children[0];
  return first && byPath.get(first.path);
}

function sibling(from: Placed, column: readonly Placed[], by: 1 | -1): Placed | undefined {
  for (let i = firstFrom(column, from.row); i < column.length; i++) if (column[i] === from) return column[i + by];
  return undefined;
}

function lastShown(root: Placed | undefined, byPath: Layout['byPath']): Placed | undefined {
  let last = root;
  while (last?.hasShownChildren) {
    const child: Placed | undefined = byPath.get(last.node.children.at(-1)?.path ?? '');
    if (!child) break;
    last = child;
  }
  return last;
}

/**
 * Returns the next node, in the tree's order after another, whose title begins with the typed text; else one that
 * contains it.
 */
export function findTyped(typed: string, from: Placed | undefined, { placed }: Layout): Placed | undefined {
  const wanted = typed.toLocaleLowerCase();
  const start = from ? placed.indexOf(from) : 0;
  // One letter moves on; several may still match the current node.
  const first = typed.length === 1 ? start + 1 : start;
  const order = [...placed.slice(first), ...placed.slice(0, first)];
  const titleOf = ({ node }: Placed): string => labelOf(node.data.title).toLocaleLowerCase();
  return order.find((each) => titleOf(each).startsWith(wanted)) ?? order.find((each) => titleOf(each).includes(wanted));
}
