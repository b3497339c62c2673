import { findSearches } from '../../store/open-store.ts';
import { FollowedSearch } from './followed-search.ts';

/** The only way to the files of searches: a separate bundle, so that the extension is ready before it is loaded. */
export const following = {
  /** The folders in a folder that hold a search. */
  find: async (folder: string): Promise<string[]> => (await findSearches(folder)).map((found) => found.folder),
  follow: (folder: string, workspace: string): FollowedSearch => new FollowedSearch(folder, workspace),
};
