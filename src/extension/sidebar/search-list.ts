import type { AvailableActions } from '../actions/available-actions.ts';
import type { FollowedSearch } from '../library/followed-search.ts';
import type { SearchLibrary } from '../library/search-library.ts';
import { type Arrangement, arrangeSearches, type SearchGroup } from './arrange-searches.ts';
import { searchItem } from './search-item.ts';
import type { SearchElement, SearchesElement } from './tree-element.ts';
import type { TreeReader } from './tree-reader.ts';

const AS_FOUND: Arrangement = { groupBy: 'none', sortBy: 'date' };

/** The top of the sidebar: the rows of searches in their order, and in groups where a person wants some. */
export class SearchList {
  readonly #library: SearchLibrary;
  readonly #available: AvailableActions;
  readonly #reader: TreeReader;
  readonly #order: { readonly now: Arrangement };
  /** The texts of the rows of searches, to redraw them when these change. */
  readonly #rows = new Map<string, string>();
  /** Which searches were expanded at first: that must not change with their state. */
  readonly #open = new Map<string, boolean>();
  #groups: readonly SearchesElement[] = [];
  /** The last arrangement of the searches. */
  #shown = '';

  constructor(
    library: SearchLibrary,
    available: AvailableActions,
    reader: TreeReader,
    order: { readonly now: Arrangement } = { now: AS_FOUND },
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
    const elements = groups.map(({ name, searches: found }): SearchesElement => {
      const rows = found.map((search) => this.#elementOf(search));
      return { kind: 'searches', folder: '', path: '', name, searches: rows };
    });
    this.#groups = this.#order.now.groupBy === 'none' ? [] : elements;
    return this.#groups.length > 0 ? this.#groups : elements.flatMap(({ searches: rows }) => rows);
  }

  /** The group in which a search was last shown. */
  groupOf(element: SearchElement): SearchesElement | undefined {
    return this.#groups.find(({ searches }) => searches.includes(element));
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
    return arrangeSearches(this.#library.searches, this.#order.now);
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
