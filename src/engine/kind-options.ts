import * as z from 'zod';
import { ThoughtTreeError } from '../core/search/errors.ts';
import type { SearchFile } from '../core/search/search-file.ts';
import { oneLine } from '../core/text/text.ts';
import type { Kind } from './kind.ts';

/**
 * The options of a search, checked by its kind.
 * @param given what this run says of them; it stands above search.json
 * @throws ThoughtTreeError `damaged` saying which one cannot be used
 */
export function optionsOf(
  { options: schema }: Pick<Kind, 'options'>,
  { options }: Pick<SearchFile, 'options'>,
  given: object = {},
): SearchFile['options'] {
  const checked = schema.safeParse({ ...options, ...given });
  if (checked.success) return checked.data as SearchFile['options'];
  const what = oneLine(z.prettifyError(checked.error), 500);
  throw new ThoughtTreeError('damaged', `search.json: ${what}`, { file: 'search.json' });
}
