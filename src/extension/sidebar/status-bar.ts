import * as vscode from 'vscode';
import { oneLine } from '../../core/text/text.ts';
import type { AvailableActions } from '../actions/available-actions.ts';
import { figures, forecastWords, leftWords } from '../figures.ts';
import type { FollowedSearch } from '../library/followed-search.ts';
import type { SearchLibrary } from '../library/search-library.ts';
import { messageText, translated } from '../message-text.ts';
import { bookedText, progressText, standing, standingText, usedUsd } from './search-item.ts';

/** Share of a limit from which on the item warns. */
const NEARLY_SPENT = 0.8;

/** Between two looks at the limits over everything, in milliseconds. */
const PURSE_MS = 5000;

/**
 * One item on the left: what runs, or the newest search; its progress and spend. Hidden if there is no search. A click
 * offers what can be done with exactly what it shows.
 */
export class StatusBar implements vscode.Disposable {
  readonly #library: SearchLibrary;
  readonly #available: Pick<AvailableActions, 'descriptorFor'>;
  readonly #item: vscode.StatusBarItem;
  readonly #subscription: vscode.Disposable;
  /** What all searches of this person spent, of their limits over everything. */
  #purse: readonly string[] = [];
  #readAt = Number.NEGATIVE_INFINITY;

  constructor(library: SearchLibrary, available: Pick<AvailableActions, 'descriptorFor'>) {
    this.#library = library;
    this.#available = available;
    this.#item = vscode.window.createStatusBarItem('thoughtTree', vscode.StatusBarAlignment.Left, 10);
    this.#item.name = 'Thought Tree';
    this.#subscription = library.onDidChange(() => this.#draw());
    this.#draw();
  }

  #draw(): void {
    const shown = urgent(this.#library.searches);
    if (shown.length === 0) {
      this.#item.hide();
      return;
    }
    const [only] = shown.length === 1 ? shown : [];
    const text = only ? this.#textOf(only) : vscode.l10n.t('{0} searches running', shown.length);
    const usd = shown.reduce((sum, { spend }) => sum + spend.usd, 0);
    const money = only && usd > 0 ? ` · ${usedUsd(only.spend)}` : '';
    const served = fleetWords(shown.find(({ fleet }) => fleet)?.fleet);
    this.#item.text = `$(${only ? icon(only) : 'sync~spin'}) ${text}${money}${served && ` · ${served}`}`;
    const command = { command: 'thoughtTree.showActions', title: 'Thought Tree' };
    this.#item.command = { ...command, arguments: only ? [{ folder: only.folder }] : [] };
    const lines = shown.flatMap((search) => this.#tooltipOf(search));
    const spends = usd > 0 && shown.some(({ isActive }) => isActive);
    if (spends) void this.#readPurse().catch(() => undefined);
    const purse = spends ? this.#purse : [];
    this.#item.tooltip = [...lines, ...purse, ...(served === '' ? [] : [vscode.l10n.t('Fleet: {0}', served)])].join(
      '\n',
    );
    this.#item.accessibilityInformation = { label: `Thought Tree, ${lines[0]}, ${text}${served && `, ${served}`}` };
    const colour = shown.some(({ cause }) => cause !== undefined)
      ? 'errorBackground'
      : shown.some(isNearlySpent)
        ? 'warningBackground'
        : undefined;
    this.#item.backgroundColor = colour ? new vscode.ThemeColor(`statusBarItem.${colour}`) : undefined;
    this.#item.show();
  }

  /** Looks now and then, while something is spent; what it finds is shown with the next change. */
  async #readPurse(): Promise<void> {
    if (performance.now() - this.#readAt < PURSE_MS) return;
    this.#readAt = performance.now();
    const { pocketsOf } = await import('../../searches/purse/purse.ts');
    this.#purse = (await pocketsOf('')).flatMap(({ scope, spent, booked, limit }) => {
      if (limit === undefined) return [];
      const [used, most] = [figures.usd(spent + booked), figures.usd(limit)];
      return scope === 'day'
        ? vscode.l10n.t('All searches today: {0} of {1}', used, most)
        : vscode.l10n.t('All searches this month: {0} of {1}', used, most);
    });
  }

  /** Says why it rests, if a person can do something about it; else what it waits for, or how far it is. */
  #textOf(search: FollowedSearch): string {
    const { isActive, record, doing } = search;
    if (doing) return messageText(doing);
    if (!isActive && record.limitReached) return standingText(search);
    const words = this.#available.descriptorFor(search)?.words;
    const progressed = progressText(search, words);
    if (progressed !== '') return isActive ? progressed : `${standing(search, words)} · ${progressed}`;
    return isActive && words ? translated(words.beginning) : standingText(search);
  }

  #tooltipOf(search: FollowedSearch): string[] {
    const { spend, callsUnderWay } = search;
    const calls = callsUnderWay > 0 ? [vscode.l10n.t('Calls under way: {0}', callsUnderWay)] : [];
    const booked = spend.booked.calls > 0 ? [vscode.l10n.t('Booked: {0}', bookedText(spend.booked))] : [];
    return [`${oneLine(search.title, 200)}: ${standingText(search)}`, ...calls, ...booked, ...forecastLines(search)];
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#item.dispose();
  }
}

/** Counts the workers, and the calls that wait for one; empty without a fleet. */
function fleetWords(fleet: FollowedSearch['fleet']): string {
  if (!fleet) return '';
  if (fleet.isAway) return vscode.l10n.t('queue away');
  const count = fleet.workers.length + fleet.moreWorkers;
  const workers = count === 1 ? vscode.l10n.t('1 worker') : vscode.l10n.t('{0} workers', count);
  const calls = fleet.waiting.reduce((sum, each) => sum + each.calls, 0);
  if (calls === 0) return workers;
  return `${workers}, ${calls === 1 ? vscode.l10n.t('1 call waits') : vscode.l10n.t('{0} calls wait', calls)}`;
}

/** Returns the forecast of a search that runs here, in total and for the rest. */
function forecastLines({ forecast }: FollowedSearch): string[] {
  if (!forecast) return [];
  const { left, whole } = forecast();
  return [vscode.l10n.t('Forecast: {0}', forecastWords(whole)), leftWords(left)];
}

/**
 * Returns what the status bar is about: every search that somebody works on, else the newest one. An older one that waits
 * for a person says so in its row: here it would stand over everything that came after it.
 */
export function urgent(searches: readonly FollowedSearch[]): readonly FollowedSearch[] {
  const readable = searches.filter(({ problem }) => problem === undefined);
  const active = readable.filter(({ isActive }) => isActive);
  return active.length > 0 ? active : readable.slice(0, 1);
}

function icon({ state }: FollowedSearch): string {
  if (state === 'running') return 'sync~spin';
  return state === 'waiting' ? 'watch' : 'type-hierarchy';
}

/** Only while it may spend more: at rest its row says so. */
function isNearlySpent({ limits, spend, isActive }: FollowedSearch): boolean {
  const { calls, tokens, usd } = limits?.guards ?? {};
  if (!isActive) return false;
  const spent = spend.prompt + spend.completion + spend.worstCase;
  const shares = [spend.calls / (calls ?? Infinity), spent / (tokens ?? Infinity), spend.usd / (usd ?? Infinity)];
  return shares.some((share) => share > NEARLY_SPENT);
}
