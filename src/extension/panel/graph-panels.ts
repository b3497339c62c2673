import * as vscode from 'vscode';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import type { NodeTarget } from '../commands/command-table.ts';
import type { Targets } from '../commands/targets.ts';
import type { FollowedSearch } from '../library/followed-search.ts';
import type { SearchLibrary } from '../library/search-library.ts';
import { notPainted } from '../messages.ts';
import type { GraphPanel, PanelParts } from './graph-panel.ts';

const TYPE = 'thoughtTree.graph';

interface Shown {
  readonly search: FollowedSearch;
  readonly tab: vscode.WebviewPanel;
  readonly drawing: Promise<GraphPanel | undefined>;
}

/** The open drawings: one for each search, restored after a reload of the window. */
export class GraphPanels implements vscode.WebviewPanelSerializer, vscode.Disposable {
  readonly #library: SearchLibrary;
  readonly #targets: Targets;
  readonly #parts: PanelParts;
  readonly #panels = new Map<string, Shown>();
  readonly #subscriptions: vscode.Disposable[];

  constructor(targets: Targets, parts: PanelParts) {
    const { library } = parts;
    this.#library = library;
    this.#targets = targets;
    this.#parts = parts;
    this.#subscriptions = [
      vscode.window.registerWebviewPanelSerializer(TYPE, this),
      library.onDidChange(() => this.#look()),
    ];
  }

  /**
   * Opens the drawing of a search, or brings it to the front.
   * @param where `beside` what the person is at, who stays there
   */
  async open(target: Partial<NodeTarget> | undefined, where?: 'beside'): Promise<void> {
    const named = target?.folder === undefined ? undefined : { folder: target.folder };
    const search = await this.#targets.search(named);
    if (!search) return;
    const shown = this.#panels.get(search.folder);
    const drawing = shown?.drawing ?? this.#open(search, where);
    if (where === 'beside') shown?.tab.reveal(undefined, true);
    else (await drawing)?.reveal(target?.path ?? '');
  }

  /** All drawings are in one group. One that shows itself takes the place of one that nothing happens in any more. */
  #open(search: FollowedSearch, where: 'beside' | undefined): Promise<GraphPanel | undefined> {
    const others = [...this.#panels.values()].reverse();
    const column = others.find(({ tab }) => tab.viewColumn !== undefined)?.tab.viewColumn;
    const place = column === undefined ? columnFor(where) : { viewColumn: column, preserveFocus: where === 'beside' };
    const drawing = this.#show(search, vscode.window.createWebviewPanel(TYPE, search.title, place));
    const over = where === 'beside' ? others.find((each) => !each.search.isActive) : undefined;
    over?.tab.dispose();
    return drawing;
  }

  isInView(folder: string): boolean {
    return this.#panels.get(folder)?.tab.visible ?? false;
  }

  /**
   * A drawing of a search as a PNG file, made by its page, which is opened for that.
   * @throws ThoughtTreeError `timed-out` if the page is closed, or does not answer
   */
  async paint(folder: string, svg: string): Promise<Uint8Array> {
    await this.open({ folder });
    const drawing = await this.#panels.get(folder)?.drawing;
    if (!drawing) throw new ThoughtTreeError('timed-out', notPainted());
    return await drawing.paint(svg);
  }

  async deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    await this.#library.opened;
    const folder = typeof state === 'object' && state !== null ? (state as { folder?: unknown }).folder : undefined;
    const search = typeof folder === 'string' ? this.#library.search(folder) : undefined;
    if (search && !this.#panels.has(search.folder)) await this.#show(search, panel);
    else panel.dispose(); // its search is gone, or is shown in another tab
  }

  /** The drawing code is a separate bundle, loaded with the first panel; resolves with nothing if the tab was closed. */
  #show(search: FollowedSearch, tab: vscode.WebviewPanel): Promise<GraphPanel | undefined> {
    tab.onDidDispose(() => {
      const shown = this.#panels.get(search.folder);
      if (shown?.tab !== tab) return;
      this.#panels.delete(search.folder);
      void close(shown);
    });
    return this.#draw(search, tab);
  }

  #draw(search: FollowedSearch, tab: vscode.WebviewPanel): Promise<GraphPanel | undefined> {
    const isShown = (): boolean => this.#panels.get(search.folder)?.drawing === drawing;
    const drawing = Promise.all([import('./graph-panel.ts'), search.read]).then(([{ GraphPanel }]) =>
      isShown() ? new GraphPanel(tab, search, this.#parts) : undefined,
    );
    drawing.catch(() => tab.dispose());
    this.#panels.set(search.folder, { search, tab, drawing });
    return drawing;
  }

  /** Marks a search as gone if its folder disappeared, and redraws one that came back. */
  #look(): void {
    for (const [folder, shown] of this.#panels) {
      const search = this.#library.search(folder);
      if (search === shown.search) continue;
      if (!search) void shown.drawing.then((drawing) => drawing?.lose()).catch(() => undefined);
      else
        void close(shown).then(() => (this.#panels.get(folder) === shown ? this.#draw(search, shown.tab) : undefined));
    }
  }

  dispose(): void {
    for (const shown of this.#panels.values()) void close(shown);
    for (const subscription of this.#subscriptions) subscription.dispose();
  }
}

/** Beside an editor, if one is open. */
function columnFor(where: 'beside' | undefined): Parameters<typeof vscode.window.createWebviewPanel>[2] {
  if (where === undefined) return vscode.ViewColumn.Active;
  const isEmpty = vscode.window.tabGroups.all.every(({ tabs }) => tabs.length === 0);
  return { viewColumn: isEmpty ? vscode.ViewColumn.Active : vscode.ViewColumn.Beside, preserveFocus: true };
}

async function close({ drawing }: Shown): Promise<void> {
  (await drawing.catch(() => undefined))?.dispose();
}
