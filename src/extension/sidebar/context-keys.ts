import * as vscode from 'vscode';
import type { SearchLibrary } from '../library/search-library.ts';

/** Keeps the few context keys that menus ask for; a key is set only when it changes. */
export class ContextKeys implements vscode.Disposable {
  readonly #values = new Map<string, boolean>();
  readonly #subscription: vscode.Disposable;

  constructor(library: SearchLibrary) {
    const update = (): void => this.#update(library);
    this.#subscription = library.onDidChange(update);
    // Before that nobody knows what makes sense, and the palette offers everything.
    void library.read.then(() => {
      update();
      this.#set('known', true);
    });
  }

  #update({ searches }: SearchLibrary): void {
    const isRunning = (state: string): boolean => state === 'running' || state === 'waiting';
    this.#set('any', searches.length > 0);
    this.#set(
      'anyRunning',
      searches.some(({ state }) => isRunning(state)),
    );
    this.#set(
      'anyUnfinished',
      searches.some(({ state }) => state !== 'finished'),
    );
    this.#set(
      'anyReport',
      searches.some(({ hasReport }) => hasReport),
    );
    this.#set(
      'anyResting',
      searches.some((search) => !isRunning(search.state) && search.isResumable),
    );
  }

  #set(name: string, value: boolean): void {
    if (this.#values.get(name) === value) return;
    this.#values.set(name, value);
    void vscode.commands.executeCommand('setContext', `thoughtTree.${name}`, value);
  }

  dispose(): void {
    this.#subscription.dispose();
  }
}
