import * as vscode from 'vscode';
import type { Forecast } from '../../core/money/forecast.ts';
import type { Size } from '../../core/search/limits.ts';
import type { PresetName } from '../../core/search/thought-options.ts';
import { forecastWords } from '../forecast-words.ts';
import type { Settings } from '../settings.ts';
import { COMMAND_TASK } from './task-hooks.ts';

/** What a search is for. */
export type SearchKind = 'research' | 'thoughts';

/** What sort of problem is to be solved. */
export interface Sort {
  readonly preset?: PresetName;
  readonly task?: string;
}

/** @param last the kind that was chosen before, which comes first */
export async function askKind(last: SearchKind): Promise<SearchKind | undefined> {
  const research = {
    label: `$(book) ${vscode.l10n.t('Research a question')}`,
    detail: vscode.l10n.t('Topics and subtopics, each with a document; a report answers the question.'),
    search: 'research' as const,
  };
  const thoughts = {
    label: `$(lightbulb) ${vscode.l10n.t('Solve a problem')}`,
    detail: vscode.l10n.t('Thoughts are proposed and scored, and the best are gone on with, up to a solution.'),
    search: 'thoughts' as const,
  };
  const items = last === 'thoughts' ? [thoughts, research] : [research, thoughts];
  const title = vscode.l10n.t('Start Tree Search');
  const placeHolder = vscode.l10n.t('What is the search for?');
  return (await vscode.window.showQuickPick(items, { title, placeHolder, ignoreFocusOut: true }))?.search;
}

/**
 * Which task or preset suits the problem; a command and hooks of their own only where the user's settings have them.
 * @param ownTask the name of the task in their hooks
 */
export async function askSort({ checkCommand, hooks }: Settings, ownTask?: string): Promise<Sort | undefined> {
  const item = (label: string, detail: string, sort: Sort) => ({ label, detail, sort });
  const items = [
    item(vscode.l10n.t('Any problem'), vscode.l10n.t('Breadth first, judged by correctness and progress.'), {}),
    item(vscode.l10n.t('Mathematics'), vscode.l10n.t('Many paths at once; what scores little is cut early.'), {
      preset: 'math_reasoning',
    }),
    item(vscode.l10n.t('Creative writing'), vscode.l10n.t('Drafts are compared with each other.'), {
      preset: 'creative_writing',
    }),
    item(vscode.l10n.t('Planning'), vscode.l10n.t('One plan to its end, then back to where another may be better.'), {
      preset: 'planning',
    }),
    item(vscode.l10n.t('Architecture and design'), vscode.l10n.t('Designs are compared: fit, simplicity.'), {
      preset: 'architecture_design',
    }),
    item(vscode.l10n.t('Debugging'), vscode.l10n.t('One suspicion after the other, the most plausible first.'), {
      preset: 'debugging',
    }),
    item(vscode.l10n.t('Game of 24'), vscode.l10n.t('Four numbers, as in 4 9 10 13; each step is checked.'), {
      task: 'game24',
    }),
    ...(checkCommand.length > 0 && vscode.workspace.isTrusted
      ? [item(vscode.l10n.t('What a command accepts'), checkCommand.join(' '), { task: COMMAND_TASK })]
      : []),
    ...(ownTask === undefined ? [] : [item(ownTask, hooks, { task: ownTask })]),
  ];
  const title = vscode.l10n.t('What sort of problem is it?');
  return (await vscode.window.showQuickPick(items, { title, ignoreFocusOut: true, matchOnDetail: true }))?.sort;
}

/** As in `Size`, whose checks the extension loads later. */
const SIZES = ['small', 'medium', 'large', 'all'] as const satisfies readonly Size[];

/**
 * How far it may go, each size with what it is likely to come to; the usual one first.
 * @param forecast what a size comes to; undefined where that has no end that could be told
 */
export async function askSize(
  usual: Size,
  forecast: (size: Size) => Promise<Forecast | undefined>,
): Promise<Size | undefined> {
  const labels: Record<Size, string> = {
    small: vscode.l10n.t('Small: 20 expansions'),
    medium: vscode.l10n.t('Medium: 60 expansions'),
    large: vscode.l10n.t('Large: 200 expansions'),
    all: vscode.l10n.t('All: until nothing is open'),
  };
  const sizes = [usual, ...SIZES.filter((size) => size !== usual)];
  const items = Promise.all(
    sizes.map(async (size) => {
      const expected = await forecast(size).catch(() => undefined);
      const detail = expected ? forecastWords(expected) : vscode.l10n.t('as far as its budget goes');
      return { label: labels[size], detail, size };
    }),
  );
  const title = vscode.l10n.t('How far may the search go?');
  return (await vscode.window.showQuickPick(items, { title, ignoreFocusOut: true }))?.size;
}
