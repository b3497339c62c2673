import type { Message } from '../messages/message.ts';
import type { ReadStore, Store } from '../ports/store.ts';
import type { Limits } from '../search/limits.ts';
import type { SearchRecord } from '../search/record/search-record.ts';
import type { SearchFile } from '../search/search-file.ts';
import type { Tree } from '../tree/tree.ts';

/** A search to be exported, which nobody has to run. */
export interface WholeSearch {
  readonly file: SearchFile;
  readonly tree: Tree;
  readonly limits: Limits;
  /** Including the parts that its kind adds. */
  readonly record: SearchRecord;
  readonly store: Pick<
    ReadStore,
    'hashOf' | 'readNodeFile' | 'readDocument' | 'readDecomposition' | 'readNotes' | 'readPlan' | 'readImported'
  >;
}

/** Settings for an imported search. */
export interface IncomingWishes {
  /** Its title, if a person gave one. */
  readonly title: string | undefined;
  /** Makes a title from a question. */
  readonly titleFrom: (question: string) => string;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Makes the id of a node. */
  readonly newId: () => string;
}

/** An imported search, checked, before any of it is written. */
export interface IncomingSearch {
  readonly file: SearchFile;
  /** The number of nodes, without the root. */
  readonly nodes: number;
  /** Notes for a person who uses it. */
  readonly notes: readonly Message[];
  /**
   * Writes its files into a search that only has a search.json.
   * @param signal ends it between two nodes, with its reason
   */
  readonly writeTo: (store: Store, signal?: AbortSignal) => Promise<void>;
}

/** The state of the run that a mirror tells of. */
export type MirrorStatus = 'running' | 'stopped' | 'completed';

/** The requests that others make by changing a file that we keep true. */
export interface MirrorAsk {
  readonly stop: boolean;
  /** True if somebody wants the search changed, or changed the file: the run stops, and the file stays as it is. */
  readonly redirect: boolean;
  /** The changes, each as the arguments of the action `redirect`. */
  readonly changes: readonly { readonly type: string; readonly change: object }[];
  /** The things that cannot be taken over, or not be read. */
  readonly notes: readonly Message[];
}

/** A format of which a file is kept true while a search runs, for programs that read it meanwhile. */
export interface Mirror {
  /** A warning about the effect of such a file where those programs are installed. */
  readonly warning: Message;
  /** A name by which these programs are found where they are installed. */
  readonly program: string;
  readonly write: (search: WholeSearch, status: MirrorStatus) => Promise<string>;
  /** A file in which others asked for a stop, saying that it was made; all else in it stays. */
  readonly stopped: (found: string) => string;
  /** Tells what is asked for by changes to a file that we wrote as `ours`. */
  readonly asks: (ours: string, found: string) => MirrorAsk;
}

/** The reader of a format, which makes searches from what others wrote. */
export interface FormatReader {
  /** The form of its content: a JSON value, or a text. */
  readonly of: 'json' | 'text';
  /** Tells whether a content from any source looks like this format, so that it can be told what is wrong with it. */
  readonly is: (content: unknown) => boolean;
  /**
   * @param file what errors call it
   * @throws ThoughtTreeError `damaged` saying what is wrong, of a text also in which file and line
   */
  readonly read: (content: unknown, wishes: IncomingWishes, file: string) => IncomingSearch;
}

/** A format in which a kind's searches are exchanged with other programs. */
export interface Format {
  readonly name: string;
  /** One JSON value, or a whole text. */
  readonly write: (search: WholeSearch) => Promise<object | string>;
  /** Returns the name of a file of it in a folder that a person names; `written` is what `write` gave. */
  readonly fileName: (written: object | string, search: Pick<WholeSearch, 'file' | 'store'>) => string;
  /** Returns notes for a person who gets a file with this text. */
  readonly notes: (text: string) => readonly Message[];
  readonly mirror?: Mirror;
  /** Undefined for a format that is only written. */
  readonly reader?: FormatReader;
}
