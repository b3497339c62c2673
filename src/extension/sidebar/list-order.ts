import * as vscode from 'vscode';
import { type Arrangement, GROUP_BY, SORT_BY } from './arrange-searches.ts';

const KEY = 'thoughtTree.arrangement';

/** The order of the searches that a person chose, remembered for the workspace; menus check the entries that apply. */
export class ListOrder implements vscode.Disposable {
  readonly #memory: vscode.Memento;
  readonly #changes = new vscode.EventEmitter<void>();
  #now: Arrangement;

  readonly onDidChange = this.#changes.event;

  constructor(memory: vscode.Memento) {
    this.#memory = memory;
    const { groupBy, sortBy } = memory.get<Partial<Record<keyof Arrangement, unknown>>>(KEY) ?? {};
    this.#now = {
      groupBy: GROUP_BY.find((each) => each === groupBy) ?? 'none',
      sortBy: SORT_BY.find((each) => each === sortBy) ?? 'date',
    };
    this.#tellMenus();
  }

  get now(): Arrangement {
    return this.#now;
  }

  async set(change: Partial<Arrangement>): Promise<void> {
    this.#now = { ...this.#now, ...change };
    this.#tellMenus();
    this.#changes.fire();
    await this.#memory.update(KEY, this.#now);
  }

  #tellMenus(): void {
    this.#set('groupBy', this.#now.groupBy);
    this.#set('sortBy', this.#now.sortBy);
  }

  #set(name: keyof Arrangement, value: string): void {
    void vscode.commands.executeCommand('setContext', `thoughtTree.${name}`, value);
  }

  dispose(): void {
    this.#changes.dispose();
  }
}
