import { basename } from 'node:path';
import type { FollowedSearch } from '../library/followed-search.ts';
import type { SearchLibrary } from '../library/search-library.ts';

/** The search that a person's words are about. */
export interface Named {
  readonly search: FollowedSearch;
  /** Their words apart from its name. */
  readonly rest: string;
}

/**
 * The search that some words are about: one whose folder or title they name, else the last one that was spoken of, else the
 * one at work, else the latest.
 * @param last the folder of the search that was spoken of last
 */
export async function namedSearch(
  library: SearchLibrary,
  words: string,
  last: string | undefined,
): Promise<Named | undefined> {
  await library.read;
  const searches = library.searches.filter(({ problem }) => problem === undefined);
  const text = words.trim();
  // The longest name first: one may be a part of another.
  const names = searches.flatMap((search) => [basename(search.folder), search.title].map((name) => ({ search, name })));
  for (const { search, name } of names.sort((a, b) => b.name.length - a.name.length)) {
    const at = text.toLowerCase().indexOf(name.toLowerCase());
    if (at < 0 || !isApart(text, at, name.length)) continue;
    const rest = `${text.slice(0, at).trimEnd()} ${text.slice(at + name.length).trimStart()}`.trim();
    return { search, rest: rest.replace(/^["',]|["',]$/g, '').trim() };
  }
  const search =
    searches.find(({ folder }) => folder === last) ?? searches.find(({ isActive }) => isActive) ?? searches[0];
  return search && { search, rest: text };
}

/** A name that is only a part of a path or a word does not count. */
function isApart(text: string, at: number, length: number): boolean {
  return !/[\w/-]/.test(text.charAt(at - 1)) && !/[\w/-]/.test(text.charAt(at + length));
}
