import * as vscode from 'vscode';
import type { AvailableActions } from '../actions/available-actions.ts';
import type { SearchLibrary } from '../library/search-library.ts';

/** Keeps the few context keys that menus need; a key is set only when it changes. */
export class ContextKeys implements vscode.Disposable {
  readonly #values = new Map<string, boolean>();
  readonly #subscription: vscode.Disposable;

  constructor(library: SearchLibrary, available: AvailableActions) {
    const update = (): void => this.#update(library, available);
    this.#subscription = library.onDidChange(update);
    // Until then it is unknown what makes sense, and the palette offers everything.
    void library.read.then(() => {
      update();
      this.#set('known', true);
    });
  }

  #update({ searches }: SearchLibrary, available: AvailableActions): void {
    this.#set('any', searches.length > 0);
    const readable = searches.filter(({ problem }) => problem === undefined);
    for (const name of Object.keys(available.all))
      this.#set(
        `can.${name}`,
        readable.some((search) => available.mayBeIn(search, name)),
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
