import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import * as z from 'zod';
import { readBounded } from './read-bounded.ts';

const Search = z.looseObject({ version: z.number(), kind: z.string(), title: z.string(), prompt: z.string() });
const MAX_BYTES = 1_000_000;

/**
 * The folders among `paths` that hold a search of ours, relative to `workspace`: a search must never quote another's
 * documents, nor its own.
 */
export function searchFolders(workspace: string, paths: readonly string[]): string[] {
  return paths
    .filter((path) => posix.basename(path) === 'search.json')
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
