import type { CitationCounts } from '../core/citations/citation.ts';
import { markCounts } from '../core/citations/messages.ts';
import type { Message } from '../core/messages/message.ts';
import { escapeHtml, oneLine } from '../core/text/text.ts';
import { statusWords } from '../core/tree/messages.ts';
import type { NodeStatus } from '../core/tree/node-file.ts';
import * as say from './messages.ts';

/** A page that a document's head names. */
export interface HeadLink {
  readonly title: string;
  /** Where it leads: a relative path or an anchor, already encoded; undefined if there is nothing to open yet. */
  readonly href?: string | undefined;
}

/** The lines above a document's text where people read it, in place of its front matter. All texts are hostile. */
export interface DocumentHead {
  readonly status: NodeStatus;
  /** The marks that its kind shows instead of its status: a state, a round. */
  readonly marks?: readonly string[] | undefined;
  readonly score?: number | undefined;
  readonly citations?: CitationCounts | undefined;
  readonly parent?: HeadLink | undefined;
  readonly children: readonly HeadLink[];
}

/** Renders a message in the reader's language. */
type InWords = (message: Message) => string;

/** The most children that are named; a line of hundreds would push the text away. */
const MOST_CHILDREN = 24;
const LONGEST_TITLE = 80;

/** Status, score and quotations of a document in a few words each. */
export function headWords({ status, marks = [], score, citations }: DocumentHead, inWords: InWords): string[] {
  const counts = citations ? countWords(citations, inWords) : '';
  return [
    ...(marks.length > 0 ? marks.map((mark) => oneLine(mark, LONGEST_TITLE)) : [inWords(statusWords[status]())]),
    ...(score === undefined ? [] : [inWords(say.documentScore({ score: String(Number(score.toFixed(1))) }))]),
    ...(counts === '' ? [] : [inWords(say.documentCited({ counts }))]),
  ];
}

/** `7 verified, 1 stale`; empty if there are none. */
function countWords(citations: CitationCounts, inWords: InWords): string {
  return (Object.keys(markCounts) as (keyof CitationCounts)[])
    .filter((mark) => citations[mark] > 0)
    .map((mark) => inWords(markCounts[mark]({ count: citations[mark] })))
    .join(', ');
}

/**
 * The head as HTML, in one paragraph: what is known of the node, a link to the one above it, and links to those below. Every
 * text in it is escaped, and its links are those that are given.
 */
export function headHtml(head: DocumentHead, inWords: InWords): string {
  const parts = [
    ...headWords(head, inWords).map(escapeHtml),
    ...parentHtml(head, inWords),
    ...childrenHtml(head, inWords),
  ];
  return `<p class="thought-tree-head">${parts.join(' · ')}</p>\n`;
}

function parentHtml({ parent }: DocumentHead, inWords: InWords): string[] {
  return parent ? [`${escapeHtml(inWords(say.documentParent()))} ${link(parent)}`] : [];
}

function childrenHtml({ children }: DocumentHead, inWords: InWords): string[] {
  if (children.length === 0) return [];
  const rest = children.length - MOST_CHILDREN;
  const more = rest > 0 ? [escapeHtml(inWords(say.documentMore({ count: rest })))] : [];
  const named = [...children.slice(0, MOST_CHILDREN).map(link), ...more].join(', ');
  return [`${escapeHtml(inWords(say.documentChildren()))} ${named}`];
}

function link({ title, href }: HeadLink): string {
  const text = escapeHtml(oneLine(title.replaceAll('`', ''), LONGEST_TITLE));
  return href === undefined ? text : `<a href="${escapeHtml(href)}">${text}</a>`;
}
