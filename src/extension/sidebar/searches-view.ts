import * as vscode from 'vscode';
import type { KindGroups } from '../../core/kind/kind-descriptor.ts';
import { parentPath } from '../../core/tree/slug.ts';
import type { AvailableActions } from '../actions/available-actions.ts';
import type { FollowedSearch } from '../library/followed-search.ts';
import type { LibraryChange, SearchLibrary } from '../library/search-library.ts';
import { translated } from '../message-text.ts';
import { type Arrangement, arrangeSearches, type ListOrder, type SearchGroup } from './arrange-searches.ts';
import { nodeItem } from './node-item.ts';
import { searchesTitle, searchItem } from './search-item.ts';
import {
  elementId,
  type GroupElement,
  type MoreElement,
  type NodeElement,
  type SearchElement,
  type SearchesElement,
  type TreeElement,
} from './tree-element.ts';
import { GroupedNodes, markBest, TreeReader } from './tree-reader.ts';

/**
 * With the row of a search the editor fetches anew what is below it, and a menu that is open there has no row meanwhile: its
 * row is drawn at most this often, in milliseconds.
 */
const ROW_MS = 1000;
/** The time for which changes are collected before nodes move from group to group, in milliseconds. */
const REGROUP_MS = 300;

interface ViewParts {
  /** Tells how a node came about, in a line, for kinds with receipts; read when a person asks for it. */
  readonly receiptOf?: (element: NodeElement) => Promise<string | undefined>;
  readonly order?: ListOrder;
}

/**
 * The sidebar: searches with their nodes. A folder is read when it is shown, and again when something in it changed;
 * nothing is read or drawn while the view is hidden.
 */
export class SearchesView implements vscode.TreeDataProvider<TreeElement>, vscode.Disposable {
  readonly #library: SearchLibrary;
  readonly #available: AvailableActions;
  readonly #receiptOf: (element: NodeElement) => Promise<string | undefined>;
  readonly #changes = new vscode.EventEmitter<TreeElement | undefined>();
  readonly #reader = new TreeReader();
  readonly #grouped = new GroupedNodes(this.#reader);
  /** The offers of searches as their rows were last drawn with. */
  readonly #offers = new Map<string, ReadonlyMap<string, string>>();
  /** The searches whose rows were drawn a moment ago, by their folders. */
  readonly #drawn = new Map<string, NodeJS.Timeout>();
  /** The searches whose groups are to be shown anew. */
  readonly #regrouping = new Map<string, NodeJS.Timeout>();
  /** The nodes of searches that are to be drawn anew, once those that are being read are. */
  readonly #pending = new Map<string, Set<string>>();
  readonly #pages = new Map<string, number>();
  readonly #list: SearchList;
  readonly #subscriptions: vscode.Disposable[] = [];
  readonly view: vscode.TreeView<TreeElement>;
  #isStale = false;

  readonly onDidChangeTreeData = this.#changes.event;

  constructor(library: SearchLibrary, available: AvailableActions, { receiptOf, order }: ViewParts = {}) {
    this.#library = library;
    this.#receiptOf = receiptOf ?? (async () => undefined);
    this.#available = available;
    this.#list = new SearchList(library, available, this.#reader, order);
    this.view = vscode.window.createTreeView('thoughtTree.searches', { treeDataProvider: this, showCollapseAll: true });
    this.#subscriptions.push(
      this.view,
      this.#changes,
      library.onDidChange((change) => this.#take(change)),
      this.view.onDidChangeVisibility(({ visible }) => {
        if (visible && this.#isStale) this.#refreshAll();
      }),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('thoughtTree.openDocumentsAs')) this.#refreshAll();
      }),
    );
    if (order) this.#subscriptions.push(order.onDidChange(() => this.#changes.fire(undefined)));
  }

  getTreeItem(element: TreeElement): vscode.TreeItem {
    if (element.kind === 'search') return searchItem(element, this.#available);
    if (element.kind === 'node') return nodeItem(element, this.#available, this.#groupsOf(element) !== undefined);
    if (element.kind === 'group') return groupItem(element, this.#groupsOf(element.parent));
    return element.kind === 'searches' ? searchesItem(element, this.#available) : moreItem(element);
  }

  async resolveTreeItem(item: vscode.TreeItem, element: TreeElement): Promise<vscode.TreeItem> {
    if (element.kind !== 'search' && element.kind !== 'node') return item;
    const { tooltips } = await import('./tooltips.ts');
    if (element.kind === 'search') item.tooltip = tooltips.ofSearch(element, this.#available);
    else {
      const hasReceipts = this.#available.descriptorFor(element.search)?.marks !== undefined;
      const receipt = hasReceipts ? await this.#receiptOf(element).catch(() => undefined) : undefined;
      item.tooltip = tooltips.ofNode(element, receipt);
    }
    return item;
  }

  getParent(element: TreeElement): TreeElement | undefined {
    if (element.kind === 'searches') return undefined;
    if (element.kind === 'search') return this.#list.groupOf(element);
    return (element.kind === 'node' && this.#grouped.groupOf(element)) || element.parent;
  }

  async getChildren(element?: TreeElement): Promise<TreeElement[]> {
    if (!element) {
      const rows = [...(await this.#list.elements())];
      const limited = this.#list.limited;
      this.view.message = limited;
      void vscode.commands.executeCommand('setContext', 'thoughtTree.isLimited', limited !== '');
      return rows;
    }
    if (element.kind === 'searches') return [...element.searches];
    if (element.kind === 'more') return [];
    const groups = element.kind === 'group' ? undefined : this.#groupsOf(element);
    if (groups) return element.kind === 'search' ? await this.#grouped.groups(element, groups) : [];
    const most = this.#pages.get(elementId(element)) ?? PAGE;
    const { nodes, total } = await this.#listed(element, most);
    if (total <= most) return [...nodes];
    const { folder, path } = element;
    return [...nodes, { kind: 'more', parent: element, folder, path, shown: most, total }];
  }

  async #listed(
    element: SearchElement | NodeElement | GroupElement,
    most: number,
  ): Promise<{ nodes: readonly NodeElement[]; total: number }> {
    if (element.kind === 'group') return { nodes: element.nodes.slice(0, most), total: element.nodes.length };
    const { slugs, nodes } = await this.#reader.list(element, most);
    return { nodes, total: slugs.length };
  }

  /** Returns the groups of a search's nodes; undefined if they are shown as a tree. */
  #groupsOf({ search }: Pick<SearchElement, 'search'>): KindGroups | undefined {
    return this.#available.descriptorFor(search)?.graph?.groups;
  }

  /** Shows the next page of a long list. */
  showMore({ parent, shown }: MoreElement): void {
    this.#pages.set(elementId(parent), shown + PAGE);
    if (parent.kind !== 'group') this.#reader.forget(parent);
    this.#changes.fire(parent);
  }

  /**
   * Selects a node in the view, expanding everything above it, and moves the focus there by default. Where the focus moves, a list
   * that leaves this search out shows every search again.
   */
  async reveal(folder: string, path: string, { expand = false, focus = true } = {}): Promise<void> {
    if (focus && this.#library.search(folder)) await this.#list.letIn(folder);
    await this.#list.elements();
    let element = this.#reader.element(folder, '');
    const groups = element && this.#groupsOf(element);
    if (element?.kind === 'search' && groups) {
      await this.#grouped.groups(element, groups);
      const found = this.#reader.element(folder, path);
      // A node in no group is shown by its parts.
      if (found?.kind === 'node' && this.#grouped.groupOf(found)) element = found;
      await this.view.reveal(element, { select: true, focus, expand: false });
      return;
    }
    for (const slug of path === '' ? [] : path.split('/')) {
      if (!element) return;
      const next: string = element.path === '' ? slug : `${element.path}/${slug}`;
      await this.#turnTo(element, slug);
      element = this.#reader.element(folder, next);
    }
    if (element) await this.view.reveal(element, { select: true, focus, expand });
  }

  /** Shows as many pages as needed to show one of the children. */
  async #turnTo(parent: SearchElement | NodeElement, slug: string): Promise<void> {
    const most = this.#pages.get(elementId(parent)) ?? PAGE;
    const { slugs } = await this.#reader.list(parent, most);
    const index = slugs.indexOf(slug);
    if (index < most) return;
    const shown = index - (index % PAGE);
    this.showMore({ kind: 'more', parent, folder: parent.folder, path: parent.path, shown, total: slugs.length });
    await this.#reader.list(parent, shown + PAGE);
  }

  #take({ search, paths }: LibraryChange): void {
    this.#setBadge();
    if (!this.view.visible) {
      this.#isStale = true;
      return;
    }
    if (!search || !paths) {
      this.#refreshAll();
      return;
    }
    this.#redrawRow(search);
    if (this.#groupsOf({ search })) this.#redrawOffered(search);
    const { folder } = search;
    const pending = this.#pending.get(folder);
    if (pending) {
      for (const path of paths) pending.add(path);
      return;
    }
    const first = new Set(paths);
    this.#pending.set(folder, first);
    void this.#redraw(search, first);
  }

  /**
   * Redraws nodes from their files, siblings after each other and others beside them. What changes meanwhile is added: each
   * node is read once, however often it changed, so that a slow disk leaves nothing to catch up with.
   */
  async #redraw(search: FollowedSearch, pending: Set<string>): Promise<void> {
    while (pending.size > 0) {
      const paths = [...pending];
      pending.clear();
      const families = [...Map.groupBy(paths, parentPath).values()];
      await Promise.all(
        families.map(async (siblings) => {
          for (const path of siblings) await this.#refresh(search, path);
        }),
      );
    }
    this.#pending.delete(search.folder);
  }

  #redrawRow(search: FollowedSearch): void {
    const { folder } = search;
    if (this.#list.haveMoved()) {
      this.#changes.fire(undefined);
      return;
    }
    if (this.#drawn.has(folder)) return;
    const element = this.#reader.element(folder, '');
    if (!this.#list.hasChanged(search) || !element) return;
    this.#changes.fire(element);
    const again = (): void => {
      this.#drawn.delete(folder);
      this.#take({ search, paths: [] });
    };
    this.#drawn.set(folder, setTimeout(again, ROW_MS));
  }

  /** Redraws one element from its files. */
  async #refresh(search: FollowedSearch, path: string): Promise<void> {
    // The read under way may be older than the change.
    const parent = path === '' ? undefined : this.#reader.element(search.folder, parentPath(path));
    if (parent) await this.#reader.listed(parent);
    if (parent?.kind === 'node' && (await this.#reader.lookBelow(parent))) this.#changes.fire(parent);
    const element = this.#reader.element(search.folder, path);
    if (!element) await this.#appear(search, path);
    else if (element.kind === 'search') this.#relist(element);
    else if (await this.#reader.reread(element)) {
      this.#changes.fire(element);
      await this.#judge(element.parent);
    } else this.#relist(element.parent);
    if (this.#groupsOf({ search })) this.#regroup(search.folder);
  }

  /** Redraws rows whose offers changed: possible actions depend on these, which are in no file of a node. */
  #redrawOffered({ folder, record }: FollowedSearch): void {
    const before = this.#offers.get(folder) ?? new Map<string, string>();
    const now = new Map(
      record.offers.open.flatMap(({ offer, taking }) =>
        offer.nodes.map((path) => [path, `${offer.id} ${taking?.by ?? ''}`] as const),
      ),
    );
    this.#offers.set(folder, now);
    for (const path of new Set([...before.keys(), ...now.keys()])) {
      const element = before.get(path) === now.get(path) ? undefined : this.#reader.element(folder, path);
      if (element) this.#changes.fire(element);
    }
  }

  /** A change of one node may move others from group to group; many changes at once move them once. */
  #regroup(folder: string): void {
    if (this.#regrouping.has(folder)) return;
    const regroup = async (): Promise<void> => {
      this.#regrouping.delete(folder);
      const element = this.#reader.element(folder, '');
      const groups = element && this.#groupsOf(element);
      // A row that is drawn again loses a menu that is open on it.
      if (element?.kind === 'search' && groups && (await this.#grouped.haveChanged(element, groups)))
        this.#changes.fire(element);
    };
    this.#regrouping.set(
      folder,
      setTimeout(() => void regroup(), REGROUP_MS),
    );
  }

  /** A node that was not read yet: relevant if its siblings were read, or it is the first of them. */
  async #appear(search: FollowedSearch, path: string): Promise<void> {
    const parent = this.#reader.element(search.folder, parentPath(path));
    const slug = path.slice(path.lastIndexOf('/') + 1);
    const listing = parent && (await this.#reader.listed(parent));
    if (parent && listing && !listing.slugs.includes(slug)) this.#relist(parent);
    else if (parent?.kind === 'node' && parent.children === 0) await this.#refresh(search, parentPath(path));
  }

  #relist(parent: SearchElement | NodeElement): void {
    this.#reader.forget(parent);
    this.#changes.fire(parent);
  }

  /** Finds out which sibling is now the best. */
  async #judge(parent: SearchElement | NodeElement): Promise<void> {
    const listing = await this.#reader.listed(parent);
    for (const changed of listing ? markBest(parent, listing.nodes) : []) {
      this.#changes.fire(changed);
      await this.#judge(changed);
    }
  }

  #refreshAll(): void {
    this.#isStale = false;
    this.#reader.forgetAll();
    this.#changes.fire(undefined);
  }

  #setBadge(): void {
    const running = this.#library.searches.filter(({ isActive }) => isActive).length;
    const tooltip = running === 1 ? vscode.l10n.t('1 search running') : vscode.l10n.t('{0} searches running', running);
    this.view.badge = running > 0 ? { value: running, tooltip } : undefined;
  }

  dispose(): void {
    for (const timer of [...this.#regrouping.values(), ...this.#drawn.values()]) clearTimeout(timer);
    for (const subscription of this.#subscriptions) subscription.dispose();
  }
}

const AS_FOUND: Arrangement = { groupBy: 'none', sortBy: 'date' };

/** The top of the sidebar: the rows of searches in their order, and in groups where a person wants some. */
export class SearchList {
  readonly #library: SearchLibrary;
  readonly #available: AvailableActions;
  readonly #reader: TreeReader;
  readonly #order: Pick<ListOrder, 'now'> & Partial<Pick<ListOrder, 'set'>>;
  /** The texts of the rows of searches, to redraw them when these change. */
  readonly #rows = new Map<string, string>();
  /** Which searches were expanded at first: that must not change with their state. */
  readonly #open = new Map<string, boolean>();
  #groups: readonly SearchesElement[] = [];
  /** The last arrangement of the searches. */
  #shown = '';
  /** The limit with which the searches were last arranged. */
  #only: Arrangement['only'];
  /** The searches that rested in the list as it is limited: they stay, as one that rests becomes another only where somebody acts. */
  readonly #staying = new Set<string>();

  constructor(
    library: SearchLibrary,
    available: AvailableActions,
    reader: TreeReader,
    order: Pick<ListOrder, 'now'> & Partial<Pick<ListOrder, 'set'>> = { now: AS_FOUND },
  ) {
    this.#library = library;
    this.#available = available;
    this.#reader = reader;
    this.#order = order;
  }

  async elements(): Promise<readonly SearchElement[] | readonly SearchesElement[]> {
    await this.#library.opened;
    const { searches } = this.#library;
    for (const [index, search] of searches.entries()) {
      this.#rows.set(search.folder, this.#rowOf(search));
      if (!this.#open.has(search.folder)) this.#open.set(search.folder, index === 0 || search.isActive);
    }
    const groups = this.#arranged();
    this.#shown = namesIn(groups);
    for (const { folder, isActive } of groups.flatMap((group) => group.searches))
      if (!isActive) this.#staying.add(folder);
    const elements = groups.map(({ name, searches: found }): SearchesElement => {
      const rows = found.map((search) => this.#elementOf(search));
      return { kind: 'searches', folder: '', path: '', name, searches: rows };
    });
    this.#groups = this.#order.now.groupBy === 'none' ? [] : elements;
    return this.#groups.length > 0 ? this.#groups : elements.flatMap(({ searches: rows }) => rows);
  }

  /** Returns the group in which a search was last shown. */
  groupOf(element: SearchElement): SearchesElement | undefined {
    return this.#groups.find(({ searches }) => searches.includes(element));
  }

  /** Says to which searches the list is limited, and how many there are; empty if it is not, or if there is none to leave out. */
  get limited(): string {
    const only = this.#library.searches.length > 0 ? this.#order.now.only : undefined;
    if (!only) return '';
    const { length } = this.#arranged().flatMap(({ searches }) => searches);
    const title = searchesTitle(only.name, this.#available);
    return vscode.l10n.t('{0} only: {1} of {2} searches', title, length, this.#library.searches.length);
  }

  /** Shows every search again if the list leaves this one out. */
  async letIn(folder: string): Promise<void> {
    const isShown = this.#arranged().some(({ searches }) => searches.some((search) => search.folder === folder));
    if (!isShown) await this.#order.set?.({ only: undefined });
  }

  /** Tells whether searches belong to other groups, or come in another order, than those last shown. */
  haveMoved(): boolean {
    return namesIn(this.#arranged()) !== this.#shown;
  }

  /** Tells whether the row of a search looks different from the one last shown. */
  hasChanged(search: FollowedSearch): boolean {
    const before = this.#rows.get(search.folder);
    const now = this.#rowOf(search);
    this.#rows.set(search.folder, now);
    return before !== now;
  }

  #arranged(): SearchGroup<FollowedSearch>[] {
    const { now } = this.#order;
    if (now.only !== this.#only) this.#staying.clear();
    this.#only = now.only;
    return arrangeSearches(this.#library.searches, now, new Date(), this.#staying);
  }

  #elementOf(search: FollowedSearch): SearchElement {
    return this.#reader.searchElement(search, this.#open.get(search.folder) ?? false);
  }

  /** Everything shown in the row of a search. */
  #rowOf(search: FollowedSearch): string {
    const element: SearchElement = { kind: 'search', search, folder: search.folder, path: '', isOpen: true };
    const { label, description, contextValue, iconPath } = searchItem(element, this.#available);
    return JSON.stringify([label, description, contextValue, iconPath]);
  }
}

function namesIn(groups: readonly SearchGroup<FollowedSearch>[]): string {
  return JSON.stringify(groups.map(({ name, searches }) => [name, searches.map(({ folder }) => folder)]));
}

/** The number of siblings shown at once. */
const PAGE = 200;

/** Returns a group of nodes as the sidebar shows it. */
function groupItem({ name, nodes, ...element }: GroupElement, groups: KindGroups | undefined): vscode.TreeItem {
  const { title, icon } = groups?.all.find((each) => each.name === name) ?? { title: name, icon: 'list-unordered' };
  const item = new vscode.TreeItem(translated(title), vscode.TreeItemCollapsibleState.Expanded);
  item.id = elementId({ ...element, name });
  item.description = String(nodes.length);
  item.iconPath = new vscode.ThemeIcon(icon);
  item.contextValue = 'group';
  return item;
}

/** Returns a group of searches as the sidebar shows it. */
function searchesItem({ searches, ...element }: SearchesElement, available: AvailableActions): vscode.TreeItem {
  const item = new vscode.TreeItem(searchesTitle(element.name, available), vscode.TreeItemCollapsibleState.Expanded);
  item.id = elementId(element);
  item.description = String(searches.length);
  item.contextValue = 'searches';
  return item;
}

/** Returns the last row of a long list. */
function moreItem(element: MoreElement): vscode.TreeItem {
  const left = element.total - element.shown;
  const item = new vscode.TreeItem(vscode.l10n.t('Show {0} More…', Math.min(PAGE, left)));
  item.id = elementId(element);
  item.iconPath = new vscode.ThemeIcon('ellipsis');
  item.command = { command: 'thoughtTree.showMore', title: item.label as string, arguments: [element] };
  return item;
}
