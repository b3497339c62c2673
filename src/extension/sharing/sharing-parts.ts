import type { Kinds } from '../../engine/kind/kinds.ts';
import type { SearchLibrary } from '../library/search-library.ts';
import type { GraphPanels } from '../panel/graph-panels.ts';

/** The scheme of documents that compare two searches; they are made when they are shown. */
export const COMPARISON_SCHEME = 'thought-tree-comparison';

export interface SharingParts {
  readonly kinds: Kinds;
  readonly library: Pick<SearchLibrary, 'searches' | 'search' | 'scan' | 'read'>;
  /** Shows a search in the sidebar. */
  readonly reveal: (folder: string, path: string) => Promise<void>;
  readonly paint: GraphPanels['paint'];
}
