import type { SpendLimit } from '../../../../src/core/search/limits.ts';
import { SearchRecord } from '../../../../src/core/search/record/search-record.ts';
import type { FollowedSearch } from '../../../../src/extension/library/followed-search.ts';
import type { LibraryChange, SearchLibrary } from '../../../../src/extension/library/search-library.ts';
import type { NodeElement, SearchElement } from '../../../../src/extension/sidebar/tree-element.ts';
import { EventEmitter } from '../fake-vscode.ts';

const NOTHING = { calls: 0, prompt: 0, cached: 0, completion: 0, worstCase: 0, usd: 0, usdComplete: true, minutes: 0 };
const SPEND = { ...NOTHING, booked: { calls: 0, tokens: 0, usd: 0 } };

type Shown = Partial<Omit<FollowedSearch, 'spend'>> & { readonly spend?: Partial<FollowedSearch['spend']> };

/** A search as the views see it; everything that is not told is empty. */
export function sampleSearch({ spend, ...fields }: Shown = {}): FollowedSearch {
  const state = fields.state ?? 'running';
  const search = {
    folder: '/home/me/thought-trees/slow',
    workspace: '/home/me',
    title: 'Slow build',
    state,
    isActive: state === 'running' || state === 'waiting',
    isResumable: state !== 'finished',
    isRead: true,
    read: Promise.resolve(),
    scan: async () => undefined,
    hasReport: false,
    isDivided: false,
    callsUnderWay: 0,
    record: new SearchRecord(),
    size: 0,
    progress: { done: 0, open: 0, failed: 0 },
    count: () => 0,
    paths: () => [],
    tree: async () => {
      throw new Error('no tree');
    },
    refresh: async () => [],
    statusAt: () => undefined,
    spentOn: () => undefined,
    spend: { ...SPEND, ...spend },
    ...fields,
  };
  return search as unknown as FollowedSearch;
}

const AT = { seq: 1, time: new Date(0).toISOString() };

/** What is known of a search that was run. */
export function begun(guards: Partial<Record<SpendLimit, number>> = {}): SearchRecord {
  const limits = { size: 'small' as const, maxDepth: 4, guards };
  return SearchRecord.of([{ ...AT, type: 'search-started', model: 'ollama/m', limits }]);
}

/** The same of one that paused before a guard. */
export function restingAt(guard: SpendLimit, limit: number): SearchRecord {
  const record = begun({ [guard]: limit });
  const why = { message: 'One more call could exceed the limit.', say: { key: 'x', args: {} } };
  record.apply({ ...AT, type: 'search-paused', reason: 'budget', cause: guard, ...why, results: {} } as never);
  return record;
}

export function searchElement(search = sampleSearch()): SearchElement {
  return { kind: 'search', search, folder: search.folder, path: '', isOpen: true };
}

export function nodeElement(file: Partial<NodeElement['file']>, more: Partial<NodeElement> = {}): NodeElement {
  const parent = more.parent ?? searchElement(more.search);
  const { search, folder } = parent;
  const whole = { title: 'Cache', status: 'unexpanded' as const, ...file };
  const state = { file: whole, hasDocument: false, children: 0, isBest: false };
  return { kind: 'node', search, folder, path: 'cache', parent, ...state, ...more };
}

/** A library of given searches, and how a change is told. */
export function sampleLibrary(...searches: FollowedSearch[]): {
  library: SearchLibrary;
  tell: (change?: object) => void;
} {
  const changes = new EventEmitter<LibraryChange>();
  const library = {
    searches,
    opened: Promise.resolve(),
    read: Promise.resolve(),
    scan: async () => undefined,
    search: (folder: string) => searches.find((each) => each.folder === folder),
    onDidChange: changes.event,
  };
  const tell = (change: object = {}): void => changes.fire({ search: undefined, paths: undefined, ...change });
  return { library: library as unknown as SearchLibrary, tell };
}

/** Waits until everything that is under way in memory is done. */
export function settled(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(() => setImmediate(resolve));
  });
}
