import { join } from 'node:path';
import * as vscode from 'vscode';
import type { Look } from '../../core/kind/kind-drawing.ts';
import { lookOfStatus, UNKNOWN_WORDS } from '../../core/kind/kind-face.ts';
import { nodesCounted } from '../../core/search/progress.ts';
import { shortLabel, withoutMarks } from '../../core/text/short-label.ts';
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
/** The most of why a node failed in its row. */
const LONGEST_FAILURE = 80;

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
/** Gold says best; the shape still says what became of it. */
const BEST = 'charts.yellow';

/** A status in the user's language. */
export function statusText(status: NodeStatus): string {
  return messageText(statusWords[status]());
}

/** One line of a model's text, without code marks, which a label would show literally. */
function plain(text: string, longest = LONGEST): string {
  return oneLine(withoutMarks(text), longest);
}

/**
 * A node as the sidebar shows it.
 * @param isAlone whether what is below it is not shown there
 */
export function nodeItem(element: NodeElement, available: AvailableActions, isAlone = false): vscode.TreeItem {
  const { file, children, folder, path, hasDocument } = element;
  const hasChildren = children > 0 && !isAlone;
  const collapsed = hasChildren ? vscode.TreeItemCollapsibleState.Collapsed : vscode.TreeItemCollapsibleState.None;
  const item = new vscode.TreeItem(shortLabel(file.title).label, collapsed);
  item.id = elementId(element);
  item.iconPath = iconOf(element, available);
  item.description = describe(element, available);
  // Possible actions are flags for `when` clauses.
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
  const colour = isGood ? BEST : COLOURS[tone];
  return new vscode.ThemeIcon(ICONS[glyph], colour === undefined ? undefined : new vscode.ThemeColor(colour));
}

/** Returns what its kind says of a node, in the user's language. */
function marksOf({ search, file, below = [] }: NodeElement, available: AvailableActions): string[] {
  const marks = available.faceFor(search)?.marks;
  return (marks?.of(file.own, below) ?? []).map(({ text }) => (marks?.texts.includes(text) ? translated(text) : text));
}

/** Describes a node, what matters most first: a narrow sidebar shows no more than that. */
function describe(element: NodeElement, available: AvailableActions): string {
  const { file, isBest } = element;
  const score = file.evaluation ? figures.score(file.evaluation.score) : '';
  const best = isBest && file.evaluation ? vscode.l10n.t('best path') : '';
  const marks = marksOf(element, available);
  // Some summaries begin with a mark.
  const summary = marks.reduce(
    (text, mark) => (text.startsWith(`${mark}: `) ? text.slice(mark.length + 2) : text),
    plain(file.summary ?? ''),
  );
  const failure = file.status === 'failed' ? plain(failureText(file), LONGEST_FAILURE) : '';
  const { rest } = shortLabel(file.title);
  const isOlder = element.hasDocument && element.search.record.edits.isOlder(element.path);
  const older = isOlder ? vscode.l10n.t('older than the text above it') : '';
  const parts = [...marks, score, best, fateText(element) ?? '', older, failure, rest, summary];
  return parts.filter((part) => part !== '').join(' · ');
}

/** Why it failed, in words; empty if it did not. */
export function failureText({ failure }: NodeFile): string {
  return failure ? keptText(failure.message, failure.say) : '';
}

/** The fate of a thought in addition to its status, in a few words. */
export function fateText({ file, same }: NodeElement): string | undefined {
  const { status, sameAs, selected, prunedBy, leafReason, unscored } = file;
  if (sameAs !== undefined)
    return vscode.l10n.t('same as {0}', shortLabel(same ?? sameAs.split('/').at(-1) ?? '').label);
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
  const fate = fateText(element);
  if (fate) parts.push(fate);
  const words = available.faceFor(element.search)?.words ?? UNKNOWN_WORDS;
  if (children > 0) parts.push(vscode.l10n.t('{0} below', messageText(nodesCounted(children, words))));
  return parts.join(', ');
}
