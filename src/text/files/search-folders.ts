import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { isAbsolute, join, posix } from 'node:path';
import * as z from 'zod';
import { readBounded } from './read-bounded.ts';

const Search = z.looseObject({ version: z.number(), kind: z.string(), title: z.string(), prompt: z.string() });
const MAX_BYTES = 1_000_000;
/** The default folder of searches: nothing in it is a source. */
export const SEARCHES = 'thought-trees';

/**
 * The folders of our own that are not worth a look when a workspace's files are listed, relative to it: earlier searches
 * easily have more folders than all the rest.
 * @param searches where its searches are kept, if not in the default folder; other files in it are listed
 */
export async function ownFolders(workspace: string, searches = SEARCHES): Promise<string[]> {
  if (searches === SEARCHES || searches.split('/').includes('..') || isAbsolute(searches)) return [SEARCHES];
  const entries = await readdir(join(workspace, searches), { withFileTypes: true }).catch(() => []);
  const files = entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => posix.join(searches, name, 'search.json'));
  return [
    SEARCHES,
    ...searchFolders(
      workspace,
      files.filter((file) => existsSync(join(workspace, file))),
    ),
  ];
}

/**
 * The folders among `paths` that hold a search of ours, relative to `workspace`: a search must never quote another's
 * documents, nor its own.
 */
export function searchFolders(workspace: string, paths: readonly string[]): string[] {
  return paths
    .filter((path) => path.endsWith('search.json') && posix.basename(path) === 'search.json')
    .map((path) => posix.dirname(path))
    .filter((folder) => holdsSearch(join(workspace, folder)));
}

function holdsSearch(folder: string): boolean {
  if (existsSync(join(folder, 'children.json')) || existsSync(join(folder, '.search'))) return true;
  try {
    const bytes = readBounded(join(folder, 'search.json'), MAX_BYTES);
    return bytes !== undefined && Search.safeParse(JSON.parse(bytes.toString('utf8'))).success;
  } catch {
    return false; // not JSON, or gone: somebody else's file of that name
  }
}
