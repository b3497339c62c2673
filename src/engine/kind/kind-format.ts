import type { ReadStore, Store } from '../../core/ports/store.ts';
import type { Limits } from '../../core/search/limits.ts';
import type { SearchRecord } from '../../core/search/record/search-record.ts';
import type { SearchFile } from '../../core/search/search-file.ts';
import type { Tree } from '../../core/tree/tree.ts';

/** A search that nobody has to run to be written in another format. */
interface WholeSearch {
  readonly file: SearchFile;
  readonly tree: Tree;
  readonly limits: Limits;
  /** With the parts that its kind adds. */
  readonly record: SearchRecord;
  readonly store: Pick<ReadStore, 'readNodeFile' | 'readDocument' | 'readDecomposition' | 'readNotes'>;
}

/** What a search that comes from elsewhere is to be. */
export interface IncomingWishes {
  /** What to call it, where a person said so. */
  readonly title?: string | undefined;
  /** Makes a title from a question. */
  readonly titleFrom: (question: string) => string;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Makes the id of a node. */
  readonly newId: () => string;
}

/** A search that comes from elsewhere, checked, before anything of it is written. */
export interface IncomingSearch {
  readonly file: SearchFile;
  /** How many nodes it has, the root not counted. */
  readonly nodes: number;
  /**
   * Writes its files into a search whose search.json exists and nothing else.
   * @param signal ends it between two nodes, with its reason
   */
  readonly writeTo: (store: Store, signal?: AbortSignal) => Promise<void>;
}

/** A format in which a kind's searches are exchanged with other programs, as one JSON value. */
export interface Format {
  readonly name: string;
  readonly write: (search: WholeSearch) => Promise<object>;
  /** What a file of it is called in a folder that a person names; `written` is what `write` gave. */
  readonly fileName: (written: object) => string;
  /**
   * @param value parsed JSON, whoever wrote it
   * @throws ThoughtTreeError `damaged` saying what is wrong
   */
  readonly read: (value: unknown, wishes: IncomingWishes) => IncomingSearch;
}
