import TinyQueue from 'tinyqueue';
import { oneLine } from '../../core/text/text.ts';
import { byPosition } from '../../core/tree/by-position.ts';
import { type TreeNode, walk } from '../../core/tree/tree.ts';

const TITLE = 100;
const SUMMARY = 160;
const NONE: ReadonlyMap<TreeNode, number> = new Map();

/** A tree as text, and the nodes that have a line in it. */
export interface Outline {
  readonly text: string;
  readonly shown: ReadonlySet<TreeNode>;
}

/**
 * Returns the tree as text for a picker: one node per line, two spaces per level, `- [3] Title [status] 7.5 — summary`, where
 * the number is that of a candidate. At most
 * `lines` lines: always the first level, then nodes worked on, then the rest of the second level, as far as it fits; the
 * rest is given as a count. Visits no more of the tree than it needs.
 */
export function outlineOf(root: TreeNode, numbers: ReadonlyMap<TreeNode, number> = NONE, lines = 200): Outline {
  const shown = choose(root, root.children.length > lines ? lines - 1 : lines); // one line for those left out
  const out: string[] = [];
  for (const node of [...shown].sort(byPosition)) {
    const hidden = node.children.reduce((count, child) => count + (shown.has(child) ? 0 : 1), 0);
    out.push(
      '  '.repeat(node.depth - 1) + describe(node, numbers.get(node)) + (hidden > 0 ? ` (+${hidden} not shown)` : ''),
    );
  }
  const hidden = root.children.length - out.reduce((count, line) => count + (line.startsWith('-') ? 1 : 0), 0);
  if (hidden > 0) out.push(`(+${hidden} not shown)`);
  return { text: out.join('\n'), shown };
}

/** Returns the whole tree as text, however long. */
export function wholeOutline(root: TreeNode, numbers: ReadonlyMap<TreeNode, number> = NONE): Outline {
  const out: string[] = [];
  const shown = new Set<TreeNode>();
  for (const node of walk(root)) {
    if (node.depth === 0) continue;
    shown.add(node);
    out.push('  '.repeat(node.depth - 1) + describe(node, numbers.get(node)));
  }
  return { text: out.join('\n'), shown };
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

function describe({ evaluation, summary, title, status }: TreeNode, number: number | undefined): string {
  const score = evaluation ? ` ${Number(evaluation.score.toFixed(1))}` : '';
  const said = summary || (number === undefined ? '' : evaluation?.reasoning);
  const mark = number === undefined ? '' : `[${number}] `;
  return `- ${mark}${oneLine(title, TITLE)} [${status}]${score}${said ? ` — ${oneLine(said, SUMMARY)}` : ''}`;
}
