import type { Said } from '../messages/message.ts';
import type { Conversation, RecordedCall } from '../search/conversation.ts';
import type { JournalEvent } from '../search/events.ts';
import type { Folds } from '../search/record/search-record.ts';
import type { ChildrenFile, SearchFile } from '../search/search-file.ts';
import type { NodeFile } from '../tree/node-file.ts';

/** Something on disk that could not be read; the rest of the tree still loads. */
export interface Problem {
  /** Path below the search's folder. */
  readonly file: string;
  /** Line from 1, where known. */
  readonly line?: number;
  /** The problem, with its place. */
  readonly message: string;
  /** The message as data. */
  readonly say: Said;
}

/** The lease that a process holds: its number, and the process on its host. */
interface Holding {
  readonly epoch: number;
  readonly pid: number;
  readonly host: string;
  /** The secret that requests to this process have to name. */
  readonly token: string;
}

/**
 * The end of the last process that wrote a search: `killed`, so that its last work is half done; or, as far as anybody
 * knows, `power-loss`, so that what it had not flushed may be missing, empty or older. `closed` also if there was none.
 */
export type LastEnd = 'closed' | 'killed' | 'power-loss';

/**
 * Told of a text of the search as a whole that was written or found changed: its file, its hash, undefined if it is gone,
 * and who changed it, if not the search itself.
 */
export type TellText = (file: string, text: string | undefined, by?: string) => void;

/** The files of a node. */
export type NodeFileName = 'node.json' | 'children.json' | 'document.md';

/** The content of one node's folder. */
export interface NodeOnDisk {
  readonly file: NodeFile;
  /** node.json cannot be read, so `file` says nothing. */
  readonly isDamaged?: boolean;
  readonly children: ChildrenFile | undefined;
  readonly hasDocument: boolean;
  /** Names of folders below that hold a node.json, in code-unit order; read on request only. */
  readonly folders: readonly string[];
}

/**
 * The files of one search, read-only. Paths are slug paths, empty for the root. Errors are ThoughtTreeErrors: `damaged`,
 * `outside`.
 */
export interface ReadStore {
  /** The problems with files that could not be read so far. */
  readonly problems: readonly Problem[];
  readSearch(): Promise<SearchFile>;
  /** Returns the root's list of children; undefined if there is none. */
  readRootChildren(): Promise<{ children: ChildrenFile | undefined; folders: readonly string[] }>;
  /**
   * Reads the whole tree: `read` asks for each node once, those above it first. What is known to be unchanged since an
   * earlier time is then not read again.
   */
  readTree<T>(read: () => Promise<T>): Promise<T>;
  /** Everything in one node's folder; undefined if there is no folder with a node.json. */
  readNode(path: string): Promise<NodeOnDisk | undefined>;
  /** node.json alone, for a check before dispatch and commit; undefined if the folder or the file is gone. */
  readNodeFile(path: string): Promise<NodeFile | undefined>;
  /** document.md as text; undefined if there is none. */
  readDocument(path: string): Promise<string | undefined>;
  /** Returns when document.md was last changed, in milliseconds since 1970; undefined if there is none. */
  readDocumentTime(path: string): Promise<number | undefined>;
  /** Returns a hash of document.md; undefined if there is none. */
  readDocumentHash(path: string): Promise<string | undefined>;
  /** Returns the hash of a document with this text. */
  hashOf(document: string): string;
  /** notes.md: a person's notes for the search; undefined if there is none. */
  readNotes(): Promise<string | undefined>;
  /** decomposition.json as it is, unchecked; undefined if there is none, null if it is no JSON. */
  readDecomposition(): Promise<unknown>;
  /** plan.yaml as text; undefined if there is none. */
  readPlan(): Promise<string | undefined>;
  /** Returns a text that was replaced or removed, by its hash; undefined if nobody kept it. */
  readKept(hash: string): Promise<string | undefined>;
  /** imported.md: the file that the search was imported from, as it was; undefined if none is kept. */
  readImported(): Promise<string | undefined>;
  /** report.md; undefined if there is none. */
  readReport(): Promise<string | undefined>;
  /** Returns the hash of the interim report as it was last written; undefined if none was written here. */
  readInterimHash(): Promise<string | undefined>;
  /** Returns a file of `prompts/` that replaces one of ours, such as `document.md`; undefined if there is none. */
  readPrompt(name: string): Promise<string | undefined>;
  readConversation(id: string): Promise<Conversation | undefined>;
  readCall(id: string): Promise<RecordedCall | undefined>;
  /**
   * Folds the whole journal, without reading what was read for a checkpoint before.
   * @param make new folds, to which nothing has happened
   */
  readRecord<F extends Folds>(make: () => F): Promise<F>;
  /** Returns the whole journal, without a torn last line. */
  readJournal(): Promise<JournalEvent[]>;
}

/**
 * The files of one search. Every write is refused with `lease-lost` once another process holds the search. Other errors
 * are `disk-full` and `not-writable`.
 */
export interface Store extends ReadStore {
  /** The lease under which this process writes; undefined if nobody else could write. */
  readonly holder: Holding | undefined;
  /** The end of the last process that wrote it; `closed` again once the search was recovered. */
  readonly lastEnd: LastEnd;
  /**
   * Tells whether a node's node.json was changed since the computer was started that the last process ran on: after a
   * loss of power, it was not that process then. False if that is not known.
   */
  changedSinceStart(path: string): Promise<boolean>;
  /** Notes that what the last process left half done, or lost, is whole again: a close from now on is a proper one. */
  recovered(): void;
  /** Releases what is kept of files that were read lately, so that a search at rest takes little memory. */
  forgetReads(): void;
  /** Sets fields of node.json and removes those that are undefined; keeps fields added by others. Creates the folder. */
  writeNode(path: string, fields: Partial<NodeFile>): Promise<void>;
  /**
   * Writes fields of a node that existed before.
   * @throws ThoughtTreeError `not-found` if its folder or its file is gone: nothing is created
   */
  changeNode(path: string, fields: Partial<NodeFile>): Promise<void>;
  writeChildren(path: string, children: ChildrenFile): Promise<void>;
  /** @returns its hash */
  writeDocument(path: string, text: string): Promise<string>;
  /**
   * Removes a node's node.json and children.json where a loss of power left them empty or cut off; also those in folders
   * below it that are not nodes.
   * @returns whether it had any itself
   */
  dropTorn(path: string): Promise<boolean>;
  /** Removes a node's own files, and its folder if nothing else is in it; its document is kept. */
  removeNode(path: string): Promise<void>;
  /** Removes files of a node that are to be made again; those that do not exist are ignored. */
  drop(path: string, files: readonly NodeFileName[]): Promise<void>;
  /** Removes document.md; its text is kept. */
  setDocumentAside(path: string): Promise<void>;
  /**
   * Tells from now on of the texts of the search as a whole: notes, plan, report, prompts and the like; first of those that
   * differ from what is known of them. Documents that may not be kept yet are kept.
   * @param known their hashes by file, according to the journal
   * @param documents the hashes of all documents, by slug path
   */
  followTexts(
    known: ReadonlyMap<string, string>,
    documents: ReadonlyMap<string, string>,
    tell: TellText,
  ): Promise<void>;
  /** @param text undefined to remove them */
  writeNotes(text: string | undefined): Promise<void>;
  writeDecomposition(decomposition: object): Promise<void>;
  writePlan(text: string): Promise<void>;
  writeImported(text: string): Promise<void>;
  writeReport(text: string): Promise<void>;
  /** Remembers the interim report that was just written, so that a person's changes to it are noticed. */
  writeInterimHash(hash: string): Promise<void>;
  /** Resolves when it is on the disk itself. */
  writeConversation(conversation: Conversation): Promise<void>;
  /** Writes what was sent and answered in a call that is in no conversation. */
  writeCall(call: RecordedCall): Promise<void>;
  /**
   * Appends to the journal; resolves when the operating system has it.
   * @param flush whether it, and all before it, must be on the disk itself by then
   */
  append(event: JournalEvent, flush?: boolean): Promise<void>;
  /** Brings everything appended to the journal so far to the disk itself. */
  flushJournal(): Promise<void>;
  /** Throws `lease-lost` if another process now holds the search. */
  checkLease(): void;
  /**
   * Waits for pending writes, brings everything written to the disk itself, and gives up the lease.
   * @param folds makes new ones of what the next opening will want to know of the journal
   */
  close(folds?: () => Folds): Promise<void>;
}
