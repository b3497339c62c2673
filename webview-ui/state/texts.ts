import type { CitationCounts, CitationMark } from '../../src/core/citations/citation.ts';
import type { LeafReason, NodeStatus, PrunedBy } from '../../src/core/tree/node-file.ts';
import { labelOf } from '../../src/drawing/labels.ts';
import { isCutOff, type ViewNode } from '../../src/drawing/tree-model.ts';
import type { GraphNode, GraphSearch, GraphTerms } from '../../src/protocol/graph-node.ts';
import { figures } from './figures.ts';
import { l10n, language, said, term } from './l10n.ts';

/** Titles come from models: in a tooltip or an accessible name, their length must be limited. */
const LONGEST = 300;

// The words that the panel shares with the sidebar, the reports and the command line.
export const statusWord = (status: NodeStatus): string => term(`node.status.${status}`);
export const stateWord = (state: GraphSearch['state']): string => term(`search.state.${state}`);
const prunedWord = (by: PrunedBy): string => term(`node.pruned.${by}`);
export const markWord = (mark: CitationMark): string => term(`citation.${mark}`);
const leafWord = (reason: LeafReason): string => term(`node.leaf.${reason}`);

const MARKS: readonly CitationMark[] = ['verified', 'moved', 'stale', 'not_found'];

const OUTCOME_TEXT: Readonly<Record<string, string>> = {
  ok: l10n.t('ok'),
  'under-way': l10n.t('under way'),
  killed: l10n.t('cut off'),
};

/** Returns what a call was for. */
export function purposeText(words: GraphTerms | undefined, purpose: string): string {
  const doing = words && Object.hasOwn(words.doing, purpose) ? words.doing[purpose] : undefined;
  return doing === undefined ? purpose : said(doing);
}

/** Returns how a call ended; a failure by the name of its reason. */
export function outcomeText(outcome: string): string {
  return OUTCOME_TEXT[outcome] ?? outcome;
}

/** Returns a status with the reason, if known. */
export function statusText({ data }: ViewNode): string {
  if (data.marks && data.status !== 'pruned' && data.status !== 'failed') return marksText(data.marks).join(', ');
  const status = statusWord(data.status);
  const why = whyText(data);
  return why === undefined ? status : l10n.t('{0} ({1})', status, why);
}

/** Returns what its kind says of a node, in the reader's language. */
export function marksText(marks: GraphNode['marks'] = []): string[] {
  return marks.map(({ text, round }) => (round === undefined ? said(text) : l10n.t('round {0}', round)));
}

function whyText({ sameAs, selected, leafReason, prunedBy, status }: ViewNode['data']): string | undefined {
  if (sameAs !== undefined) return l10n.t('merged');
  if (leafReason) return leafWord(leafReason);
  if (prunedBy) return prunedWord(prunedBy);
  return selected === false && status === 'unexpanded' ? l10n.t('good enough, not kept') : undefined;
}

/**
 * Returns how many quotations have each mark, as in `3 verified, 1 not found`; marks without quotations are left out.
 */
export function citationsText(counts: CitationCounts): string {
  const marks = MARKS.filter((mark) => counts[mark] > 0);
  return marks.map((mark) => `${counts[mark]} ${markWord(mark)}`).join(', ');
}

const moments = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'medium' });
const times = new Intl.DateTimeFormat(language, { timeStyle: 'medium' });

/** Returns a day and a time of day. @param time milliseconds since 1970 */
export function momentText(time: number): string {
  return moments.format(time);
}

/** Returns a time of day. @param time milliseconds since 1970 */
export function timeText(time: number): string {
  return times.format(time);
}

/** Returns a text of a model as one line of limited length. */
export function short(text: string, longest = LONGEST): string {
  return text.length <= longest ? text : `${text.slice(0, longest - 1)}…`;
}

/** Returns a title as a label: of limited length, without the marks of code. */
export function titled(title: string, longest = LONGEST): string {
  return short(labelOf(title), longest);
}

/** Returns a node and its position, in words for a screen reader. */
export function spoken(
  node: ViewNode,
  {
    isShut,
    isBest,
    rank,
    words,
    linked = [],
  }: {
    isShut: boolean;
    isBest: boolean;
    rank: number | undefined;
    words: GraphTerms | undefined;
    /** What its links say, in a drawing of links. */
    linked?: readonly string[];
  },
): string {
  const { data, parent, children, depth } = node;
  if (!parent) return l10n.t('Question: {0}, {1}', titled(data.title), nodesText(children.length, words));
  const parts = [titled(data.title), statusText(node)];
  if (data.status !== 'pruned' && isCutOff(node)) parts.push(l10n.t('in a pruned branch'));
  if (data.score !== undefined) parts.push(l10n.t('score {0} of 10', figures.score(data.score)));
  if (data.isLowConfidence) parts.push(l10n.t('low confidence'));
  if (data.citations) parts.push(l10n.t('quotations: {0}', citationsText(data.citations)));
  if (data.role === 'choice') parts.push(l10n.t('the chosen alternative'));
  if (data.role === 'alternative') parts.push(l10n.t('an alternative, not chosen'));
  parts.push(...linked);
  if (isBest) parts.push(l10n.t('best path'));
  if (rank !== undefined) parts.push(l10n.t('number {0} in line', rank));
  if (children.length > 0)
    parts.push(
      isShut
        ? l10n.t('{0} below, closed', nodesText(children.length, words))
        : l10n.t('{0} below', nodesText(children.length, words)),
    );
  parts.push(l10n.t('level {0}, {1} of {2}', depth, parent.children.indexOf(node) + 1, parent.children.length));
  return parts.join(', ');
}

/** Returns the number of nodes, in the terms of their kind. */
export function nodesText(n: number, words: GraphTerms | undefined): string {
  if (!words) return String(n);
  return n === 1 ? said(words.one) : said(words.several, n);
}

/** Returns the number of matches. */
export function foundText(n: number): string {
  return n === 1 ? l10n.t('1 found') : l10n.t('{0} found', n);
}
