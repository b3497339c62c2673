import * as vscode from 'vscode';
import type { NodeTarget } from './command-table.ts';
import type { FollowedSearch } from './followed-search.ts';
import type { GraphPanel } from './graph-panel.ts';
import type { SearchLibrary } from './search-library.ts';
import type { Targets } from './targets.ts';

const TYPE = 'thoughtTree.graph';

/** The drawings that are open: one for each search, back after a reload of the window. */
export class GraphPanels implements vscode.WebviewPanelSerializer, vscode.Disposable {
  readonly #library: SearchLibrary;
  readonly #targets: Targets;
  readonly #extension: vscode.Uri;
  readonly #log: vscode.LogOutputChannel;
  readonly #panels = new Map<string, Promise<GraphPanel | undefined>>();
  readonly #subscriptions: vscode.Disposable[];

  constructor(library: SearchLibrary, targets: Targets, extension: vscode.Uri, log: vscode.LogOutputChannel) {
    this.#library = library;
    this.#targets = targets;
    this.#extension = extension;
    this.#log = log;
    this.#subscriptions = [
      vscode.window.registerWebviewPanelSerializer(TYPE, this),
      library.onDidChange(() => this.#look()),
    ];
  }

  /** Opens the drawing of a search, or brings it to the front. */
  async open(target: Partial<NodeTarget> | undefined): Promise<void> {
    const named = target?.folder === undefined ? undefined : { folder: target.folder };
    const search = await this.#targets.search(named);
    if (!search) return;
    const shown =
      this.#panels.get(search.folder) ??
      this.#show(search, vscode.window.createWebviewPanel(TYPE, search.title, vscode.ViewColumn.Active));
    (await shown)?.reveal(target?.path ?? '');
  }

  async deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    await this.#library.opened;
    const folder = typeof state === 'object' && state !== null ? (state as { folder?: unknown }).folder : undefined;
    const search = typeof folder === 'string' ? this.#library.search(folder) : undefined;
    if (search && !this.#panels.has(search.folder)) await this.#show(search, panel);
    else panel.dispose(); // its search is gone, or is shown in another tab
  }

  /** What draws is a bundle of its own, loaded with the first panel; resolves with nothing where the tab was closed. */
  #show(search: FollowedSearch, panel: vscode.WebviewPanel): Promise<GraphPanel | undefined> {
    let isClosed = false;
    const shown = Promise.all([import('./graph-panel.ts'), search.read]).then(([{ GraphPanel }]) =>
      isClosed ? undefined : new GraphPanel(panel, search, this.#library, this.#extension, this.#log),
    );
    shown.catch(() => panel.dispose());
    this.#panels.set(search.folder, shown);
    panel.onDidDispose(() => {
      isClosed = true;
      this.#panels.delete(search.folder);
      void this.#close(shown);
    });
    return shown;
  }

  async #close(shown: Promise<GraphPanel | undefined>): Promise<void> {
    (await shown.catch(() => undefined))?.dispose();
  }

  #look(): void {
    for (const [folder, shown] of this.#panels)
      if (!this.#library.search(folder)) void shown.then((panel) => panel?.lose()).catch(() => undefined);
  }

  dispose(): void {
    for (const shown of this.#panels.values()) void this.#close(shown);
    for (const subscription of this.#subscriptions) subscription.dispose();
  }
}
