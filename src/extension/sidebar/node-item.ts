import { join } from 'node:path';
import * as vscode from 'vscode';
import { type Look, lookOfStatus } from '../../core/search/kind-face.ts';
import { oneLine } from '../../core/text/text.ts';
import { leafWords, prunedWords, statusWords } from '../../core/tree/messages.ts';
import type { NodeFile } from '../../core/tree/node-file.ts';
import type { NodeStatus } from '../../core/tree/node-status.ts';
import type { AvailableActions } from '../actions/available-actions.ts';
import { openingCommand } from '../documents/open-document.ts';
import { figures } from '../figures.ts';
import { translated } from '../kind-words.ts';
import { keptText, messageText } from '../message-text.ts';
import { elementId, isCutOff, type NodeElement, statusOf } from './tree-element.ts';

const LONGEST = 300;

/** A glyph of a kind as one of the editor's icons. */
const ICONS: Record<Look['glyph'], string> = {
  open: 'circle-outline',
  busy: 'loading~spin',
  done: 'pass',
  end: 'circle-filled',
  cut: 'circle-slash',
  failed: 'error',
  merged: 'git-merge',
  aside: 'bookmark',
};
const COLOURS: Record<Look['tone'], string | undefined> = {
  plain: undefined,
  busy: 'charts.blue',
  good: 'charts.green',
  dim: 'disabledForeground',
  bad: 'errorForeground',
};
const BEST = { icon: 'star-full', colour: 'charts.yellow' };

/** A status in the user's language. */
export function statusText(status: NodeStatus): string {
  return messageText(statusWords[status]());
}

/** One line of a model's text, without code marks, which a label would show literally. */
function plain(text: string): string {
  return oneLine(text.replaceAll('`', ''), LONGEST);
}

/**
 * A node as the sidebar shows it.
 * @param isAlone whether what is below it is not shown there
 */
export function nodeItem(element: NodeElement, available: AvailableActions, isAlone = false): vscode.TreeItem {
  const { file, children, folder, path, hasDocument } = element;
  const hasChildren = children > 0 && !isAlone;
  const collapsed = hasChildren ? vscode.TreeItemCollapsibleState.Collapsed : vscode.TreeItemCollapsibleState.None;
  const item = new vscode.TreeItem(plain(file.title), collapsed);
  item.id = elementId(element);
  item.iconPath = iconOf(element, available);
  item.description = describe(element, available);
  // What can be done to it, as flags for `when` clauses.
  item.contextValue = ['node', ...available.flagsOf(element.search, available.onRow(element))].join(' ');
  item.resourceUri = nodeUri(element);
  item.accessibilityInformation = { label: spoken(element, available) };
  if (hasDocument) item.command = openingCommand(vscode.Uri.file(join(folder, ...path.split('/'), 'document.md')));
  return item;
}

/** The scheme of nodes' URIs in the sidebar: its decorations are separate from the Explorer's. */
export const NODE_SCHEME = 'thought-tree-node';

/** Identifies the node and its look, so that its label is redrawn when that changes. */
function nodeUri(element: NodeElement): vscode.Uri {
  const status = isCutOff(element) ? 'pruned' : statusOf(element);
  return vscode.Uri.from({ scheme: NODE_SCHEME, path: `/${element.path}`, query: status });
}

function iconOf(element: NodeElement, available: AvailableActions): vscode.ThemeIcon {
  const status = statusOf(element);
  const isGood = element.isBest && (status === 'expanded' || status === 'leaf');
  const look = available.faceFor(element.search)?.look ?? lookOfStatus;
  const { glyph, tone } = look({ ...element.file, status, below: element.below });
  const colour = isGood ? BEST.colour : COLOURS[tone];
  return new vscode.ThemeIcon(
    isGood ? BEST.icon : ICONS[glyph],
    colour === undefined ? undefined : new vscode.ThemeColor(colour),
  );
}

/** What its kind says of a node, in the user's language. */
function marksOf({ search, file, below = [] }: NodeElement, available: AvailableActions): string[] {
  const marks = available.faceFor(search)?.marks;
  return (marks?.of(file.own, below) ?? []).map(({ text }) => (marks?.texts.includes(text) ? translated(text) : text));
}

function describe(element: NodeElement, available: AvailableActions): string {
  const { file, isBest } = element;
  const score = file.evaluation ? figures.score(file.evaluation.score) : '';
  const best = isBest && file.evaluation ? vscode.l10n.t('best path') : '';
  const summary = plain(file.summary ?? '');
  const marks = marksOf(element, available);
  // Some summaries begin with a mark.
  const rest = marks.reduce(
    (text, mark) => (text.startsWith(`${mark}: `) ? text.slice(mark.length + 2) : text),
    summary,
  );
  return [...marks, score, best, fateText(file) ?? '', rest].filter((part) => part !== '').join(' · ');
}

/** The fate of a thought in addition to its status, in a few words. */
function fateText({ status, sameAs, selected, prunedBy, leafReason, unscored }: NodeFile): string | undefined {
  if (sameAs !== undefined) return vscode.l10n.t('same as {0}', plain(sameAs.split('/').at(-1) ?? ''));
  if (status === 'pruned') return prunedBy && prunedBy !== 'user' ? messageText(prunedWords[prunedBy]()) : undefined;
  if (leafReason === 'solved') return messageText(leafWords.solved());
  if (selected === false && status === 'unexpanded') return vscode.l10n.t('good enough, not kept');
  return unscored ? vscode.l10n.t('not scored') : undefined;
}

function spoken(element: NodeElement, available: AvailableActions): string {
  const { file, children, isBest } = element;
  const marks = marksOf(element, available);
  const parts = [plain(file.title), ...(marks.length > 0 ? marks : [statusText(statusOf(element))])];
  if (isBest) parts.push(vscode.l10n.t('best path'));
  if (file.evaluation) parts.push(vscode.l10n.t('score {0}', figures.score(file.evaluation.score)));
  const fate = fateText(file);
  if (fate) parts.push(fate);
  if (children > 0) parts.push(vscode.l10n.t('{0} children', children));
  return parts.join(', ');
}

function scoreWords({ score, confidence, votes = [] }: NonNullable<NodeFile['evaluation']>): string {
  const sure = confidence === undefined ? [] : [vscode.l10n.t('confidence {0}', figures.score(confidence))];
  const samples = votes.length > 1 ? [vscode.l10n.t('votes {0}', votes.map(figures.score).join(' '))] : [];
  return [`${figures.score(score)} / 10`, ...sure, ...samples].join(', ');
}

function quotationWords({ verified, moved, stale, not_found }: NonNullable<NodeFile['citations']>): string {
  return vscode.l10n.t('{0} verified, {1} moved, {2} stale, {3} not found', verified, moved, stale, not_found);
}

/** The tooltip, made on demand. */
export function nodeTooltip(element: NodeElement, receipt?: string): vscode.MarkdownString {
  const { file, search, path } = element;
  const text = new vscode.MarkdownString('', true);
  const line = (label: string, value: string): void => {
    text.appendMarkdown('\n\n').appendText(`${label}: ${value}`);
  };
  text.appendText(plain(file.title));
  if (file.summary) text.appendMarkdown('\n\n').appendText(oneLine(file.summary, 1000));
  line(vscode.l10n.t('Status'), statusText(statusOf(element)));
  if (receipt !== undefined) line(vscode.l10n.t('Receipt'), oneLine(receipt, 500));
  if (file.evaluation) line(vscode.l10n.t('Score'), scoreWords(file.evaluation));
  if (file.citations) line(vscode.l10n.t('Quotations'), quotationWords(file.citations));
  const why = file.why && keptText(file.why, file.whySay);
  const fate = [fateText(file), why].filter((part) => part !== undefined && part !== '');
  if (fate.length > 0) line(vscode.l10n.t('Outcome'), oneLine(fate.join(': '), 500));
  if (file.failure)
    line(vscode.l10n.t('Why it failed'), oneLine(keptText(file.failure.message, file.failure.say), 1000));
  const spent = search.spentOn(path);
  if (spent) {
    const money = spent.usd > 0 ? [figures.usd(spent.usd)] : [];
    line(vscode.l10n.t('Calls'), [spent.calls, figures.tokens(spent.tokens), ...money].join(', '));
    line(vscode.l10n.t('Time'), figures.duration(spent.ms));
  }
  if (file.model) line(vscode.l10n.t('Model'), file.model);
  if (file.note) line(vscode.l10n.t('Note'), oneLine(file.note, 500));
  return text;
}
