import type * as vscode from 'vscode';
import type { TreeElement } from '../sidebar/tree-element.ts';

/** A selection that lasts this long is followed, in milliseconds: nobody looks at the sidebar while they walk by keys. */
const REST_MS = 150;

export interface Sidebar {
  readonly view: Pick<vscode.TreeView<TreeElement>, 'visible' | 'selection' | 'onDidChangeSelection'>;
  /** Selects a node's row and brings it into view; the focus stays where it is. */
  readonly follow: (folder: string, path: string) => Promise<void>;
}

/**
 * Keeps the selection of one drawing and that of the sidebar alike. Neither takes the focus from the other, and a sidebar
 * that is hidden stays hidden.
 */
export class SidebarLink implements vscode.Disposable {
  readonly #sidebar: Sidebar;
  readonly #folder: string;
  readonly #select: (path: string) => void;
  readonly #subscription: vscode.Disposable;
  /** The path that is selected in the drawing. */
  #selected: string | null = null;
  #timer: NodeJS.Timeout | undefined;
  /** True if the sidebar's selection is being moved from here: what it says then is no person's wish. */
  #isLeading = false;

  /** @param select selects a node in the drawing */
  constructor(sidebar: Sidebar, folder: string, select: (path: string) => void) {
    this.#sidebar = sidebar;
    this.#folder = folder;
    this.#select = select;
    this.#subscription = sidebar.view.onDidChangeSelection(({ selection }) => this.#take(selection));
  }

  /** Something else is selected in the drawing; null for nothing. */
  selected(path: string | null): void {
    this.#selected = path;
    clearTimeout(this.#timer);
    if (path !== null) this.#timer = setTimeout(() => void this.#lead(path), REST_MS);
  }

  async #lead(path: string): Promise<void> {
    const { view, follow } = this.#sidebar;
    if (!view.visible || this.#isLeading || view.selection.some((row) => this.#isRowOf(row, path))) return;
    this.#isLeading = true;
    await follow(this.#folder, path).catch(() => undefined); // it may be gone by now
    this.#isLeading = false;
    if (this.#selected !== null && this.#selected !== path) this.selected(this.#selected);
  }

  /** A search's own row is opened and closed by clicks: it counts only where something of it is being looked at. */
  #take(selection: readonly TreeElement[]): void {
    const [row] = selection;
    if (this.#isLeading || selection.length !== 1 || !row || row.folder !== this.#folder) return;
    const isNode = row.kind === 'node' || (row.kind === 'search' && this.#selected !== null);
    if (isNode && row.path !== this.#selected) this.#select(row.path);
  }

  #isRowOf(row: TreeElement, path: string): boolean {
    return (row.kind === 'node' || row.kind === 'search') && row.folder === this.#folder && row.path === path;
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#subscription.dispose();
  }
}
