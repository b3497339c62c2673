import type { Said } from '../messages/message.ts';
import type { Conversation } from '../search/conversation.ts';
import type { JournalEvent } from '../search/events.ts';
import type { RecordedCall } from '../search/recorded-call.ts';
import type { ChildrenFile, SearchFile } from '../search/search-file.ts';
import type { NodeFile } from '../tree/node-file.ts';

/** Something on disk that could not be read as it should be; the rest of the tree still loads. */
export interface Problem {
  /** Path below the search's folder. */
  readonly file: string;
  /** Line from 1, where known. */
  readonly line?: number;
  /** What is wrong, with its place. */
  readonly message: string;
  /** The same as data. */
  readonly say: Said;
}

/** The lease a process holds: its number, and the process on its host. */
interface Holding {
  readonly epoch: number;
  readonly pid: number;
  readonly host: string;
}

/** What stands in one node's folder. */
export interface NodeOnDisk {
  readonly file: NodeFile;
  /** Whether node.json cannot be read, so that `file` says nothing. */
  readonly isDamaged?: boolean;
  readonly children: ChildrenFile | undefined;
  readonly hasDocument: boolean;
  /** Names of folders below that hold a node.json, in code-unit order; read on request only. */
  readonly folders: readonly string[];
}

/**
 * The files of one search, for whoever only reads them. Paths are slug paths, empty for the root. Errors are
 * ThoughtTreeErrors: `damaged`, `outside`.
 */
export interface ReadStore {
  /** What went wrong in reading so far. */
  readonly problems: readonly Problem[];
  readSearch(): Promise<SearchFile>;
  /** The root's list of children; undefined where none stands. */
  readRootChildren(): Promise<{ children: ChildrenFile | undefined; folders: readonly string[] }>;
  /** Everything in one node's folder; undefined where there is no folder with a node.json. */
  readNode(path: string): Promise<NodeOnDisk | undefined>;
  /** node.json alone, for a look before dispatch and commit; undefined where the folder or the file is gone. */
  readNodeFile(path: string): Promise<NodeFile | undefined>;
  /** document.md as text; undefined where there is none. */
  readDocument(path: string): Promise<string | undefined>;
  /** When document.md was changed last, in milliseconds since 1970; undefined where there is none. */
  readDocumentTime(path: string): Promise<number | undefined>;
  /** The SHA-256 of document.md, in hex; undefined where there is none. */
  readDocumentHash(path: string): Promise<string | undefined>;
  /** notes.md: what a person told the search; undefined where there is none. */
  readNotes(): Promise<string | undefined>;
  /** decomposition.json as it stands, unchecked; undefined where there is none. */
  readDecomposition(): Promise<unknown>;
  /** report.md; undefined where there is none. */
  readReport(): Promise<string | undefined>;
  /** A file of `prompts/` that replaces ours, as in `document.md`; undefined where there is none. */
  readPrompt(name: string): Promise<string | undefined>;
  readConversation(id: string): Promise<Conversation | undefined>;
  readCall(id: string): Promise<RecordedCall | undefined>;
  /** The whole journal, its torn last line cut off. */
  readJournal(): Promise<JournalEvent[]>;
}

/**
 * The files of one search. Every write is refused with `lease-lost` once another process holds the search. Further
 * errors are `disk-full` and `not-writable`.
 */
export interface Store extends ReadStore {
  /** Under which lease this process writes; undefined where nobody else could write. */
  readonly holder: Holding | undefined;
  /**
   * Sets fields of node.json, an undefined one taken out; what others added is kept. Makes the folder.
   * @param flush whether it must be on the disk when this returns
   */
  writeNode(path: string, fields: Partial<NodeFile>, flush?: boolean): Promise<void>;
  /**
   * The same for a node that was there before.
   * @throws ThoughtTreeError `not-found` where its folder or its file is gone: nothing is made anew
   */
  changeNode(path: string, fields: Partial<NodeFile>, flush?: boolean): Promise<void>;
  writeChildren(path: string, children: ChildrenFile): Promise<void>;
  /** @returns its SHA-256, in hex */
  writeDocument(path: string, text: string): Promise<string>;
  /** Keeps document.md where nothing overwrites it, and leaves none in its place. */
  setDocumentAside(path: string): Promise<void>;
  writeNotes(text: string): Promise<void>;
  writeDecomposition(decomposition: object): Promise<void>;
  writeReport(text: string): Promise<void>;
  writeConversation(conversation: Conversation): Promise<void>;
  /** What was sent and answered in a call that no conversation holds. */
  writeCall(call: RecordedCall): Promise<void>;
  /**
   * Appends to the journal; resolves when the operating system has it.
   * @param flush whether it, and all before it, must be on the disk itself by then
   */
  append(event: JournalEvent, flush?: boolean): Promise<void>;
  /** Throws `lease-lost` where another process holds the search by now. */
  checkLease(): void;
  /** Waits for what is being written and gives the lease back. */
  close(): Promise<void>;
}
