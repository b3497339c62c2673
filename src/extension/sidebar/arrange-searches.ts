import * as vscode from 'vscode';
import type { SearchState } from '../../core/search/record/search-state.ts';
import type { SearchFile } from '../../core/search/search-file.ts';

/** By what the list of searches is divided, in which order they come, and which of them. */
export interface Arrangement {
  readonly groupBy: GroupBy;
  readonly sortBy: SortBy;
  /** The group to which the list is limited. */
  readonly only?: Only | undefined;
}
/** Those searches that would be in one group. */
interface Only {
  readonly by: (typeof ONLY_BY)[number];
  readonly name: string;
}
export const ONLY_BY = ['status', 'kind'] as const;
export const GROUP_BY = ['none', 'status', 'kind', 'date', 'folder'] as const;
export type GroupBy = (typeof GROUP_BY)[number];
export const SORT_BY = ['date', 'title', 'status'] as const;
export type SortBy = (typeof SORT_BY)[number];

/** As much of a search as its place in the list depends on. */
export interface Arranged {
  readonly folder: string;
  readonly workspace: string;
  readonly title: string;
  readonly state: SearchState;
  readonly problem: unknown;
  readonly file: Pick<SearchFile, 'kind' | 'createdAt'> | undefined;
}

/** Searches that are listed together; the name is one of `STATUS_GROUPS` or `DATE_GROUPS`, a kind or a folder. */
export interface SearchGroup<S> {
  readonly name: string;
  readonly searches: readonly S[];
}

export const STATUS_GROUPS = ['running', 'resting', 'finished', 'unreadable'] as const;
export const DATE_GROUPS = ['today', 'yesterday', 'week', 'month', 'earlier'] as const;

/** The states of searches, the most urgent first. */
const URGENT_FIRST: readonly SearchState[] = ['running', 'waiting', 'paused', 'interrupted', 'finished'];
const DAY_MS = 86_400_000;

/**
 * Returns searches in groups; a single group without a name if they are not divided. Empty groups are left out.
 * @param searches the newest first
 * @param staying the folders of those that no limit leaves out
 */
export function arrangeSearches<S extends Arranged>(
  searches: readonly S[],
  { groupBy, sortBy, only }: Arrangement,
  now = new Date(),
  staying: ReadonlySet<string> = new Set(),
): SearchGroup<S>[] {
  const isShown = (search: S): boolean =>
    !only || staying.has(search.folder) || groupOf(search, only.by, now) === only.name;
  const shown = searches.filter(isShown);
  const sorted = sortBy === 'date' ? shown : shown.toSorted(ORDERS[sortBy]);
  if (groupBy === 'none') return sorted.length === 0 ? [] : [{ name: '', searches: sorted }];
  const groups = Map.groupBy(sorted, (search) => groupOf(search, groupBy, now));
  const names = ORDER_OF[groupBy] ?? [...groups.keys()].sort((a, b) => a.localeCompare(b));
  return names.flatMap((name) => {
    const found = groups.get(name);
    return found ? [{ name, searches: found }] : [];
  });
}

const ORDERS: Readonly<Record<Exclude<SortBy, 'date'>, (a: Arranged, b: Arranged) => number>> = {
  title: (a, b) => a.title.localeCompare(b.title, undefined, { numeric: true }),
  status: (a, b) => URGENT_FIRST.indexOf(a.state) - URGENT_FIRST.indexOf(b.state),
};
const ORDER_OF: Partial<Record<GroupBy, readonly string[]>> = { status: STATUS_GROUPS, date: DATE_GROUPS };

function groupOf(search: Arranged, groupBy: Exclude<GroupBy, 'none'>, now: Date): string {
  if (groupBy === 'status') return statusGroup(search);
  if (groupBy === 'date') return dateGroup(search.file?.createdAt, now);
  return groupBy === 'kind' ? (search.file?.kind ?? '') : search.workspace;
}

function statusGroup({ state, problem }: Arranged): (typeof STATUS_GROUPS)[number] {
  if (problem !== undefined) return 'unreadable';
  if (state === 'finished') return 'finished';
  return state === 'running' || state === 'waiting' ? 'running' : 'resting';
}

/** By days of the person's calendar. */
function dateGroup(createdAt: string | undefined, now: Date): (typeof DATE_GROUPS)[number] {
  const time = Date.parse(createdAt ?? '');
  if (Number.isNaN(time)) return 'earlier';
  const today = new Date(now.getFullYear(), now.getMonth(), now.getDate()).getTime();
  if (time >= today) return 'today';
  if (time >= today - DAY_MS) return 'yesterday';
  if (time >= today - 7 * DAY_MS) return 'week';
  return time >= today - 30 * DAY_MS ? 'month' : 'earlier';
}

const KEY = 'thoughtTree.arrangement';

/** The order of the searches that a person chose, remembered for the workspace. */
export class ListOrder implements vscode.Disposable {
  readonly #memory: vscode.Memento;
  readonly #changes = new vscode.EventEmitter<void>();
  #now: Arrangement;

  readonly onDidChange = this.#changes.event;

  constructor(memory: vscode.Memento) {
    this.#memory = memory;
    const { groupBy, sortBy, only } = memory.get<Partial<Record<keyof Arrangement, unknown>>>(KEY) ?? {};
    const { by, name } = (only ?? {}) as Partial<Record<keyof Only, unknown>>;
    const limitedBy = ONLY_BY.find((each) => each === by);
    this.#now = {
      groupBy: GROUP_BY.find((each) => each === groupBy) ?? 'none',
      sortBy: SORT_BY.find((each) => each === sortBy) ?? 'date',
      ...(limitedBy && typeof name === 'string' ? { only: { by: limitedBy, name } } : {}),
    };
  }

  get now(): Arrangement {
    return this.#now;
  }

  async set(change: Partial<Arrangement>): Promise<void> {
    this.#now = { ...this.#now, ...change };
    this.#changes.fire();
    await this.#memory.update(KEY, this.#now);
  }

  dispose(): void {
    this.#changes.dispose();
  }
}
