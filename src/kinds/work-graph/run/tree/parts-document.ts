import { writeDocument } from '../../../../core/text/document.ts';
import type { TreeNode } from '../../../../core/tree/tree.ts';
import { plainLine } from '../../../../engine/report/safe-markdown.ts';
import * as say from '../messages.ts';
import type { WorkSearch } from '../work-search.ts';
import { ownOf } from './read-graph.ts';

const LONGEST_LINE = 300;

/**
 * The document of a group, or of an atom that has parts: what it consists of. Without one, its files would not say that it
 * was divided. One that exists stays.
 */
export function partsDocument({ show }: WorkSearch, node: TreeNode): { document?: string } {
  if (node.document !== undefined) return {};
  const isGroup = ownOf(node)?.type === 'group';
  const summary = show(
    isGroup ? say.oneOf({ count: node.children.length }) : say.allOf({ count: node.children.length }),
  );
  const parts = node.children.map(({ title }) => `- ${plainLine(title, LONGEST_LINE)}`);
  const body = [`# ${plainLine(node.title, LONGEST_LINE)}`, summary, parts.join('\n')].join('\n\n');
  return { document: writeDocument({ title: node.title, summary }, `${body}\n`) };
}
