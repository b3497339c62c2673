import { join } from 'node:path';
import * as vscode from 'vscode';
import type { NodeStatus } from '../../core/tree/node-status.ts';
import type { FollowedSearch } from '../library/followed-search.ts';
import type { LibraryChange, SearchLibrary } from '../library/search-library.ts';
import { NODE_SCHEME, statusText } from './node-item.ts';

const LOOKS: Partial<Record<NodeStatus, { badge: string; colour?: string }>> = {
  'in-progress': { badge: '◐', colour: 'charts.blue' },
  expanded: { badge: '✓', colour: 'charts.green' },
  leaf: { badge: '●', colour: 'charts.green' },
  pruned: { badge: '⊘', colour: 'disabledForeground' },
  failed: { badge: '✕', colour: 'errorForeground' },
};

/** Shows the status of nodes on their folders in the Explorer, according to their files: a clone has no journal. */
export class NodeDecorations implements vscode.FileDecorationProvider, vscode.Disposable {
  readonly #library: SearchLibrary;
  readonly #changes = new vscode.EventEmitter<vscode.Uri[] | undefined>();
  readonly #subscriptions: vscode.Disposable[];
  readonly #wasActive = new WeakMap<FollowedSearch, boolean>();
  readonly onDidChangeFileDecorations = this.#changes.event;

  constructor(library: SearchLibrary) {
    this.#library = library;
    this.#subscriptions = [
      this.#changes,
      vscode.window.registerFileDecorationProvider(this),
      library.onDidChange((change) => this.#changes.fire(this.#concerned(change))),
    ];
  }

  /** The folders that may look different; undefined for all of them. */
  #concerned({ search, paths }: LibraryChange): vscode.Uri[] | undefined {
    if (!search || !paths) return undefined;
    const wasActive = this.#wasActive.get(search) ?? search.isActive;
    this.#wasActive.set(search, search.isActive);
    // Nodes are no longer in progress once their process died, though no file says so.
    if (wasActive !== search.isActive) return undefined;
    return paths.map((path) => vscode.Uri.file(join(search.folder, path)));
  }

  async provideFileDecoration(uri: vscode.Uri): Promise<vscode.FileDecoration | undefined> {
    if (uri.scheme === NODE_SCHEME) return inSidebar(uri);
    if (uri.scheme !== 'file') return undefined;
    const found = this.#library.nodeOf(uri.fsPath);
    if (!found || found.path === '' || /\.(json|md)$/.test(uri.path)) return undefined;
    const file = await found.search.store?.readNodeFile(found.path).catch(() => undefined);
    const status = file?.status;
    const look = status && LOOKS[status];
    if (!status || !look || (status === 'in-progress' && !found.search.isActive)) return undefined;
    const colour = look.colour === undefined ? undefined : new vscode.ThemeColor(look.colour);
    return new vscode.FileDecoration(look.badge, statusText(status), colour);
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
  }
}

/** In the sidebar the icon shows the status; irrelevant nodes are dimmed, failures are highlighted. */
function inSidebar({ query }: vscode.Uri): vscode.FileDecoration | undefined {
  const colours: Record<string, string> = { pruned: 'disabledForeground', failed: 'errorForeground' };
  const colour = colours[query];
  return colour === undefined ? undefined : { color: new vscode.ThemeColor(colour) };
}
