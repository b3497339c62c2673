import { bestBelow } from '../../core/tree/best-path.ts';
import { pathOf } from '../../core/tree/tree.ts';
import type { SearchOverview } from '../reader/search-overview.ts';

/** The search's own best path where it has one, else that of the best scores; as the panel has it. */
export function bestPathOf({ reader, tree }: Pick<SearchOverview, 'reader' | 'tree'>): string[] {
  return reader.bestPath ? [...reader.bestPath] : bestBelow(tree.root).map(pathOf);
}
