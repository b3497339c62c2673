import * as vscode from 'vscode';
import { oneLine } from '../../core/text/text.ts';
import type { ActionCommands } from '../actions/action-commands.ts';
import type { AvailableActions } from '../actions/available-actions.ts';
import type { FollowedSearch } from '../library/followed-search.ts';
import type { RunEnd } from '../library/run-request.ts';
import type { SearchLibrary } from '../library/search-library.ts';
import type { SearchRunner } from '../library/search-runner.ts';
import { withoutLinks } from '../message-text.ts';
import { windowClosed } from '../messages.ts';
import { tellError } from '../tell-error.ts';

/** Where a workspace remembers the folders of the searches that its window runs. */
const RUNNING = 'running';

/** Returns the folders of the searches that ran when the window was closed or reloaded. */
export function leftBehind(memory: vscode.Memento): string[] {
  return [memory.get<unknown>(RUNNING, [])].flat().filter((folder) => typeof folder === 'string');
}

interface LeftParts {
  /** Of the workspace. */
  readonly memory: vscode.Memento;
  readonly runner: Pick<SearchRunner, 'onDidBegin' | 'onDidEnd'>;
  readonly library: Pick<SearchLibrary, 'read' | 'search'>;
  readonly available: Pick<AvailableActions, 'isOnSearch'>;
  readonly actions: Pick<ActionCommands, 'run'>;
  readonly log: vscode.LogOutputChannel;
}

/** Remembers what this window runs, so that a search that a reload interrupted is offered again afterwards. */
export class LeftRunning implements vscode.Disposable {
  readonly #parts: LeftParts;
  readonly #left: readonly string[];
  readonly #running = new Set<string>();
  readonly #subscriptions: readonly vscode.Disposable[];

  constructor(parts: LeftParts) {
    const { memory, runner } = parts;
    this.#parts = parts;
    this.#left = leftBehind(memory);
    this.#subscriptions = [
      runner.onDidBegin(({ folder }) => {
        this.#running.add(folder);
        this.#remember();
      }),
      runner.onDidEnd((end) => {
        if (isByWindow(end)) return;
        this.#running.delete(end.place.folder);
        this.#remember();
      }),
    ];
  }

  /** Offers to resume what ran when the window was closed or reloaded; once. */
  async offer(): Promise<void> {
    const { library, available } = this.#parts;
    if (this.#left.length === 0) return;
    await library.read;
    this.#remember();
    if (!vscode.workspace.isTrusted) return;
    const searches = this.#left.flatMap((folder) => library.search(folder) ?? []);
    const open = searches.filter((search) => available.isOnSearch(search, 'resume'));
    if (open.length > 0) await this.#ask(open);
  }

  async #ask(searches: readonly FollowedSearch[]): Promise<void> {
    const names = searches.map(({ title }) => `"${oneLine(title, 100)}"`).join(', ');
    const isOne = searches.length === 1;
    const text = isOne
      ? vscode.l10n.t('{0} was running when this window was closed. Resume it?', names)
      : vscode.l10n.t(
          '{0} searches were running when this window was closed: {1}. Resume them?',
          searches.length,
          names,
        );
    const yes = isOne ? vscode.l10n.t('Resume') : vscode.l10n.t('Resume All');
    const answer = await vscode.window.showInformationMessage(withoutLinks(text), yes, vscode.l10n.t('Not Now'));
    if (answer !== yes) return;
    const { actions, log } = this.#parts;
    // One that cannot be resumed keeps none of the others from it.
    for (const { folder } of searches)
      await actions.run('resume', { folder }).catch((error: unknown) => tellError(error, log));
  }

  #remember(): void {
    void this.#parts.memory.update(RUNNING, [...this.#running]);
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
  }
}

/** Tells whether it ended only because its window was closed. */
function isByWindow({ outcome }: RunEnd): boolean {
  return outcome?.state === 'paused' && outcome.reason === 'user' && outcome.say.key === windowClosed.key;
}
