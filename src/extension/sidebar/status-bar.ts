import * as vscode from 'vscode';
import { oneLine } from '../../core/text/text.ts';
import { forecastWords, leftWords } from '../forecast-words.ts';
import type { FollowedSearch } from '../library/followed-search.ts';
import type { SearchLibrary } from '../library/search-library.ts';
import { bookedText, stateText, usedUsd } from './search-item.ts';

/** Share of a limit from which on the item warns. */
const NEARLY_SPENT = 0.8;

/** One item on the left: what runs, its progress and spend. Hidden if there is no search. */
export class StatusBar implements vscode.Disposable {
  readonly #library: SearchLibrary;
  readonly #item: vscode.StatusBarItem;
  readonly #subscription: vscode.Disposable;

  constructor(library: SearchLibrary) {
    this.#library = library;
    this.#item = vscode.window.createStatusBarItem('thoughtTree', vscode.StatusBarAlignment.Left, 10);
    this.#item.name = 'Thought Tree';
    this.#item.command = 'thoughtTree.showActions';
    this.#subscription = library.onDidChange(() => this.#draw());
  }

  #draw(): void {
    const search = mostUrgent(this.#library.searches);
    if (!search) {
      this.#item.hide();
      return;
    }
    const { spend, state } = search;
    const { done, open } = search.progress;
    const slots = search.callsUnderWay > 0 ? ` ${search.callsUnderWay}⇄` : '';
    const money = spend.usd > 0 ? ` · ${usedUsd(spend)}` : '';
    this.#item.text = `$(${icon(search)})${slots} ${done}/${done + open}${money}`;
    const what = `${oneLine(search.title, 200)}: ${stateText(state)}`;
    const booked = spend.booked.calls > 0 ? [vscode.l10n.t('Booked: {0}', bookedText(spend.booked))] : [];
    this.#item.tooltip = [what, ...booked, ...forecastLines(search)].join('\n');
    this.#item.accessibilityInformation = { label: `Thought Tree, ${what}, ${done}/${done + open}` };
    const colour =
      search.cause !== undefined ? 'errorBackground' : isNearlySpent(search) ? 'warningBackground' : undefined;
    this.#item.backgroundColor = colour ? new vscode.ThemeColor(`statusBarItem.${colour}`) : undefined;
    this.#item.show();
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#item.dispose();
  }
}

/** The forecast of a search that runs here, in total and for the rest. */
function forecastLines({ forecast }: FollowedSearch): string[] {
  if (!forecast) return [];
  const { left, whole } = forecast();
  return [vscode.l10n.t('Forecast: {0}', forecastWords(whole)), leftWords(left)];
}

/** The search that is shown if there is space for one only. */
export function mostUrgent(searches: readonly FollowedSearch[]): FollowedSearch | undefined {
  const order = ['running', 'waiting', 'paused', 'interrupted', 'finished'];
  return searches
    .filter(({ problem }) => problem === undefined)
    .reduce<FollowedSearch | undefined>(
      (best, search) => (best && order.indexOf(best.state) <= order.indexOf(search.state) ? best : search),
      undefined,
    );
}

function icon({ state }: FollowedSearch): string {
  if (state === 'running') return 'sync~spin';
  return state === 'waiting' ? 'watch' : 'type-hierarchy';
}

function isNearlySpent({ limits, spend, state }: FollowedSearch): boolean {
  const { calls, tokens, usd } = limits?.guards ?? {};
  if (state === 'finished') return false;
  const spent = spend.prompt + spend.completion + spend.worstCase;
  const shares = [spend.calls / (calls ?? Infinity), spent / (tokens ?? Infinity), spend.usd / (usd ?? Infinity)];
  return shares.some((share) => share > NEARLY_SPENT);
}
