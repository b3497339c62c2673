import type { Message } from '../../../core/messages/message.ts';
import type { TreeNode } from '../../../core/tree/tree.ts';
import { inShort, MOST_IN_SHORT } from '../../../engine/report/in-short.ts';
import { documentLink } from '../../../engine/report/link-target.ts';
import { andMore } from '../../../engine/report/messages.ts';
import { titleOf } from '../../../engine/report/node-text.ts';
import { keyPassage } from '../../../engine/report/passage.ts';
import { plainLine } from '../../../engine/report/safe-markdown.ts';
import type { Material } from './material.ts';
import * as say from './messages.ts';
import { nestedList, subtopics } from './sections.ts';

/** Lines of an outline that fit on one page. */
const PAGE = 32;
const MOST_TOPICS = 20;
const MOST_BELOW = 3;
const LONGEST_SUMMARY = 220;
const MOST_PASSAGES = 5;

/** The opening of a report without a model: its best documents, the first two levels with their summaries, and the best passages. */
export function outlineOpening(material: Material, said: Message): string[] {
  const passages = keyPassages(material);
  const best = material.survey.best.filter((node) => material.isWritten(node)).slice(0, MOST_IN_SHORT);
  const findings = best.map((node) => ({ node, title: titleOf(node), summary: node.summary ?? '' }));
  const parts = [...inShort(findings, material.ctx.show), material.show(said), outline(material)];
  if (passages.length > 0) parts.push(`## ${material.show(say.passages())}`, ...passages);
  return parts.filter((part) => part !== '');
}

function outline(material: Material): string {
  const { root } = material.ctx.tree;
  const written = root.children.filter((topic) => subtopics(material, topic, 1).size > 0 || material.isWritten(topic));
  const topics = written.slice(0, MOST_TOPICS);
  if (topics.length === 0) return '';
  const room = Math.min(MOST_BELOW, Math.floor((PAGE - topics.length) / topics.length));
  const shown = new Set(topics);
  for (const topic of topics)
    for (const node of topic.children)
      if (room > 0 && material.isWritten(node) && countShown(topic, shown) < room) shown.add(node);
  const list = nestedList(root, shown, (node) => line(material, node));
  if (written.length > topics.length)
    list.push(`- ${material.show(andMore({ more: written.length - topics.length }))}`);
  return list.join('\n');
}

function countShown(topic: TreeNode, shown: ReadonlySet<TreeNode>): number {
  return topic.children.reduce((count, child) => count + (shown.has(child) ? 1 : 0), 0);
}

function line(material: Material, node: TreeNode): string {
  if (node.depth > 1) return material.linkTo(node); // its summary is in the section
  const summary = plainLine(node.summary ?? '', LONGEST_SUMMARY);
  return `**${material.linkTo(node)}**${summary === '' ? '' : `: ${summary}`}`;
}

function keyPassages(material: Material): string[] {
  const parts: string[] = [];
  const more = (count: number): string => material.show(say.moreLines({ count }));
  for (const digest of material.digests) {
    const passage = keyPassage(digest.blocks, material.linksIn(digest), more);
    if (passage === '') continue;
    parts.push(`### [${titleOf(digest.node)}](${documentLink(digest.node)})`, passage);
    if (parts.length === 2 * MOST_PASSAGES) break;
  }
  return parts;
}
