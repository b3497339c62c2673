import type { TreeNode } from '../../core/tree/tree.ts';
import { plainLine } from './safe-markdown.ts';

const LONGEST_TITLE = 120;

/** A node's title as Markdown. */
export function titleOf(node: TreeNode, longest: number = LONGEST_TITLE): string {
  return plainLine(node.title, longest) || node.slug;
}

/** A score as people read it, from 0 to 10. */
export function scoreText(node: TreeNode): string | undefined {
  return node.evaluation && String(Number(node.evaluation.score.toFixed(1)));
}
