import * as vscode from 'vscode';
import type { Kinds } from '../../engine/kind.ts';
import type { Place } from '../../searches/place.ts';
import type { AvailableActions } from '../actions/available-actions.ts';
import type { FollowedSearch } from '../library/followed-search.ts';
import type { SearchLibrary } from '../library/search-library.ts';
import { translated, wordsOf } from '../message-text.ts';
import type { SearchesView } from '../sidebar/searches-view.ts';
import type { FileTarget, NodeTarget, SearchTarget } from './command-table.ts';
import { SELECTION } from './contributed-commands.ts';

/** The search that is wanted where a command names none. */
interface Wanted {
  /** Which ones can be meant; by default all that can be read. */
  readonly fits?: (search: FollowedSearch) => boolean;
  /** The thing to be done with it, for the question. */
  readonly what?: string;
  /** True if it changes something or costs: several that fit are then asked for, even if one of them is selected. */
  readonly isSure?: boolean;
}

/**
 * Finds the target of a command: its argument, what is selected in the sidebar or open in the editor, whichever the
 * person used last, or what they pick. Nobody else decides which search is meant.
 */
export class Targets implements vscode.Disposable {
  readonly #library: SearchLibrary;
  readonly #view: SearchesView;
  readonly #kinds: Kinds;
  readonly #available: AvailableActions;
  readonly #subscriptions: vscode.Disposable[];
  #isInEditor = false;

  constructor(library: SearchLibrary, view: SearchesView, kinds: Kinds, available: AvailableActions) {
    this.#library = library;
    this.#view = view;
    this.#kinds = kinds;
    this.#available = available;
    this.#subscriptions = [
      view.view.onDidChangeSelection(() => {
        this.#isInEditor = false;
      }),
      onDidTurnToFile(() => {
        this.#isInEditor = true;
      }),
    ];
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  placeOf({ folder, workspace }: FollowedSearch): Place {
    return { folder, workspace };
  }

  /** Returns the targeted search; undefined if the person picks none. */
  async search(target: SearchTarget | undefined, wanted: Wanted = {}): Promise<FollowedSearch | undefined> {
    const { fits = () => true, what, isSure = false } = wanted;
    await this.#library.opened;
    if (target) return this.#named(target);
    const current = this.#current();
    const found = current && this.#library.search(current.folder);
    await found?.read;
    if (found && !isSure && fits(found)) return found;
    await this.#library.read;
    const fitting = this.#library.searches.filter((search) => search.problem === undefined && fits(search));
    if (fitting.length === 0)
      void vscode.window.showInformationMessage(vscode.l10n.t('This is not possible for any search at the moment.'));
    if (fitting.length <= 1) return fitting[0];
    const title = vscode.l10n.t('Which search?');
    // The one that the person has in front of them comes first, and is chosen by Enter.
    const inOrder = [...fitting.filter((each) => each === found), ...fitting.filter((each) => each !== found)];
    const { menus } = await import('./menus.ts');
    return menus.pickSearch(inOrder, what === undefined ? title : `${what.replace(/…$/, '')}: ${title}`);
  }

  /** A named search is that one or none: the command may cost money. */
  async #named({ folder }: SearchTarget): Promise<FollowedSearch | undefined> {
    if (!this.#library.search(folder)) await this.#library.scan(); // it may have just been created
    const search = this.#library.search(folder);
    if (!search) void vscode.window.showInformationMessage(vscode.l10n.t('This search is no longer there.'));
    await search?.read;
    return search;
  }

  /**
   * The targeted node; the search as a whole has the empty path.
   * @param action what to do to it: only nodes where it is offered can be picked
   */
  async node(
    target: NodeTarget | typeof SELECTION | undefined,
    action?: string,
  ): Promise<{ search: FollowedSearch; path: string } | undefined> {
    await this.#library.opened;
    const named = target === SELECTION ? this.selected : target;
    if (named) {
      const search = await this.#named(named);
      return search && { search, path: named.path ?? '' };
    }
    if (target === SELECTION) return undefined;
    const current = this.#current();
    const known = current && this.#library.search(current.folder);
    await known?.read;
    if (known && (action === undefined || (await this.#isAt(known, current.path ?? '', action))))
      return { search: known, path: current.path ?? '' };
    const fits = (each: FollowedSearch): boolean => action === undefined || this.#available.mayBeIn(each, action);
    const isKnown = known && (action === undefined || this.#available.pathsFor(known, action).length > 0);
    const search = isKnown ? known : await this.search(undefined, { fits });
    return search && this.#pickNode(search, action);
  }

  /** Returns the node that a file belongs to. */
  async nodeOf({ fsPath }: FileTarget): Promise<NodeTarget | undefined> {
    await this.#library.opened;
    const found = this.#library.nodeOf(fsPath);
    return found && { folder: found.search.folder, path: found.path };
  }

  async #isAt(search: FollowedSearch, path: string, action: string): Promise<boolean> {
    return (await this.#available.at(search, path)).some(({ name }) => name === action);
  }

  async #pickNode(
    search: FollowedSearch,
    action: string | undefined,
  ): Promise<{ search: FollowedSearch; path: string } | undefined> {
    const paths = action === undefined ? search.paths() : this.#available.pathsFor(search, action);
    if (paths.length === 0) {
      void vscode.window.showInformationMessage(vscode.l10n.t('This is not possible for anything at the moment.'));
      return undefined;
    }
    const { menus } = await import('./menus.ts');
    const path = await menus.pickNode(search, paths, translated(wordsOf(this.#kinds, search).whichNode));
    return path === undefined ? undefined : { search, path };
  }

  #current(): NodeTarget | undefined {
    const [selected, edited] = [this.selected, this.#ofActiveEditor()];
    return this.#isInEditor ? (edited ?? selected) : (selected ?? edited);
  }

  /** The search whose own row is selected in the sidebar. */
  get selectedSearch(): SearchTarget | undefined {
    const [element] = this.#view.view.selection;
    return element?.kind === 'search' ? { folder: element.folder } : undefined;
  }

  /** The selection in the sidebar: a search or one of its nodes. */
  get selected(): NodeTarget | undefined {
    const [element] = this.#view.view.selection;
    // The row that shows more of a list is not a node, and neither is one above searches.
    return element && element.kind !== 'more' && element.kind !== 'searches'
      ? { folder: element.folder, path: element.path }
      : undefined;
  }

  /** The node whose document is open in front of the person. */
  #ofActiveEditor(): NodeTarget | undefined {
    const file = activeFile();
    const found = file?.scheme === 'file' ? this.#library.nodeOf(file.fsPath) : undefined;
    return found && { folder: found.search.folder, path: found.path };
  }
}

/** Returns the file in front of the person, as text or rendered. */
function activeFile(): vscode.Uri | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  return input instanceof vscode.TabInputCustom ? input.uri : vscode.window.activeTextEditor?.document.uri;
}

/** When the person turns to a file, as text or rendered. */
function onDidTurnToFile(turned: () => void): vscode.Disposable {
  return vscode.Disposable.from(
    vscode.window.onDidChangeActiveTextEditor((editor) => {
      if (editor) turned();
    }),
    vscode.window.tabGroups.onDidChangeTabs(({ opened, changed }) => {
      if ([...opened, ...changed].some(({ isActive, input }) => isActive && input instanceof vscode.TabInputCustom))
        turned();
    }),
  );
}
