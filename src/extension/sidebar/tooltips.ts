import * as vscode from 'vscode';
import { markWords } from '../../core/citations/messages.ts';
import { UNKNOWN_TERMS } from '../../core/kind/kind-descriptor.ts';
import type { NodeSpend } from '../../core/search/record/nodes-seen.ts';
import { withoutMarks } from '../../core/text/short-label.ts';
import { oneLine } from '../../core/text/text.ts';
import type { NodeFile } from '../../core/tree/node-file.ts';
import type { AvailableActions } from '../actions/available-actions.ts';
import { figures } from '../figures.ts';
import type { FollowedSearch } from '../library/followed-search.ts';
import { keptText, messageText, translated } from '../message-text.ts';
import { failureText, fateText, statusText } from './node-item.ts';
import { bookedText, callsText, folderOf, moreOf, progressText, standing } from './search-item.ts';
import { type NodeElement, type SearchElement, statusOf } from './tree-element.ts';

/** The tooltips of rows: loaded when a pointer first rests on one. */
export const tooltips = { ofSearch, ofNode };

/** Returns the tooltip of a search: its question, how it stands, and what it used. */
function ofSearch({ search }: SearchElement, available: AvailableActions): vscode.MarkdownString {
  const words = available.descriptorFor(search)?.words;
  const { booked } = search.spend;
  const more = moreOf(search);
  return factTable(search.file?.prompt ?? search.title, '', [
    [vscode.l10n.t('State'), more === '' ? standing(search, words) : `${standing(search, words)}: ${more}`],
    [translated((words ?? UNKNOWN_TERMS).label), progressText(search, words)],
    [vscode.l10n.t('Used'), usedText(search.spend)],
    [vscode.l10n.t('Booked, not used for certain'), booked.calls > 0 ? bookedText(booked) : ''],
    [vscode.l10n.t('Model'), search.model ?? ''],
    [vscode.l10n.t('Folder'), folderOf(search)],
    [vscode.l10n.t('Note'), search.note ?? ''],
  ]);
}

function usedText({ calls, prompt, cached, completion, usd, minutes, booked }: FollowedSearch['spend']): string {
  if (calls === 0) return '';
  const tokens = prompt + completion;
  return [
    callsText(calls),
    ...(tokens > 0 ? [figures.tokens(tokens)] : []),
    ...(cached > 0 ? [vscode.l10n.t('{0} of them cached', figures.count(cached))] : []),
    ...(usd > 0 ? [figures.usd(usd - booked.usd)] : []),
    figures.duration(minutes * 60_000),
  ].join(', ');
}

/** Makes the tooltip of a node. @param receipt how it came about, in a line */
function ofNode(element: NodeElement, receipt = ''): vscode.MarkdownString {
  const { file, search, path } = element;
  const why = file.why === undefined ? '' : keptText(file.why, file.whySay);
  const outcome = [fateText(element) ?? '', why].filter((part) => part !== '');
  const status = statusText(statusOf(element));
  return factTable(file.title, file.summary ?? '', [
    [vscode.l10n.t('Status'), element.isBest ? `${status}, ${vscode.l10n.t('best path')}` : status],
    [vscode.l10n.t('Why it failed'), failureText(file)],
    [vscode.l10n.t('Outcome'), outcome.join(': ')],
    [vscode.l10n.t('Score'), file.evaluation ? scoreWords(file.evaluation) : ''],
    [vscode.l10n.t('Quotations'), file.citations ? quotationWords(file.citations) : ''],
    [vscode.l10n.t('Receipt'), receipt],
    [vscode.l10n.t('Used'), spentWords(search.spentOn(path))],
    [vscode.l10n.t('Model'), file.model ?? ''],
    [vscode.l10n.t('Note'), file.note ?? ''],
  ]);
}

function scoreWords({ score, confidence, votes = [] }: NonNullable<NodeFile['evaluation']>): string {
  const sure = confidence === undefined ? [] : [vscode.l10n.t('confidence {0}', figures.score(confidence))];
  const samples = votes.length > 1 ? [vscode.l10n.t('votes {0}', votes.map(figures.score).join(' '))] : [];
  return [vscode.l10n.t('{0} of 10', figures.score(score)), ...sure, ...samples].join(', ');
}

/** Returns the results of checking its quotations; marks without quotations are left out. */
function quotationWords(counts: NonNullable<NodeFile['citations']>): string {
  const marks = (['verified', 'moved', 'stale', 'not_found'] as const).filter((mark) => counts[mark] > 0);
  return marks.map((mark) => `${counts[mark]} ${messageText(markWords[mark]())}`).join(', ');
}

function spentWords(spent: NodeSpend | undefined): string {
  if (!spent) return '';
  const { calls, tokens, usd, ms } = spent;
  return [
    callsText(calls),
    ...(tokens > 0 ? [figures.tokens(tokens)] : []),
    ...(usd > 0 ? [figures.usd(usd)] : []),
    figures.duration(ms),
  ].join(', ');
}

/** Tooltips are no documents. */
const LONGEST = 500;

/** A label and what it says; an empty text is left out. */
type Fact = readonly [label: string, text: string];

/**
 * A tooltip: a title, what it is about, and a short table. Texts of models stay texts whatever they hold: nothing in them
 * is a link, an icon, a command or code.
 */
function factTable(title: string, about: string, facts: readonly Fact[]): vscode.MarkdownString {
  const rows = facts
    .filter(([, text]) => text !== '')
    .map(([label, text]) => `| ${escaped(label)} | ${escaped(text)} |`);
  // A table needs a head, and what comes first matters most.
  const [head, ...others] = rows;
  const table = head === undefined ? '' : [head, '| :-- | :-- |', ...others].join('\n');
  const parts = [escaped(title), escaped(about, 2 * LONGEST), table].filter((part) => part !== '');
  return new vscode.MarkdownString(parts.join('\n\n'), true);
}

/** Returns a text as Markdown that shows it, in a paragraph or a cell. */
function escaped(text: string, longest = LONGEST): string {
  const line = oneLine(withoutMarks(text), longest);
  return (
    new vscode.MarkdownString('', true)
      .appendText(line)
      // Spaces that cannot break make lines that do not fit; what looks like a tag would be left out.
      .value.replaceAll('&nbsp;', ' ')
      .replaceAll('<', '&lt;')
      .replaceAll('|', '&#124;')
      .replace(/^(\d+)\./, '$1\\.')
  );
}
