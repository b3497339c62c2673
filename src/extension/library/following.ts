import { descriptorOf, type Kinds, loadKind } from '../../engine/kind.ts';
import { findSearches } from '../../store/open-store.ts';
import { FollowedSearch } from './followed-search.ts';

/** The only way to the files of searches: a separate bundle, so that the extension is ready before it is loaded. */
export const following = {
  /** The folders in a folder that hold a search. */
  find: async (folder: string): Promise<string[]> => (await findSearches(folder)).map((found) => found.folder),
  /** Only the kind of what somebody outside leads is needed: how far that is, nothing else knows. */
  follow: (folder: string, workspace: string, kinds: Kinds): FollowedSearch =>
    new FollowedSearch(folder, workspace, async (file) =>
      descriptorOf(kinds, file.kind)?.isLedOutside(file.options) ? await loadKind(kinds, file) : undefined,
    ),
};
