import { pathOf, type Tree, type TreeNode } from '../../core/tree/tree.ts';
import type { OpenBranches } from '../../protocol/view-message.ts';

/** Nodes in one message: neither the extension nor the page is held up for longer than a blink by so many. */
const AT_ONCE = 1000;
/** More than fit into a window at sizes that can be read; the first picture may need all of them. */
const IN_SIGHT = 2000;

/**
 * All nodes of a tree in portions, parents before their children, those first that a drawing shows.
 * @param view what the drawing shows, if that is known
 * @param best the paths of the best path's nodes, which a first look opens
 */
export function* inPortions(tree: Tree, view: OpenBranches | undefined, best: Iterable<string>): Generator<TreeNode[]> {
  const all = byLevels(tree);
  const open = openIn(all, view, new Set(view?.opened ?? best));
  const seen = new Set<TreeNode>();
  for (const node of all) {
    if (seen.size >= IN_SIGHT) break;
    if (!node.parent || (seen.has(node.parent) && open(node.parent))) seen.add(node);
  }
  yield [...seen];
  const rest = all.filter((node) => !seen.has(node));
  for (let at = 0; at < rest.length; at += AT_ONCE) yield rest.slice(at, at + AT_ONCE);
}

/** Level by level, each in order. */
function byLevels({ root }: Tree): TreeNode[] {
  const all: TreeNode[] = [root];
  // Grows while it is walked.
  for (const node of all) for (const child of node.children) all.push(child);
  return all;
}

/** Tells whether the children of a node are in sight, if it is itself. */
function openIn(
  all: readonly TreeNode[],
  view: OpenBranches | undefined,
  opened: ReadonlySet<string>,
): (node: TreeNode) => boolean {
  // By default as many levels as fit into one portion.
  const levels = view ? view.levels || Number.POSITIVE_INFINITY : (all[AT_ONCE]?.depth ?? Number.POSITIVE_INFINITY) - 1;
  return (node) => node.depth < levels || opened.has(pathOf(node));
}
