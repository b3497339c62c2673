import type { TreeNode } from '../../../core/tree/tree.ts';
import { plainLine } from '../../../engine/report/safe-markdown.ts';
import type { Material } from './material.ts';
import * as say from './messages.ts';
import { nestedList, subtopics, withoutDocument } from './sections.ts';

const MOST_TOPICS = 25;
/** Lines for all topics below the first level together, and for those of one. */
const LINES = 60;
const MOST_BELOW = 6;
const LONGEST_SUMMARY = 300;

/** Returns the topics and what is below them as one list, each with a line on what it found. */
export function topicTree(material: Material): string[] {
  const { root } = material.ctx.tree;
  if (root.children.length === 0) return [];
  const topics = root.children.slice(0, MOST_TOPICS);
  const room = Math.min(MOST_BELOW, Math.floor(LINES / topics.length));
  const shown = new Set(topics);
  for (const topic of topics)
    if (topic.status !== 'pruned') for (const node of subtopics(material, topic, room)) shown.add(node);
  const list = nestedList(root, shown, (node) => line(material, node, shown));
  const more = root.children.length - topics.length;
  return [
    `## ${material.show(say.topics())}`,
    list.join('\n'),
    ...(more > 0 ? [material.show(say.moreTopics({ count: more }))] : []),
  ];
}

function line(material: Material, node: TreeNode, shown: ReadonlySet<TreeNode>): string {
  if (!material.isWritten(node)) return `${material.linkTo(node)}: ${material.show(withoutDocument(node))}`;
  // Below an answer in words, the list only shows where to read on.
  const summary = material.lookup === undefined ? '' : plainLine(node.summary ?? '', LONGEST_SUMMARY);
  const below = node.depth > 1 ? 0 : (material.survey.below.get(node) ?? 0) - belowIn(node, shown);
  const more = below > 0 ? ` (${material.show(say.moreBelow({ count: below }))})` : '';
  return `${material.linkTo(node)}${summary === '' ? '' : `: ${summary}`}${more}`;
}

function belowIn(topic: TreeNode, shown: ReadonlySet<TreeNode>): number {
  let count = 0;
  for (const node of shown) for (let at = node.parent; at; at = at.parent) if (at === topic) count++;
  return count;
}
