import type { Message } from '../../../core/messages/message.ts';
import type { NodeStatus } from '../../../core/tree/node-status.ts';
import type { TreeNode } from '../../../core/tree/tree.ts';
import { score as scoreOf } from '../../../engine/report/messages.ts';
import { scoreText } from '../../../engine/report/node-text.ts';
import { plainLine } from '../../../engine/report/safe-markdown.ts';
import type { Material } from './material.ts';
import * as say from './messages.ts';

const MOST_SECTIONS = 25;
/** Lines for all lists of subtopics together, and for one of them. */
const LINES = 100;
const MOST_LINES = 12;
const LONGEST_SUMMARY = 300;
const LONGEST_LINE = 160;

/** Shown for a topic without a document. */
const WITHOUT_DOCUMENT: Readonly<Record<NodeStatus, Message>> = {
  unexpanded: say.notWorkedOn(),
  'in-progress': say.notToItsEnd(),
  expanded: say.documentMissing(),
  leaf: say.documentMissing(),
  failed: say.seeFailed(),
  pruned: say.seePruned(),
};

/** What is shown for a topic whose document cannot be linked. */
export function withoutDocument({ status }: TreeNode): Message {
  return WITHOUT_DOCUMENT[status];
}

/** A section for each topic of the first level, in order: its summary, its score, and what is below it. */
export function topicSections(material: Material): string[] {
  const topics = material.ctx.tree.root.children;
  if (topics.length === 0) return [];
  const shown = topics.slice(0, MOST_SECTIONS);
  const lines = Math.min(MOST_LINES, Math.floor(LINES / shown.length));
  const parts = [`## ${material.show(say.topics())}`, ...shown.flatMap((topic) => section(material, topic, lines))];
  if (topics.length > shown.length) parts.push(material.show(say.moreTopics({ count: topics.length - shown.length })));
  return parts;
}

function section(material: Material, topic: TreeNode, lines: number): string[] {
  const score = scoreText(topic);
  const said = material.isWritten(topic)
    ? [score === undefined ? '' : material.show(scoreOf({ score })), plainLine(topic.summary ?? '', LONGEST_SUMMARY)]
    : [material.show(withoutDocument(topic))];
  const parts = [
    `### ${material.linkTo(topic)}`,
    said.filter((part) => part !== '').join(' · '),
    below(material, topic, lines),
  ];
  return parts.filter((part) => part !== '');
}

function below(material: Material, topic: TreeNode, lines: number): string {
  if (topic.status === 'pruned') return '';
  const shown = subtopics(material, topic, lines);
  const list = nestedList(topic, shown, (node) => {
    const summary = plainLine(node.summary ?? '', LONGEST_LINE);
    const score = scoreText(node);
    return `${material.linkTo(node)}${score === undefined ? '' : ` (${score})`}${summary === '' ? '' : `: ${summary}`}`;
  });
  const more = (material.survey.below.get(topic) ?? 0) - shown.size;
  if (more > 0) list.push(`- ${material.show(say.moreBelow({ count: more }))}`);
  return list.join('\n');
}

/** The documents below a node that fit into a list: the nearest first. */
export function subtopics(material: Material, topic: TreeNode, most: number): Set<TreeNode> {
  const shown = new Set<TreeNode>();
  let level: readonly TreeNode[] = topic.children;
  while (level.length > 0 && shown.size < most) {
    const kept = level.filter(({ status }) => status !== 'pruned');
    for (const node of kept) if (shown.size < most && material.isWritten(node)) shown.add(node);
    level = kept.flatMap(({ children }) => children);
  }
  return shown;
}

/** Some of the nodes below another one as a list, in order, each indented under the nearest shown one. */
export function nestedList(
  top: TreeNode,
  shown: ReadonlySet<TreeNode>,
  describe: (node: TreeNode) => string,
): string[] {
  const list: string[] = [];
  const needed = new Set<TreeNode>();
  for (const node of shown) for (let at = node.parent; at && at !== top; at = at.parent) needed.add(at);
  const stack = [...top.children].reverse().map((node) => ({ node, indent: 0 }));
  for (let at = stack.pop(); at; at = stack.pop()) {
    const { node, indent } = at;
    if (shown.has(node)) list.push(`${'  '.repeat(indent)}- ${describe(node)}`);
    if (!needed.has(node)) continue;
    const inner = indent + (shown.has(node) ? 1 : 0);
    for (let i = node.children.length - 1; i >= 0; i--)
      stack.push({ node: node.children[i] as TreeNode, indent: inner });
  }
  return list;
}
