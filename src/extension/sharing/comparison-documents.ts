import * as vscode from 'vscode';
import type { Kinds } from '../../engine/kind.ts';
import type { SearchLibrary } from '../library/search-library.ts';
import type { GraphPanels } from '../panel/graph-panels.ts';

/** The least time between two times that an open comparison is made again, in milliseconds: both searches are read for it. */
const AGAIN_MS = 2000;

/** The documents that compare two searches: made when they are shown, and again as one of the searches goes on. */
export class ComparisonDocuments implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly provideTextDocumentContent: (uri: vscode.Uri) => Promise<string>;
  readonly #changes = new vscode.EventEmitter<vscode.Uri>();
  readonly #subscriptions: readonly vscode.Disposable[];
  readonly #changed = new Set<string>();
  readonly #againMs: number;
  #timer: NodeJS.Timeout | undefined;

  readonly onDidChange = this.#changes.event;

  constructor(
    library: Pick<SearchLibrary, 'onDidChange'>,
    content: (uri: vscode.Uri) => Promise<string>,
    againMs = AGAIN_MS,
  ) {
    this.provideTextDocumentContent = content;
    this.#againMs = againMs;
    this.#subscriptions = [
      this.#changes,
      vscode.workspace.registerTextDocumentContentProvider(COMPARISON_SCHEME, this),
      library.onDidChange(({ search }) => search && this.#take(search.folder)),
    ];
  }

  #take(folder: string): void {
    this.#changed.add(JSON.stringify(folder));
    this.#timer ??= setTimeout(() => this.#tell(), this.#againMs);
  }

  #tell(): void {
    this.#timer = undefined;
    const changed = [...this.#changed];
    this.#changed.clear();
    for (const { uri } of vscode.workspace.textDocuments)
      if (uri.scheme === COMPARISON_SCHEME && changed.some((folder) => uri.query.includes(folder)))
        this.#changes.fire(uri);
  }

  dispose(): void {
    clearTimeout(this.#timer);
    for (const subscription of this.#subscriptions) subscription.dispose();
  }
}

/** The scheme of documents that compare two searches; they are made when they are shown. */
export const COMPARISON_SCHEME = 'thought-tree-comparison';

export interface SharingParts {
  readonly kinds: Kinds;
  readonly library: Pick<SearchLibrary, 'searches' | 'search' | 'scan' | 'read'>;
  /** Shows a search in the sidebar. */
  readonly reveal: (folder: string, path: string) => Promise<void>;
  readonly paint: GraphPanels['paint'];
}
