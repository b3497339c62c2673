import { ThoughtTreeError } from '../core/errors.ts';
import type { SearchFile } from '../core/search-file.ts';
import { MemoryFiles } from './memory-files.ts';
import { searchText } from './search-json.ts';
import { createSearchStore, type SearchStore } from './search-store.ts';
import type { WriteRight } from './write-right.ts';

/**
 * A search that lives as long as the program, for tests and benchmarks; nobody else can write it.
 * @param files to open the same files again
 * @throws ThoughtTreeError `bad-input`
 */
export function createMemoryStore(search: SearchFile, files: MemoryFiles = new MemoryFiles()): SearchStore {
  if (!files.existsNow('search.json')) files.put('search.json', searchText(search));
  files.put('.search/.gitignore', '*\n');
  return createSearchStore(files, soleWriter());
}

function soleWriter(): WriteRight {
  let closed = false;
  return {
    check: () => {
      if (closed) throw new ThoughtTreeError('lease-lost', 'This search was closed.');
    },
    release: async () => {
      closed = true;
    },
  };
}
