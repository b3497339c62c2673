import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { KindTerms } from '../../core/kind/kind-descriptor.ts';
import type { PauseReason } from '../../core/search/events.ts';
import { ledWords, standingWords, stateOf } from '../../core/search/messages.ts';
import { progressWords } from '../../core/search/progress.ts';
import type { SearchState } from '../../core/search/record/search-state.ts';
import { shortLabel, withoutMarks } from '../../core/text/short-label.ts';
import { oneLine } from '../../core/text/text.ts';
import type { AvailableActions } from '../actions/available-actions.ts';
import { isToBegin } from '../documents/plan-lenses.ts';
import { figures } from '../figures.ts';
import type { FollowedSearch } from '../library/followed-search.ts';
import { messageText, translated } from '../message-text.ts';
import type { DATE_GROUPS, STATUS_GROUPS } from './arrange-searches.ts';
import { noteInRow, spokenNote } from './node-item.ts';
import { elementId, type SearchElement } from './tree-element.ts';

/** An icon tells the kind of a search, its colour the state, which a row also says in words unless it is finished. */
const COLOURS: Record<SearchState, string> = {
  running: 'charts.blue',
  // What the charts call orange lets the background through, so that it is hardly seen there.
  waiting: 'list.warningForeground',
  paused: 'list.warningForeground',
  interrupted: 'list.warningForeground',
  finished: 'charts.green',
};
const FAILED = { icon: 'error', colour: 'errorForeground' };
const UNKNOWN = 'type-hierarchy';
const LONGEST_TITLE = 300;
/** The most of a reason or an answer in a row. */
const LONGEST_SAID = 60;

/** Returns a search's state in the user's language, or how far it is where somebody outside leads it. */
export function stateText(search: Pick<FollowedSearch, 'state' | 'led'>): string {
  return messageText(stateOf(search));
}

/** Tells how a search stands, in the user's language: the limit that it rests at, else its state. */
export function standingText(search: FollowedSearch): string {
  if (waitsForStart(search)) return vscode.l10n.t('waits for Start');
  return messageText(standingWords(search, search.record.limitReached));
}

/** Returns a search as the sidebar shows it. */
export function searchItem(element: SearchElement, available: AvailableActions): vscode.TreeItem {
  const { search } = element;
  const item = new vscode.TreeItem(
    oneLine(withoutMarks(search.title), LONGEST_TITLE),
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
  const words = available.descriptorFor(search)?.words;
  const { icon, colour } = iconOf(search, words);
  item.iconPath = new vscode.ThemeIcon(icon, colour === undefined ? undefined : new vscode.ThemeColor(colour));
  const [standing, ...others] = describe(search, words);
  const said = [...(search.state === 'finished' && standing === stateText(search) ? [] : [standing]), ...others];
  item.description = [...said, noteInRow(search.note)].filter((part) => part !== '').join(' · ');
  // Possible actions are flags for `when` clauses.
  const flags = available.flagsOf(search, available.onSearch(search));
  item.contextValue = ['search', ...(search.note ? [...flags, 'noted'] : flags)].join(' ');
  const label = [oneLine(search.title, LONGEST_TITLE), [standing, ...others].join(' · '), spokenNote(search.note)];
  item.accessibilityInformation = { label: label.filter((part) => part !== '').join(', ') };
  return item;
}

function iconOf(search: FollowedSearch, words: KindTerms | undefined): { icon: string; colour?: string } {
  const { state } = search;
  const icon = words?.icon ?? UNKNOWN;
  if (!isKnown(search)) return { icon };
  if (hasFailed(search)) return FAILED;
  return ledWords(search) ? { icon } : { icon, colour: COLOURS[state] };
}

/** Tells whether a search came to its end with nothing: it tried something, and all of it failed. */
function hasFailed({ state, progress: { done, failed } }: FollowedSearch): boolean {
  return state === 'finished' && failed > 0 && done === 0;
}

/** A running search is shown at once; the results of any other are in its journal. */
function isKnown({ isRead, isActive }: FollowedSearch): boolean {
  return isRead || isActive;
}

/** Says of a search how it stands, then what else matters, the most first: a narrow sidebar shows no more than that. */
function describe(search: FollowedSearch, words: KindTerms | undefined): [standing: string, ...others: string[]] {
  if (!isKnown(search)) return [vscode.l10n.t('being read')];
  const money = search.spend.usd > 0 ? usedUsd(search.spend) : '';
  const age = search.isActive ? '' : ageOf(search.file?.createdAt);
  const others = [age, folderOf(search), progressText(search, words), money];
  return [shortStanding(search, words), ...others.filter((part) => part !== '')];
}

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** Tells how long ago it was created, in the largest unit: "2h ago"; empty if that is unknown. */
function ageOf(createdAt: string | undefined): string {
  const ms = Date.now() - Date.parse(createdAt ?? '');
  if (!(ms >= 0)) return '';
  const [unit, length] = UNITS.find(([, each]) => ms >= each) ?? ['minute', 60_000];
  const words = new Intl.RelativeTimeFormat(vscode.env.language, { style: 'narrow', numeric: 'auto' });
  return words.format(-Math.floor(ms / length), unit);
}

/** Tells in a few words how it stands: its state, or what came of it, or what it rests at. */
export function standing(search: FollowedSearch, words: KindTerms | undefined): string {
  const { state, record, file } = search;
  const { turn } = record;
  if (state !== 'finished') return standingText(search);
  const findings = record.findings(file?.kind);
  const isSolved = findings?.solved ?? (turn?.type === 'search-finished' && turn.reason === 'solved');
  if (isSolved && words?.reached !== undefined) return translated(words.reached);
  return findings?.finishedPath.length === 0 ? vscode.l10n.t('no solution') : stateText(search);
}

/** Says why it rests, if not because a person said so; of a solved search, its answer. */
export function moreOf(search: FollowedSearch): string {
  const { state, record, file, reason, halfAccepted } = search;
  if (halfAccepted) return messageText(halfAccepted);
  if (waitsForStart(search)) return '';
  if (state === 'finished' && !hasFailed(search)) return record.findings(file?.kind)?.answer ?? '';
  return reason && !isPausedBy(search, 'user') ? messageText(reason) : '';
}

/** Tells whether it was made and never begun, as one whose plan is looked at first: what resumes it is called *Start*. */
export function waitsForStart(search: FollowedSearch): boolean {
  const { state, isDivided, led, cause } = search;
  const isAtRest = state === 'paused' || state === 'interrupted';
  return isAtRest && !isDivided && !led && cause === undefined && isToBegin(search);
}

function isPausedBy({ state, record: { turn } }: FollowedSearch, reason: PauseReason): boolean {
  return state === 'paused' && turn?.type === 'search-paused' && turn.reason === reason;
}

/** Tells how it stands in a row, where the numbers follow that a budget is about. */
function shortStanding(search: FollowedSearch, words: KindTerms | undefined): string {
  const more = isPausedBy(search, 'budget') ? '' : said(moreOf(search));
  return more === '' ? standing(search, words) : `${standing(search, words)}: ${more}`;
}

function said(text: string): string {
  return shortLabel(text, LONGEST_SAID).label;
}

/** Tells how far it is, in the words of its kind, or what it waits for; empty before its first nodes. */
export function progressText({ progress, doing }: FollowedSearch, words: KindTerms | undefined): string {
  if (doing) return messageText(doing);
  const { done, open, failed } = progress;
  return done + open + failed > 0 ? messageText(progressWords(progress, words)) : '';
}

/** Returns the name of the workspace's folder that it searches, if there are several; otherwise empty. */
export function folderOf({ workspace }: FollowedSearch): string {
  return (vscode.workspace.workspaceFolders ?? []).length < 2 ? '' : folderName(workspace);
}

/** Tells what was used, in dollars; with a plus sign if more is booked for calls that were cut off. */
export function usedUsd({ usd, booked }: FollowedSearch['spend']): string {
  return `${figures.usd(Math.max(0, usd - booked.usd))}${booked.usd > 0 ? '+' : ''}`;
}

/** Tells what counts for calls that were cut off, or whose server did not say what they used. */
export function bookedText({ calls, tokens, usd }: FollowedSearch['spend']['booked']): string {
  const most = usd > 0 ? `${figures.tokens(tokens)}, ${figures.usd(usd)}` : figures.tokens(tokens);
  return vscode.l10n.t('up to {0} for calls without a told usage: {1}', most, calls);
}

/** Returns a number of calls. */
export function callsText(calls: number): string {
  return calls === 1 ? vscode.l10n.t('1 call') : vscode.l10n.t('{0} calls', figures.count(calls));
}

/** Returns what a person calls one of the workspace's folders. */
function folderName(path: string): string {
  return vscode.workspace.workspaceFolders?.find(({ uri }) => uri.fsPath === path)?.name ?? basename(path);
}

/** Returns the title of a group of searches: those by status and date have names of ours, others are kinds and folders. */
export function searchesTitle(name: string, available: AvailableActions): string {
  const ours: Readonly<Record<string, string>> = {
    running: vscode.l10n.t('Running'),
    resting: vscode.l10n.t('Paused or interrupted'),
    finished: vscode.l10n.t('Finished'),
    unreadable: vscode.l10n.t('Cannot be read'),
    today: vscode.l10n.t('Today'),
    yesterday: vscode.l10n.t('Yesterday'),
    week: vscode.l10n.t('Last 7 days'),
    month: vscode.l10n.t('Last 30 days'),
    earlier: vscode.l10n.t('Earlier'),
    '': vscode.l10n.t('Unknown kind'),
  } satisfies Record<(typeof STATUS_GROUPS)[number] | (typeof DATE_GROUPS)[number] | '', string>;
  const kind = available.titleOf(name);
  return ours[name] ?? (kind === undefined ? folderName(name) : translated(kind));
}
