import type { TreeRecord } from '../../tree/tree-record.ts';
import type { SearchRecord } from './search-record.ts';

/** The folds of one pass over a journal: the record of the search with its parts, and its tree if that is wanted. */
export interface Folds {
  readonly record: SearchRecord;
  readonly told?: TreeRecord | undefined;
}
