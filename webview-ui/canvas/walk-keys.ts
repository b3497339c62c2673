import type { Layout, Placed } from '../state/tree-layout.ts';
import { firstFrom } from '../state/tree-layout.ts';

/** Where an arrow, Home or End leads from a node in the drawing; undefined if nowhere. */
export function nextBy(key: string, from: Placed, { byPath, columns, placed }: Layout): Placed | undefined {
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
      return lastShown(placed[0], byPath);
    default:
      return undefined;
  }
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

/** The next node, in the tree's order after another, whose title begins with the typed text; else one that contains it. */
export function findTyped(typed: string, from: Placed | undefined, { placed }: Layout): Placed | undefined {
  const wanted = typed.toLocaleLowerCase();
  const start = from ? placed.indexOf(from) : 0;
  // One letter moves on; several may still match the current node.
  const first = typed.length === 1 ? start + 1 : start;
  const order = [...placed.slice(first), ...placed.slice(0, first)];
  const titleOf = ({ node }: Placed): string => node.data.title.toLocaleLowerCase();
  return order.find((each) => titleOf(each).startsWith(wanted)) ?? order.find((each) => titleOf(each).includes(wanted));
}
