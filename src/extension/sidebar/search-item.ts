import * as vscode from 'vscode';
import type { KindWords } from '../../core/search/kind-face.ts';
import { stateWords } from '../../core/search/messages.ts';
import { progressWords } from '../../core/search/progress.ts';
import type { SearchState } from '../../core/search/record/search-state.ts';
import { oneLine } from '../../core/text/text.ts';
import type { AvailableActions } from '../actions/available-actions.ts';
import { figures } from '../figures.ts';
import type { FollowedSearch } from '../library/followed-search.ts';
import { messageText } from '../message-text.ts';
import { elementId, type SearchElement } from './tree-element.ts';

const ICONS: Record<SearchState, { icon: string; colour?: string }> = {
  running: { icon: 'sync~spin', colour: 'charts.blue' },
  waiting: { icon: 'watch', colour: 'charts.orange' },
  paused: { icon: 'debug-pause', colour: 'charts.orange' },
  interrupted: { icon: 'debug-disconnect', colour: 'charts.orange' },
  finished: { icon: 'pass-filled', colour: 'charts.green' },
};
const UNKNOWN: { icon: string; colour?: string } = { icon: 'type-hierarchy' };

/** A search's state in the user's language. */
export function stateText(state: SearchState): string {
  return messageText(stateWords[state]());
}

/** A search as the sidebar shows it. */
export function searchItem(element: SearchElement, available: AvailableActions): vscode.TreeItem {
  const { search } = element;
  const item = new vscode.TreeItem(
    oneLine(search.title, 300),
    element.isOpen ? vscode.TreeItemCollapsibleState.Expanded : vscode.TreeItemCollapsibleState.Collapsed,
  );
  item.id = elementId(element);
  if (search.problem !== undefined) {
    item.iconPath = new vscode.ThemeIcon('warning', new vscode.ThemeColor('problemsWarningIcon.foreground'));
    item.description = oneLine(messageText(search.problem), 300);
    item.contextValue = 'broken';
    item.collapsibleState = vscode.TreeItemCollapsibleState.None;
    return item;
  }
  const { icon, colour } = isKnown(search) ? ICONS[search.state] : UNKNOWN;
  item.iconPath = new vscode.ThemeIcon(icon, colour === undefined ? undefined : new vscode.ThemeColor(colour));
  item.description = describe(search, available.faceFor(search)?.words);
  // What can be done to it, as flags for `when` clauses.
  item.contextValue = ['search', ...available.flagsOf(search, available.onSearch(search))].join(' ');
  item.accessibilityInformation = { label: `${oneLine(search.title, 300)}, ${item.description}` };
  return item;
}

/** A running search is shown at once; the results of any other are in its journal. */
function isKnown({ isRead, isActive }: FollowedSearch): boolean {
  return isRead || isActive;
}

function describe(search: FollowedSearch, words: KindWords | undefined): string {
  if (!isKnown(search)) return vscode.l10n.t('being read');
  const parts = [stateText(search.state)];
  const { done, open, failed } = search.progress;
  if (done + open + failed > 0) parts.push(messageText(progressWords(search.progress, words)));
  if (search.spend.usd > 0) parts.push(usedUsd(search.spend));
  return parts.join(' · ');
}

/** What was used, in dollars; a plus sign if more is booked for calls that were cut off. */
export function usedUsd({ usd, booked }: FollowedSearch['spend']): string {
  return `${figures.usd(Math.max(0, usd - booked.usd))}${booked.usd > 0 ? '+' : ''}`;
}

/** What counts for calls that were cut off, or whose server did not say what they used. */
export function bookedText({ calls, tokens, usd }: FollowedSearch['spend']['booked']): string {
  const most = usd > 0 ? `${figures.tokens(tokens)}, ${figures.usd(usd)}` : figures.tokens(tokens);
  return vscode.l10n.t('up to {0} for calls without a told usage: {1}', most, calls);
}

/** The tooltip of a search: its question and its results. */
export function searchTooltip({ search }: SearchElement): vscode.MarkdownString {
  const text = new vscode.MarkdownString('', true);
  const line = (label: string, value: string): void => {
    text.appendMarkdown('\n\n').appendText(`${label}: ${value}`);
  };
  text.appendText(oneLine(search.file?.prompt ?? search.title, 1000));
  line(
    vscode.l10n.t('State'),
    stateText(search.state) + (search.reason ? `. ${oneLine(messageText(search.reason), 500)}` : ''),
  );
  const { calls, prompt, cached, completion, usd, minutes, booked } = search.spend;
  const tokens = figures.tokens(prompt + completion);
  const fromCache = cached > 0 ? [vscode.l10n.t('{0} of them cached', figures.count(cached))] : [];
  const money = usd > 0 ? [figures.usd(usd - booked.usd)] : [];
  line(vscode.l10n.t('Calls'), [calls, tokens, ...fromCache, ...money].join(', '));
  if (booked.calls > 0) line(vscode.l10n.t('Booked, not used for certain'), bookedText(booked));
  line(vscode.l10n.t('Time'), figures.duration(minutes * 60_000));
  if (search.model) line(vscode.l10n.t('Model'), search.model);
  return text;
}
