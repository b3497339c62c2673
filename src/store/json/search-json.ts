import type { Message } from '../../core/messages/message.ts';
import { wrongField } from '../../core/messages/wrong-field.ts';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import { FORMAT_VERSION, SearchFile } from '../../core/search/search-file.ts';
import { isRecord } from '../../core/text/loose-json.ts';
import type { Commit, Files, ReadFiles } from '../files/files.ts';
import * as say from '../messages.ts';
import { checkJson, inOrder, readJson, stringifyJson } from './json-file.ts';

const SEARCH = 'search.json';

/**
 * The content of search.json.
 * @throws ThoughtTreeError `not-found`, `newer-version`, `damaged`
 */
export async function readSearchJson(files: ReadFiles): Promise<SearchFile> {
  const value = await readJson(files, SEARCH);
  if (value === undefined) throw new ThoughtTreeError('not-found', await whatIsThere(files), { file: SEARCH });
  const version = isRecord(value) ? value['version'] : undefined;
  if (typeof version === 'number' && version > FORMAT_VERSION)
    throw new ThoughtTreeError(
      'newer-version',
      say.newerVersion({ folder: files.root, version, known: FORMAT_VERSION }),
      { file: SEARCH },
    );
  // The first version is the one that may leave it out.
  return checkJson(SearchFile, isRecord(value) ? { version: 1, ...value } : value, SEARCH);
}

/** Says why a folder without a search.json is no search; the tree of another program can be taken over. */
async function whatIsThere(files: ReadFiles): Promise<Message> {
  const isTree = (await files.stat('children.json'))?.kind === 'file';
  const where = { folder: files.root, file: SEARCH };
  return isTree ? say.treeAlone(where) : say.noSearch(where);
}

/**
 * Creates search.json.
 * @returns false if it already exists
 * @throws ThoughtTreeError `bad-input` if the content is invalid
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
    throw new ThoughtTreeError('bad-input', say.wrongSearch({ why: wrongField(checked.error) }), {
      cause: checked.error,
    });
  return stringifyJson(inOrder(checked.data, Object.keys(SearchFile.shape)));
}
