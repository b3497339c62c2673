import * as z from 'zod';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import { FORMAT_VERSION, SearchFile } from '../../core/search/search-file.ts';
import { oneLine } from '../../core/text/text.ts';
import type { Commit, Files } from '../files/files.ts';
import { checkJson, inOrder, isObject, readJson, stringifyJson } from './json-file.ts';

const SEARCH = 'search.json';

/**
 * What search.json says.
 * @throws ThoughtTreeError `not-found`, `newer-version`, `damaged`
 */
export async function readSearchJson(files: Files): Promise<SearchFile> {
  const value = await readJson(files, SEARCH);
  if (value === undefined)
    throw new ThoughtTreeError('not-found', `There is no search in ${files.root}: it holds no ${SEARCH}.`, {
      file: SEARCH,
    });
  const version = isObject(value) ? value['version'] : undefined;
  if (typeof version === 'number' && version > FORMAT_VERSION)
    throw new ThoughtTreeError(
      'newer-version',
      `The search in ${files.root} was written by a newer program (version ${version} of the files; this one reads ` +
        `up to ${FORMAT_VERSION}). Update this program to open it.`,
      { file: SEARCH },
    );
  return checkJson(SearchFile, value, SEARCH);
}

/**
 * Makes search.json.
 * @returns false where one stands already
 * @throws ThoughtTreeError `bad-input` where the content is not as it should be
 */
export async function createSearchJson(files: Files, search: SearchFile, commit: Commit = {}): Promise<boolean> {
  return await files.createExclusive(SEARCH, searchText(search), commit);
}

/**
 * The text of a search.json.
 * @throws ThoughtTreeError `bad-input`
 */
export function searchText(search: SearchFile): string {
  const checked = SearchFile.safeParse(search);
  if (!checked.success)
    throw new ThoughtTreeError(
      'bad-input',
      `The search cannot be made: ${oneLine(z.prettifyError(checked.error), 500)}`,
      {
        cause: checked.error,
      },
    );
  return stringifyJson(inOrder(checked.data, Object.keys(SearchFile.shape)));
}
