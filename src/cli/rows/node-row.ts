import type { KindFace, NodeMark, NodeWords } from '../../core/kind/kind-face.ts';
import { shortLabel } from '../../core/text/short-label.ts';
import { oneLine } from '../../core/text/text.ts';
import { prunedWords } from '../../core/tree/messages.ts';
import type { NodeStatus } from '../../core/tree/node-status.ts';
import type { StatusCounts, TreeNode } from '../../core/tree/tree.ts';
import { score as scoreOf } from '../messages.ts';
import { formatNumber } from '../terminal/figures.ts';
import type { Part, Row, Style } from '../terminal/row.ts';
import { inWords, keptInWords, kindText } from '../terminal/translation.ts';
import { noNodesYet, statusCounts } from './messages.ts';

interface Looks {
  readonly mark: string;
  readonly style: Style;
}

/** The look of a status: its mark identifies it even without colour. */
const LOOKS: Record<NodeStatus, Looks> = {
  expanded: { mark: '✓', style: 'green' },
  leaf: { mark: '●', style: 'green' },
  'in-progress': { mark: '◐', style: 'cyan' },
  unexpanded: { mark: '○', style: 'dim' },
  pruned: { mark: '⊘', style: 'yellow' },
  failed: { mark: '✗', style: 'red' },
};

const LONGEST_TITLE = 200;
const LONGEST_FAILURE = 80;
/** Deeper nodes are not moved further to the right, so that their titles stay readable. */
const DEEPEST_INDENT = 12;

/** The face on which rows depend: the terms of the search's kind, and what it says of its nodes in a word or two. */
export type RowFace = Pick<KindFace, 'marks'> & { readonly words: NodeWords };

const TONES: Readonly<Record<NodeMark['tone'], Style>> = {
  plain: 'dim',
  busy: 'cyan',
  good: 'green',
  dim: 'dim',
  bad: 'red',
};

/** One node of the tree: mark, title, score, what its kind says of it, what is hidden below it, why it failed. */
export function nodeRow(node: TreeNode, hidden = 0, { marks }: Pick<KindFace, 'marks'> = {}): Row {
  const { mark, style } = LOOKS[node.status];
  const parts: Part[] = [
    { text: '  '.repeat(Math.min(Math.max(node.depth - 1, 0), DEEPEST_INDENT)) },
    { text: mark, style },
    { text: ' ' },
    titlePart(node),
  ];
  if (node.evaluation)
    parts.push({ text: ` ${inWords(scoreOf({ score: Number(node.evaluation.score.toFixed(1)) }))}`, style: 'yellow' });
  const own = node.file?.own;
  if (marks && own !== undefined)
    for (const { text, tone } of marks.of(
      own,
      node.children.map(({ file }) => file?.own),
    ))
      parts.push({ text: ` ${oneLine(marks.texts.includes(text) ? kindText(text) : text, 60)}`, style: TONES[tone] });
  if (hidden > 0) parts.push({ text: ` +${formatNumber(hidden)}`, style: 'dim' });
  if (node.status === 'pruned' && node.prunedBy)
    parts.push({ text: ` (${inWords(prunedWords[node.prunedBy]())})`, style: 'dim' });
  if (node.failure) parts.push({ text: ` (${whyFailed(node.failure, marks)})`, style: 'red' });
  return parts;
}

/** The reason in a word; where the kind has words of its own for that, what was seen. */
function whyFailed({ reason, message, say }: NonNullable<TreeNode['failure']>, marks: KindFace['marks']): string {
  return marks ? shortLabel(keptInWords(message, say), LONGEST_FAILURE).label : oneLine(reason, 40);
}

function titlePart(node: TreeNode): Part {
  const text = oneLine(node.title, LONGEST_TITLE);
  if (node.status === 'in-progress') return { text, style: 'bold', flexible: true };
  if (node.status === 'pruned') return { text, style: 'dim', flexible: true };
  return { text, flexible: true };
}

/** The number of nodes by status, with the marks as a legend; statuses without nodes are left out. */
export function countsRow(counts: StatusCounts, { nodes }: NodeWords): Row {
  const row: Part[] = [];
  for (const [status, { mark, style }] of Object.entries(LOOKS) as [NodeStatus, Looks][]) {
    const count = counts[status];
    if (count === 0) continue;
    if (row.length > 0) row.push({ text: '  ' });
    row.push({ text: mark, style }, { text: ` ${inWords(statusCounts[status]({ count }))}` });
  }
  return row.length > 0 ? row : [{ text: inWords(noNodesYet({ nodes: kindText(nodes) })), style: 'dim' }];
}
