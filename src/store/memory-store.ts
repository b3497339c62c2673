import { ThoughtTreeError } from '../core/search/errors.ts';
import type { SearchFile } from '../core/search/search-file.ts';
import { MemoryFiles } from './files/memory-files.ts';
import { searchText } from './json/search-json.ts';
import type { WriteRight } from './lease/write-right.ts';
import { searchClosed } from './messages.ts';
import { SearchStore } from './search-store.ts';

/**
 * A search in memory, for tests and benchmarks; nobody else can write it.
 * @param files to open the same files again
 * @throws ThoughtTreeError `bad-input`
 */
export function createMemoryStore(search: SearchFile, files: MemoryFiles = new MemoryFiles()): SearchStore {
  if (!files.existsNow('search.json')) files.put('search.json', searchText(search));
  files.put('.search/.gitignore', '*\n');
  return new SearchStore(files, soleWriter());
}

function soleWriter(): WriteRight {
  let closed = false;
  return {
    check: () => {
      if (closed) throw new ThoughtTreeError('lease-lost', searchClosed());
    },
    release: async () => {
      closed = true;
    },
  };
}
