import type { NodeOnDisk, Problem, ReadStore } from '../core/ports/store.ts';
import { Conversation, RecordedCall } from '../core/search/conversation.ts';
import type { JournalEvent } from '../core/search/events.ts';
import type { Folds } from '../core/search/record/search-record.ts';
import type { ChildrenFile, SearchFile } from '../core/search/search-file.ts';
import type { NodeFile } from '../core/tree/node-file.ts';
import { checkNodePath } from './files/file-path.ts';
import { LONGEST_FILE, type ReadFiles } from './files/files.ts';
import { type JournalPart, type JournalPosition, readJournal, readJournalAt } from './journal/journal-reader.ts';
import { checkJson, lookAtJson, ProblemList, RecentTexts } from './json/json-file.ts';
import { type NodesRead, readNodeJson } from './json/node-json.ts';
import { readSearchJson } from './json/search-json.ts';
import { KeptTexts } from './objects/kept-texts.ts';
import type { Instant } from './past/moment.ts';
import { readNodeFolder, readRootFolder } from './read-node.ts';
import { type FoldedJournal, foldJournal } from './snapshot/checkpoint.ts';
import type { SealKey } from './snapshot/sealed-file.ts';
import { readSnapshot, Snapshot, type SnapshotFile } from './snapshot/snapshot.ts';
import { callPath, conversationPath, DECOMPOSITION, documentPath, INTERIM, isConversationId } from './store-paths.ts';
import { textHash } from './system-ports.ts';

/** The `ReadStore` port on any `ReadFiles`: a disk, memory, or whatever else has files. Writes nothing. */
export class SearchReadStore implements ReadStore {
  protected readonly problemList = new ProblemList();
  protected readonly nodesRead: NodesRead = { problems: this.problemList, recent: new RecentTexts(64) };
  /** The files of damaged conversations. */
  protected readonly damagedConversations = new Set<string>();
  protected readonly conversationsRead = new RecentTexts<Conversation>(24);
  /** What was written over. */
  readonly texts: KeptTexts;
  /** Nodes whose files were read, or written, since the last snapshot. */
  protected unlikeSnapshot = 0;
  /** Bytes of the journal that had to be read. */
  protected journalRead = 0;
  readonly #files: ReadFiles;
  readonly #key: SealKey | undefined;
  /** Of the snapshot, between reading the journal and reading the tree. */
  #kept: SnapshotFile | undefined;
  /** While the whole tree is read. */
  #snapshot: Snapshot | undefined;
  #isWhole = false;

  /** The event after which it shows the search, if that is not now. */
  readonly at: Instant | undefined;

  /** @param key seals snapshots; without one, there are none */
  constructor(files: ReadFiles, key?: SealKey, at?: Instant) {
    this.#files = files;
    this.#key = key;
    this.at = at;
    this.texts = new KeptTexts(files);
  }

  get problems(): readonly Problem[] {
    return this.problemList.all;
  }

  async readSearch(): Promise<SearchFile> {
    return await readSearchJson(this.#files);
  }

  async readRootChildren(): Promise<{ children: ChildrenFile | undefined; folders: readonly string[] }> {
    return await readRootFolder(this.#files, this.nodesRead);
  }

  async readNode(path: string): Promise<NodeOnDisk | undefined> {
    checkNodePath(path);
    const same = await this.#snapshot?.take(path);
    if (same) return same;
    const found = await readNodeFolder(this.#files, path, this.nodesRead);
    if (found && this.#isWhole) this.unlikeSnapshot++;
    return found?.node;
  }

  async readTree<T>(read: () => Promise<T>): Promise<T> {
    const kept = this.#kept ?? (await this.#readSnapshot(true));
    this.#snapshot = kept && new Snapshot(this.#files, kept);
    this.#kept = undefined;
    this.unlikeSnapshot = 0;
    this.#isWhole = true;
    try {
      return await read();
    } finally {
      this.#snapshot = undefined;
      this.#isWhole = false;
    }
  }

  async readNodeFile(path: string): Promise<NodeFile | undefined> {
    checkNodePath(path);
    return (await readNodeJson(this.#files, path, this.nodesRead))?.file;
  }

  async readDocument(path: string): Promise<string | undefined> {
    checkNodePath(path);
    return await this.readText(documentPath(path));
  }

  async readDocumentTime(path: string): Promise<number | undefined> {
    checkNodePath(path);
    try {
      // The folders above were checked when the tree was read; nothing is read here.
      const stamp = this.#files.stampNow(documentPath(path));
      return (stamp ?? (await this.#files.stat(documentPath(path))))?.modified;
    } catch (error) {
      this.problemList.addError(error, documentPath(path));
      return undefined;
    }
  }

  hashOf(document: string): string {
    return textHash(document);
  }

  async readDocumentHash(path: string): Promise<string | undefined> {
    checkNodePath(path);
    const file = documentPath(path);
    try {
      return (await this.#files.stat(file)) && textHash(await this.#files.readBytes(file, 0, LONGEST_FILE));
    } catch (error) {
      this.problemList.addError(error, file);
      return undefined;
    }
  }

  async readNotes(): Promise<string | undefined> {
    return await this.readText('notes.md');
  }

  async readDecomposition(): Promise<unknown> {
    const look = await lookAtJson(this.#files, DECOMPOSITION, this.problemList, (value) => value);
    if (look.state === 'ok') return look.value;
    return look.state === 'damaged' ? null : undefined;
  }

  async readPlan(): Promise<string | undefined> {
    return await this.readText('plan.yaml');
  }

  async readKept(hash: string): Promise<string | undefined> {
    const kept = await this.texts.read(hash);
    return kept instanceof Uint8Array ? Buffer.from(kept).toString() : undefined;
  }

  async readImported(): Promise<string | undefined> {
    return await this.readText('imported.md');
  }

  async readReport(): Promise<string | undefined> {
    return await this.readText('report.md');
  }

  /** Tells whether there is a report, without reading it. */
  async hasReport(): Promise<boolean> {
    return (await this.#files.stat('report.md'))?.kind === 'file';
  }

  async readInterimHash(): Promise<string | undefined> {
    return (await this.readText(INTERIM))?.trim();
  }

  async readPrompt(name: string): Promise<string | undefined> {
    return await this.readText(`prompts/${name}`);
  }

  async readConversation(id: string): Promise<Conversation | undefined> {
    if (!isConversationId(id)) return undefined;
    const file = conversationPath(id);
    const check = (value: unknown): Conversation => checkJson(Conversation, value, file);
    const look = await lookAtJson(this.#files, file, this.problemList, check, this.conversationsRead);
    if (look.state === 'damaged') this.damagedConversations.add(file);
    return look.state === 'ok' ? look.value : undefined;
  }

  async readCall(id: string): Promise<RecordedCall | undefined> {
    const file = callPath(id);
    const look = await lookAtJson(this.#files, file, this.problemList, (value) => checkJson(RecordedCall, value, file));
    return look.state === 'ok' ? look.value : undefined;
  }

  async readJournal(): Promise<JournalEvent[]> {
    return (await this.readJournalFrom()).events;
  }

  async readRecord<F extends Folds>(make: () => F): Promise<F> {
    return (await this.readFolds(make)).folds;
  }

  /** Reads the journal's record, and returns how far the journal went, too. */
  async readFolds<F extends Folds>(make: () => F): Promise<FoldedJournal<F>> {
    // Texts told of a node refer to its line.
    const isTold = make().told !== undefined;
    const snapshot = await this.#readSnapshot(isTold);
    if (isTold) this.#kept = snapshot;
    const folded = await foldJournal(this.#files, snapshot, make);
    for (const problem of folded.problems) this.problemList.add(problem);
    // There is no checkpoint of a journal with something to tell on each opening.
    this.journalRead = folded.problems.length > 0 ? 0 : folded.position.offset - folded.begun;
    return folded;
  }

  /** Reads what was added to the journal after a position, by default everything: for following a search. */
  async readJournalFrom(position?: JournalPosition): Promise<JournalPart> {
    const part = await readJournal(this.#files, position);
    for (const problem of part.problems) this.problemList.add(problem);
    return part;
  }

  /** Single events of the journal by where their lines begin, in bytes, ascending; see `readJournalFrom`. */
  async readJournalAt(offsets: readonly number[]): Promise<JournalEvent[]> {
    return await readJournalAt(this.#files, offsets);
  }

  async #readSnapshot(withNodes: boolean): Promise<SnapshotFile | undefined> {
    return this.#key === undefined ? undefined : await readSnapshot(this.#files, this.#key, withNodes);
  }

  protected async readText(file: string): Promise<string | undefined> {
    try {
      return await this.#files.read(file);
    } catch (error) {
      this.problemList.addError(error, file);
      return undefined;
    }
  }
}
