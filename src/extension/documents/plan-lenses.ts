import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { FollowedSearch } from '../library/followed-search.ts';
import type { SearchLibrary } from '../library/search-library.ts';

/** The files of plans that a person may edit before their search begins. */
export const PLAN_FILES = ['decomposition.json', 'plan.yaml'];

/** Above the plan of a search that has not begun: what starts it, at any time. The same is in the title of its tab. */
export class PlanLenses implements vscode.CodeLensProvider, vscode.Disposable {
  readonly #library: Pick<SearchLibrary, 'searches' | 'nodeOf'>;
  readonly #changes = new vscode.EventEmitter<void>();
  readonly #subscriptions: readonly vscode.Disposable[];
  #known = '';

  readonly onDidChangeCodeLenses = this.#changes.event;

  constructor(library: Pick<SearchLibrary, 'searches' | 'nodeOf' | 'onDidChange'>) {
    this.#library = library;
    const selector = { scheme: 'file', pattern: `**/{${PLAN_FILES.join(',')}}` };
    this.#subscriptions = [
      vscode.languages.registerCodeLensProvider(selector, this),
      library.onDidChange(() => this.#look()),
    ];
    this.#look();
  }

  provideCodeLenses({ uri }: Pick<vscode.TextDocument, 'uri'>): vscode.CodeLens[] {
    const search = this.#library.nodeOf(uri.fsPath)?.search;
    if (!search || !isToBegin(search) || !PLAN_FILES.includes(basename(uri.fsPath))) return [];
    const title = `$(play) ${vscode.l10n.t('Start "{0}"', search.title.slice(0, 100))}`;
    return [
      new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), {
        title,
        command: 'thoughtTree.startPlanned',
        arguments: [uri],
      }),
    ];
  }

  /** The button in the title of a tab depends on the paths of the plans. */
  #look(): void {
    const folders = this.#library.searches.filter(isToBegin).map(({ folder }) => vscode.Uri.file(folder));
    const paths = folders.flatMap((folder) => PLAN_FILES.map((name) => vscode.Uri.joinPath(folder, name).path));
    const known = paths.join('\n');
    if (known === this.#known) return;
    this.#known = known;
    this.#set('plans', paths);
    this.#changes.fire();
  }

  #set(key: string, value: unknown): void {
    void vscode.commands.executeCommand('setContext', `thoughtTree.${key}`, value);
  }

  dispose(): void {
    for (const each of [...this.#subscriptions, this.#changes]) each.dispose();
  }
}

/** Tells whether a search waits for its start: its plan can be edited. */
export function isToBegin({ isRead, isActive, problem, record }: FollowedSearch): boolean {
  return isRead && !isActive && problem === undefined && !record.hasBegun;
}
