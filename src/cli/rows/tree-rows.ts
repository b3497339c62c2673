import type { KindDescriptor, NodeMark, NodeTerms } from '../../core/kind/kind-descriptor.ts';
import { findingsIn } from '../../core/search/record/search-state.ts';
import { shortLabel } from '../../core/text/short-label.ts';
import { oneLine, withoutCommands } from '../../core/text/text.ts';
import { prunedWords } from '../../core/tree/messages.ts';
import type { NodeStatus } from '../../core/tree/node-file.ts';
import { nodeAt, type StatusCounts, type Tree, type TreeNode } from '../../core/tree/tree.ts';
import type { Outcome } from '../../engine/loop.ts';
import type { Search } from '../../engine/search.ts';
import { outlineNodes } from '../../searches/reader/search-overview.ts';
import { score as scoreOf } from '../messages.ts';
import { formatNumber, nodeWord } from '../terminal/figures.ts';
import type { Part, Row, Style } from '../terminal/terminal.ts';
import { inWords, keptInWords, kindText } from '../terminal/translation.ts';
import { answerIs, bestPathSoFar, itsPath, moreNodes, noNodesYet, noSolution, statusCounts } from './messages.ts';

/**
 * The tree as an outline of at most `room` rows: first the nodes of `wanted`, each with those above it, as far as they
 * fit; then the rest, level by level. Everything else is shown as counts. Visits no more of the tree than it shows.
 */
export function treeRows(tree: Tree, room: number, descriptor: RowDescriptor, wanted: Iterable<TreeNode> = []): Row[] {
  if (room <= 0 || tree.size === 0) return [];
  const isWhole = tree.size <= room;
  const shown = outlineNodes(tree, isWhole ? room : room - 1, wanted);
  const rows = shown.map(({ node, hidden }) => nodeRow(node, isWhole ? 0 : hidden, descriptor));
  const hidden = tree.size - shown.length;
  if (hidden > 0)
    rows.push([
      { text: inWords(moreNodes({ count: hidden, nodes: nodeWord(descriptor.words, hidden) })), style: 'dim' },
    ]);
  return rows;
}

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

/** The descriptor on which rows depend: the terms of the search's kind, and what it says of its nodes in a word or two. */
export type RowDescriptor = Pick<KindDescriptor, 'marks'> & { readonly words: NodeTerms };

const TONES: Readonly<Record<NodeMark['tone'], Style>> = {
  plain: 'dim',
  busy: 'cyan',
  good: 'green',
  dim: 'dim',
  bad: 'red',
};

/**
 * Returns one node of the tree: mark, title, score, what its kind says of it, what is hidden below it, why it failed.
 */
export function nodeRow(node: TreeNode, hidden = 0, { marks }: Pick<KindDescriptor, 'marks'> = {}): Row {
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

/** Returns the reason in a word; where the kind has words of its own for that, what was seen. */
function whyFailed({ reason, message, say }: NonNullable<TreeNode['failure']>, marks: KindDescriptor['marks']): string {
  return marks ? shortLabel(keptInWords(message, say), LONGEST_FAILURE).label : oneLine(reason, 40);
}

function titlePart(node: TreeNode): Part {
  const text = oneLine(node.title, LONGEST_TITLE);
  if (node.status === 'in-progress') return { text, style: 'bold', flexible: true };
  if (node.status === 'pruned') return { text, style: 'dim', flexible: true };
  return { text, flexible: true };
}

/** Returns the number of nodes by status, with the marks as a legend; statuses without nodes are left out. */
export function countsRow(counts: StatusCounts, { nodes }: NodeTerms): Row {
  const row: Part[] = [];
  for (const [status, { mark, style }] of Object.entries(LOOKS) as [NodeStatus, Looks][]) {
    const count = counts[status];
    if (count === 0) continue;
    if (row.length > 0) row.push({ text: '  ' });
    row.push({ text: mark, style }, { text: ` ${inWords(statusCounts[status]({ count }))}` });
  }
  return row.length > 0 ? row : [{ text: inWords(noNodesYet({ nodes: kindText(nodes) })), style: 'dim' }];
}

const LONGEST = 1000;

/**
 * The results of a search for a solution: the answer and its path, or the best path so far; if nothing is left and
 * nothing was found, the whole tree. Empty for searches of other kinds.
 */
export function thoughtRows({ kind, file, tree }: Search, outcome: Outcome): Row[] {
  const findings = findingsIn(outcome.results, file.kind);
  if (!findings) return [];
  const { answer, solved, finishedPath, bestPath } = findings;
  const isFound = finishedPath.length > 0;
  const nodes = (isFound ? finishedPath : bestPath).flatMap((each) => nodeAt(tree, each) ?? []);
  const said = answer ?? (solved ? nodes.at(-1)?.title : undefined);
  const rows: Row[] = [];
  if (said !== undefined) rows.push(...answerRows(said));
  else if (outcome.state === 'finished' && !isFound) rows.push([{ text: inWords(noSolution()), style: 'yellow' }]);
  if (nodes.length > 0) rows.push([{ text: inWords(isFound ? itsPath() : bestPathSoFar()) }]);
  for (const [index, { title, evaluation }] of nodes.entries()) {
    const score = evaluation ? `  ${Number(evaluation.score.toFixed(1))}` : '';
    rows.push([{ text: `  ${index + 1}. ${oneLine(title, LONGEST)}${score}` }]);
  }
  if (!isFound && outcome.state === 'finished')
    rows.push(...(kind.extras.textTree?.(file, tree) ?? []).map((text): Row => [{ text }]));
  return rows;
}

const LONGEST_IN_ONE_LINE = 300;
const MOST_LINES = 40;
/** Markdown that needs its lines. */
const IN_LINES = /^[ \t]{0,9}(?:[|#>*+`-]|\d{1,3}[.)]\s)/m;

/** Returns a short answer as one line, and any other with its lines: a table in one line is no table. */
function answerRows(answer: string): Row[] {
  if (answer.length <= LONGEST_IN_ONE_LINE && !IN_LINES.test(answer))
    return [[{ text: inWords(answerIs({ answer: oneLine(answer, LONGEST) })), style: 'bold' }]];
  const lines = answer.trim().split('\n');
  const shown = lines.slice(0, MOST_LINES).map((line): Row => [{ text: withoutCommands(line).slice(0, LONGEST) }]);
  const label: Row = [{ text: inWords(answerIs({ answer: '' })).trimEnd(), style: 'bold' }];
  return [label, ...shown, ...(lines.length > MOST_LINES ? [[{ text: '…' }]] : [])];
}

/**
 * The commands that may lead on where a search ended without a solution.
 * @param command a command on the search, by its name
 */
export function nextRows({ file }: Search, outcome: Outcome, command: (name: string) => string): Row[] {
  const findings = findingsIn(outcome.results, file.kind);
  if (outcome.state !== 'finished' || !findings || findings.finishedPath.length > 0) return [];
  return (findings.next ?? []).map(({ action, args }): Row => {
    const flags = Object.entries(args).map(([name, value]) => ` --${name} ${value}`);
    return [{ text: `  ${command(action)}${flags.join('')} --resume` }];
  });
}
