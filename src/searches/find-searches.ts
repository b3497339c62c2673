import { join } from 'node:path';
import { type FoundSearch, findSearch, findSearches } from '../store/open-store.ts';
import { SEARCHES } from './place.ts';

/**
 * The searches of a folder: those in its `thought-trees`, and those that were given a folder of their own right in it, or
 * the folder itself. What is damaged outside `thought-trees` is left out: it need not be ours.
 */
export async function searchesOf(folder: string): Promise<FoundSearch[]> {
  const [usual, beside, itself] = await Promise.all([
    findSearches(join(folder, SEARCHES)),
    findSearches(folder),
    findSearch(folder),
  ]);
  const own = [...(itself ? [itself] : []), ...beside].filter(({ problem }) => problem === undefined);
  return [...usual, ...own];
}
