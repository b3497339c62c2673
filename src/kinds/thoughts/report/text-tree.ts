import type { SearchFile } from '../../../core/search/search-file.ts';
import { oneLine } from '../../../core/text/text.ts';
import { lineageOf, type Tree, type TreeNode } from '../../../core/tree/tree.ts';
import { thoughtOptionsIn } from '../settings/options.ts';
import { isClaimed } from '../strategy/thought-place.ts';
import { findTaskOrStandIn } from '../tasks/find-task.ts';
import { thoughtId } from '../thought-id.ts';
import { outcomeIn } from './outcome.ts';

const LONGEST_CONTENT = 80;

/** The text tree of a search without running it. */
export function textTreeOf(file: Pick<SearchFile, 'options' | 'prompt'>, tree: Tree): string[] {
  const { task: name } = thoughtOptionsIn(file);
  const task = name === undefined ? undefined : findTaskOrStandIn(name);
  const { finished, best } = outcomeIn(tree, task?.solved !== undefined);
  return textTree(tree, file.prompt, finished ?? best);
}

/**
 * The tree as the source draws it: `├── node_1 [13-9=4] score:7.5 ★`. A star marks the best path, three ticks a solution,
 * `[PRUNED]` pruned nodes.
 * @param best the end of the best path
 * @param most the maximum number of lines; the last one gives the number of those left out
 */
export function textTree(tree: Tree, start: string, best: TreeNode | undefined, most = 500): string[] {
  const starred = new Set(best ? lineageOf(best) : []);
  const lines = [`root [${oneLine(start, LONGEST_CONTENT)}]`];
  // A loop, since trees can be deep: each entry with the text before it.
  const stack: { node: TreeNode; indent: string }[] = [];
  const push = (parent: TreeNode, indent: string): void => {
    for (let i = parent.children.length - 1; i >= 0; i--) stack.push({ node: parent.children[i] as TreeNode, indent });
  };
  push(tree.root, '');
  for (let next = stack.pop(); next; next = stack.pop()) {
    if (lines.length >= most) {
      lines.push(`… ${tree.size - lines.length + 1} more`);
      break;
    }
    const { node, indent } = next;
    const isLast = node.index === (node.parent?.children.length ?? 0) - 1;
    lines.push(`${indent}${isLast ? '└──' : '├──'} ${describe(node, starred.has(node))}`);
    push(node, `${indent}${isLast ? '    ' : '│   '}`);
  }
  return lines;
}

function describe(node: TreeNode, isBest: boolean): string {
  const { evaluation, status, leafReason, prunedBy, sameAs } = node;
  const parts = [thoughtId(node), `[${oneLine(node.title, LONGEST_CONTENT)}]`];
  if (evaluation) parts.push(`score:${evaluation.score.toFixed(1)}`);
  if (node.unscored) parts.push('unscored');
  if (isBest) parts.push('★');
  if (leafReason === 'solved') parts.push('✓✓✓');
  if (isClaimed(node)) parts.push('✓?');
  if (status === 'pruned') parts.push(`[PRUNED]${prunedBy ? ` by ${prunedBy}` : ''}`);
  if (status === 'failed') parts.push('[FAILED]');
  if (sameAs !== undefined && leafReason === 'duplicate') parts.push(`(same as ${sameAs.split('/').at(-1)})`);
  if (node.selected === false) parts.push('(set aside)');
  return parts.join(' ');
}
