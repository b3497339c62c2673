import { wrongField } from '../../core/messages/wrong-field.ts';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import type { SearchFile } from '../../core/search/search-file.ts';
import { wrongOptions } from '../messages.ts';
import type { Kind } from './kind.ts';

/**
 * The options of a search, checked by its kind.
 * @param given the options that this run sets; they take precedence over search.json
 * @throws ThoughtTreeError `damaged` saying which one is invalid
 */
export function optionsOf(
  { options: schema }: Pick<Kind, 'options'>,
  { options }: Pick<SearchFile, 'options'>,
  given: object = {},
): SearchFile['options'] {
  const checked = schema.safeParse({ ...options, ...given });
  if (checked.success) return checked.data as SearchFile['options'];
  throw new ThoughtTreeError('damaged', wrongOptions({ why: wrongField(checked.error) }), { file: 'search.json' });
}
