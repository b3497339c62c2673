import * as vscode from 'vscode';
import { maySpend } from '../../core/actions/action-descriptor.ts';
import { isWithin } from '../../core/tree/slug.ts';
import type { AvailableActions } from '../actions/available-actions.ts';
import type { LibraryChange, SearchLibrary } from '../library/search-library.ts';
import { translated } from '../message-text.ts';
import { pageOf } from './open-document.ts';

/** The actions that are offered above a document; the menus have all. */
const SHOWN = ['expand', 'prune', 'restore', 'retry'];
const TOP = new vscode.Range(0, 0, 0, 0);

/** Shows what can be done to the node of a document now, as links above its text in the source editor. */
export class DocumentLenses implements vscode.CodeLensProvider, vscode.Disposable {
  readonly #library: SearchLibrary;
  readonly #available: AvailableActions;
  readonly #changes = new vscode.EventEmitter<void>();
  readonly #subscriptions: vscode.Disposable[];

  readonly onDidChangeCodeLenses = this.#changes.event;

  constructor(library: SearchLibrary, available: AvailableActions) {
    this.#library = library;
    this.#available = available;
    const documents = { language: 'markdown', scheme: 'file', pattern: '**/document.md' };
    this.#subscriptions = [
      this.#changes,
      vscode.languages.registerCodeLensProvider(documents, this),
      library.onDidChange((change) => this.#take(change)),
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.#changes.fire()),
    ];
  }

  async provideCodeLenses({ uri }: Pick<vscode.TextDocument, 'uri'>): Promise<vscode.CodeLens[]> {
    await this.#library.opened;
    const { folder = '', path = '' } = pageOf(uri.fsPath) ?? {};
    const search = this.#library.search(folder);
    if (!search || path === '') return [];
    await search.read;
    const target = { folder, path };
    const { isTrusted } = vscode.workspace;
    const offered = (await this.#available.at(search, path)).filter((descriptor) => isTrusted || !maySpend(descriptor));
    const lens = (title: string, command: string, argument: unknown): vscode.CodeLens =>
      new vscode.CodeLens(TOP, { title, command, arguments: [argument] });
    return [
      ...SHOWN.flatMap((name) => offered.find((descriptor) => descriptor.name === name) ?? []).map(({ name, title }) =>
        lens(translated(title), `thoughtTree.${name}`, target),
      ),
      lens(vscode.l10n.t('Show in tree'), 'thoughtTree.reveal', target),
      lens(vscode.l10n.t('Open rendered'), 'thoughtTree.readPage', uri),
    ];
  }

  #take({ search, paths }: LibraryChange): void {
    const isShown = vscode.window.visibleTextEditors.some(({ document }) => {
      const found = this.#library.nodeOf(document.uri.fsPath);
      if (found?.search !== search || !found) return false;
      // The nodes above decide, too: one may have been pruned.
      return paths === undefined || paths.some((each) => isWithin(found.path, each));
    });
    if (isShown) this.#changes.fire();
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
  }
}
