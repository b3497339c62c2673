import { basename } from 'node:path';
import * as vscode from 'vscode';
import { isThoughtTreeError } from '../../core/search/errors.ts';
import type { Kinds } from '../../engine/kind/kinds.ts';
import { type Place, placeFor, titleFrom } from '../../searches/place.ts';
import type { SearchLibrary } from '../library/search-library.ts';
import type { SearchRunner } from '../library/search-runner.ts';
import { guardsFor } from '../settings.ts';
import { approveModels } from './approve-models.ts';
import { type Beginning, newSearch } from './new-search.ts';

export interface StarterParts {
  readonly kinds: Kinds;
  readonly library: SearchLibrary;
  readonly runner: Pick<SearchRunner, 'run'>;
  /** The editor's memory of the workspace. */
  readonly memory: vscode.Memento;
}

/** Begins searches of which everything is known. */
export class SearchStarter {
  readonly #parts: StarterParts;

  constructor(parts: StarterParts) {
    this.#parts = parts;
  }

  /**
   * Begins it; resolves once it runs.
   * @param how its place, and whether a person is there to review it before it begins
   * @returns the search's folder
   * @throws ThoughtTreeError `bad-input`, `exists`, `unknown-model`, `declined` and other errors of opening a search
   */
  async start(
    beginning: Beginning,
    how: { readonly place?: Place; readonly number?: number; readonly asks?: boolean } = {},
  ): Promise<string> {
    const { model, judge, settings } = beginning;
    const { place = placeOf(beginning), number, asks = false } = how;
    await approveModels(this.#parts.memory, vscode.Uri.file(beginning.workspace), [model, judge]);
    const create = await newSearch(this.#parts.kinds, beginning, number);
    const { concurrency, timeoutMs } = settings;
    const guards = guardsFor(settings, model, judge);
    const { calls } = beginning;
    const limits = { guards: calls === undefined ? guards : { ...guards, calls } };
    const judging = judge ? { judge } : {};
    const { plan } = beginning;
    const run = { place, model, ...judging, create, concurrency, timeoutMs, limits, plan, showsPlan: asks };
    await this.#parts.runner.run(run);
    return place.folder;
  }

  /** Asks what to do where the question was asked before: continue that search, show it if finished, or leave it. */
  async askAboutExisting(beginning: Beginning): Promise<string | undefined> {
    const { folder } = placeOf(beginning);
    const search = this.#parts.library.search(folder);
    await search?.read;
    const goOn = search?.isResumable ? vscode.l10n.t('Resume It') : vscode.l10n.t('Show It');
    const another = vscode.l10n.t('Start Another');
    const question = vscode.l10n.t('There is already a search for this question: "{0}".', basename(folder));
    const answer = await vscode.window.showWarningMessage(question, { modal: true }, goOn, another);
    if (answer === another) return await this.#startAnother(beginning);
    if (answer === undefined) return undefined;
    const command = search?.isResumable ? 'thoughtTree.resume' : 'thoughtTree.reveal';
    await vscode.commands.executeCommand(command, { folder, path: '' });
    return folder;
  }

  /** Begins it under the next free name. */
  async #startAnother(beginning: Beginning): Promise<string> {
    const taken = new Set<string>();
    for (let number = 2; ; number++) {
      taken.add(basename(placeOf(beginning, taken).folder));
      try {
        return await this.start(beginning, { place: placeOf(beginning, taken), number, asks: true });
      } catch (error) {
        if (!isThoughtTreeError(error, 'exists')) throw error;
      }
    }
  }
}

/** Where it will be. @param taken names that are not free */
export function placeOf(
  { workspace, prompt, title = titleFrom(prompt), settings }: Beginning,
  taken?: ReadonlySet<string>,
): Place {
  return placeFor(workspace, title, undefined, settings.folder, taken);
}
