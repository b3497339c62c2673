import * as vscode from 'vscode';
import { toThoughtTreeError } from '../../core/search/errors.ts';
import type { SearchRunner } from './search-runner.ts';

/** People save several files in a row: the documents are checked once, this many milliseconds after the last one. */
const QUIET_MS = 2000;

/** Rechecks the quotations of running searches after files of the workspace were saved. */
export class CitationWatch implements vscode.Disposable {
  readonly #runner: SearchRunner;
  readonly #log: vscode.LogOutputChannel;
  readonly #saves: vscode.Disposable;
  #timer: NodeJS.Timeout | undefined;

  constructor(runner: SearchRunner, log: vscode.LogOutputChannel) {
    this.#runner = runner;
    this.#log = log;
    this.#saves = vscode.workspace.onDidSaveTextDocument(() => {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => void this.#check(), QUIET_MS);
    });
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#saves.dispose();
  }

  async #check(): Promise<void> {
    for (const search of this.#runner.searches)
      await search.recheckCitations().catch((error: unknown) => this.#log.warn(toThoughtTreeError(error).message));
  }
}
