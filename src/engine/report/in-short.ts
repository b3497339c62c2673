import type { Message } from '../../core/messages/message.ts';
import { asSentence } from '../../core/text/text.ts';
import type { TreeNode } from '../../core/tree/tree.ts';
import { documentLink } from './link-target.ts';
import * as say from './messages.ts';
import { plainLine } from './safe-markdown.ts';

/** The number of nodes that the beginning of a report names at most. */
export const MOST_IN_SHORT = 3;
const LONGEST_TITLE = 120;
const LONGEST_SUMMARY = 220;

/** A node that a report says something of first: its name, and what was found there in a sentence. */
export interface Finding {
  readonly node: TreeNode | undefined;
  readonly title: string;
  readonly summary: string;
}

/**
 * Begins a report with its most important findings in a sentence each, linked to their documents; else empty.
 * @param findings the most important first
 */
export function inShort(findings: readonly Finding[], show: (message: Message) => string): string[] {
  if (findings.length === 0) return [];
  const more = findings.length - MOST_IN_SHORT;
  const said = findings.slice(0, MOST_IN_SHORT).map(sentence);
  if (more > 0) said.push(show(say.moreBelow({ count: more })));
  return [show(say.inShort({ findings: said.join(' ') }))];
}

function sentence({ node, title, summary }: Finding): string {
  const name = plainLine(title, LONGEST_TITLE);
  const linked = node ? `[${name}](${documentLink(node)})` : name;
  const said = plainLine(summary, LONGEST_SUMMARY);
  return asSentence(said === '' ? linked : `${linked}: ${said}`);
}
