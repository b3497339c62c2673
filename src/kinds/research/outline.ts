import TinyQueue from 'tinyqueue';
import { oneLine } from '../../core/text/text.ts';
import { byPosition } from '../../core/tree/by-position.ts';
import { type TreeNode, walk } from '../../core/tree/tree.ts';

const TITLE = 100;
const SUMMARY = 100;

/**
 * The tree as text for a picker: one node per line, two spaces per level, `- Title [status] 7.5 — summary`. At most
 * `lines` lines: always the first level, then nodes worked on, then the rest of the second level, as far as it fits; the
 * rest is given as a count. Visits no more of the tree than it needs.
 */
export function outlineOf(root: TreeNode, lines = 200): string {
  const shown = choose(root, root.children.length > lines ? lines - 1 : lines); // one line for those left out
  const out: string[] = [];
  for (const node of [...shown].sort(byPosition)) {
    const hidden = node.children.reduce((count, child) => count + (shown.has(child) ? 0 : 1), 0);
    out.push('  '.repeat(node.depth - 1) + describe(node) + (hidden > 0 ? ` (+${hidden} not shown)` : ''));
  }
  const hidden = root.children.length - out.reduce((count, line) => count + (line.startsWith('-') ? 1 : 0), 0);
  if (hidden > 0) out.push(`(+${hidden} not shown)`);
  return out.join('\n');
}

/** The whole tree as text, however long. */
export function wholeOutline(root: TreeNode): string {
  const out: string[] = [];
  for (const node of walk(root)) if (node.depth > 0) out.push('  '.repeat(node.depth - 1) + describe(node));
  return out.join('\n');
}

function choose(root: TreeNode, lines: number): Set<TreeNode> {
  const shown = new Set<TreeNode>();
  const queue = new TinyQueue<TreeNode>(root.children.slice(0, lines), byRank);
  for (let node = queue.pop(); node && shown.size < lines; node = queue.pop()) {
    shown.add(node);
    for (const child of node.children.slice(0, lines)) queue.push(child);
  }
  return shown;
}

function byRank(a: TreeNode, b: TreeNode): number {
  return rank(a) - rank(b) || a.depth - b.depth || byPosition(a, b);
}

function rank(node: TreeNode): number {
  if (node.depth === 1) return 0;
  return node.status === 'unexpanded' ? 2 : 1;
}

function describe(node: TreeNode): string {
  const score = node.evaluation ? ` ${Number(node.evaluation.score.toFixed(1))}` : '';
  const summary = node.summary ? ` — ${oneLine(node.summary, SUMMARY)}` : '';
  return `- ${oneLine(node.title, TITLE)} [${node.status}]${score}${summary}`;
}
