import { join } from 'node:path';
import * as vscode from 'vscode';
import type { Size } from '../../core/search/limits.ts';
import type { SteerAction } from '../../core/search/steer.ts';
import { oneLine } from '../../core/text/text.ts';
import { chooseJudge, chooseModel } from '../../searches/models/choose-model.ts';
import type { FollowedSearch } from '../library/followed-search.ts';
import type { SearchLibrary } from '../library/search-library.ts';
import type { SearchRunner } from '../library/search-runner.ts';
import { agreesTo } from '../models/model-opener.ts';
import { settingsFor } from '../settings.ts';
import type { SearchTarget } from './command-table.ts';
import { guardsFor } from './start-command.ts';
import type { Targets } from './targets.ts';

/** As in `Size`, whose checks the extension loads later. */
const SIZES = ['small', 'medium', 'large', 'all'] as const satisfies readonly Size[];

const isRunning = ({ state }: FollowedSearch): boolean => state === 'running' || state === 'waiting';

/** Commands on a whole search. */
export class SearchCommands {
  readonly #runner: SearchRunner;
  readonly #targets: Targets;
  readonly #library: SearchLibrary;

  constructor(runner: SearchRunner, targets: Targets, library: SearchLibrary) {
    this.#runner = runner;
    this.#targets = targets;
    this.#library = library;
  }

  async pause(target: SearchTarget | undefined, now: boolean): Promise<void> {
    await this.#steer(target, isRunning, { action: 'pause', now });
  }

  async resume(target: SearchTarget | undefined): Promise<void> {
    const search = await this.#targets.search(target, (each) => !isRunning(each) && each.isResumable);
    if (!search?.store || this.#runner.isRunning(search.folder)) return;
    const scope = vscode.Uri.file(search.workspace);
    const { record } = search;
    const { name, trusted } = chooseModel(undefined, record, await search.store.readSearch());
    if (!trusted && !(await agreesTo(name))) return;
    const judge = chooseJudge(undefined, record);
    const settings = settingsFor(scope);
    const isNew = search.limits === undefined;
    await this.#runner.run({
      place: this.#targets.placeOf(search),
      model: name,
      ...(judge ? { judge } : {}),
      concurrency: settings.concurrency,
      timeoutMs: settings.timeoutMs,
      ...(isNew ? { limits: { guards: guardsFor(settings, name, judge) } } : {}),
    });
  }

  async finish(target: SearchTarget | undefined): Promise<void> {
    const search = await this.#targets.search(target, ({ state }) => state !== 'finished');
    if (!search) return;
    const place = this.#targets.placeOf(search);
    const title = vscode.l10n.t('Writing the report');
    const location = vscode.ProgressLocation.Notification;
    await vscode.window.withProgress({ location, title, cancellable: true }, (_progress, token) => {
      const stop = new AbortController();
      token.onCancellationRequested(() => stop.abort());
      return this.#runner.steer(place, { action: 'finish' }, stop.signal);
    });
    if (!isRunning(search)) await this.openReport({ folder: search.folder });
  }

  /** Lets a search go further: a larger size, deeper, or with more to spend. */
  async grow(target: SearchTarget | undefined): Promise<void> {
    const search = await this.#targets.search(target);
    const action = search && (await askHowFar(search));
    if (!search || !action) return;
    await this.#do(search, action);
    if (!isRunning(search)) await this.resume({ folder: search.folder });
  }

  /** Doubles what a guard allows and goes on: the answer to a search that asks. */
  async raise(folder: string, guard: 'calls' | 'tokens' | 'usd' | 'minutes'): Promise<void> {
    const search = this.#library.search(folder);
    const limit = search?.limits?.guards[guard];
    if (!search || limit === undefined) return;
    await this.#do(search, { action: 'grow', guards: { [guard]: limit * 2 || 1 } });
    await this.resume({ folder });
  }

  async openReport(target: SearchTarget | undefined): Promise<void> {
    const search = await this.#targets.search(target, ({ hasReport }) => hasReport);
    if (!search) return;
    const uri = vscode.Uri.file(join(search.folder, 'report.md'));
    // Rendered, and bound to this file: `markdown.showPreview` would turn to whatever document is opened next.
    await vscode.commands.executeCommand('vscode.openWith', uri, 'vscode.markdown.preview.editor');
  }

  async delete(target: SearchTarget | undefined): Promise<void> {
    const search = await this.#targets.search(target);
    if (!search) return;
    const yes = vscode.l10n.t('Move to Bin');
    const question = vscode.l10n.t('Delete the search "{0}" with all its documents?', oneLine(search.title, 200));
    if ((await vscode.window.showWarningMessage(question, { modal: true }, yes)) !== yes) return;
    if (isRunning(search)) await this.#runner.stop(this.#targets.placeOf(search));
    if (await throwAway(vscode.Uri.file(search.folder))) await this.#library.scan();
  }

  async #steer(
    target: SearchTarget | undefined,
    fits: (search: FollowedSearch) => boolean,
    action: SteerAction,
  ): Promise<void> {
    const search = await this.#targets.search(target, fits);
    if (search) await this.#do(search, action);
  }

  async #do(search: FollowedSearch, action: SteerAction): Promise<void> {
    const message = await this.#runner.steer(this.#targets.placeOf(search), action);
    vscode.window.setStatusBarMessage(oneLine(message, 200), 5000);
  }
}

/** Into the bin, where there is one: a remote machine may have none. */
async function throwAway(uri: vscode.Uri): Promise<boolean> {
  try {
    await vscode.workspace.fs.delete(uri, { recursive: true, useTrash: true });
    return true;
  } catch {
    const yes = vscode.l10n.t('Delete Permanently');
    const question = vscode.l10n.t('It could not be moved to the bin. Delete it permanently?');
    if ((await vscode.window.showWarningMessage(question, { modal: true }, yes)) !== yes) return false;
    await vscode.workspace.fs.delete(uri, { recursive: true, useTrash: false });
    return true;
  }
}

async function askHowFar({ limits }: FollowedSearch): Promise<SteerAction | undefined> {
  const depth = (limits?.maxDepth ?? 4) + 1;
  const sizes = SIZES.map((size) => ({
    label: vscode.l10n.t('Size: {0}', size),
    action: { action: 'grow', size } as SteerAction,
  }));
  const items = [
    ...sizes,
    {
      label: vscode.l10n.t('One level deeper: {0}', depth),
      action: { action: 'grow', maxDepth: depth } as SteerAction,
    },
    ...guardItems(limits?.guards ?? {}),
  ];
  const title = vscode.l10n.t('How far may the search go?');
  return (await vscode.window.showQuickPick(items, { title }))?.action;
}

function guardItems(guards: { calls?: number | undefined; tokens?: number | undefined; usd?: number | undefined }) {
  const double = (guard: string, limit: number | undefined) =>
    limit === undefined
      ? []
      : [
          {
            label: vscode.l10n.t('Twice the budget: {0} {1}', limit * 2, guard),
            action: { action: 'grow', guards: { [guard]: limit * 2 } } as SteerAction,
          },
        ];
  return [...double('calls', guards.calls), ...double('tokens', guards.tokens), ...double('usd', guards.usd)];
}
