import { join } from 'node:path';
import { type FoundSearch, findSearch, findSearches } from '../store/open-store.ts';
import { SEARCHES } from './place.ts';

/**
 * The searches of a folder: those in its `thought-trees`, those directly in it, and the folder itself. Damaged ones
 * outside `thought-trees` are left out: they need not be ours.
 */
export async function searchesOf(folder: string): Promise<FoundSearch[]> {
  const [usual, direct, itself] = await Promise.all([
    findSearches(join(folder, SEARCHES)),
    findSearches(folder),
    findSearch(folder),
  ]);
  const own = [...(itself ? [itself] : []), ...direct].filter(({ problem }) => problem === undefined);
  return [...usual, ...own];
}
