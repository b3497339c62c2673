import { kept } from '../core/messages/kept.ts';
import type { NodeOnDisk, Problem, ReadStore } from '../core/ports/store.ts';
import { Conversation } from '../core/search/conversation.ts';
import type { JournalEvent } from '../core/search/events.ts';
import { RecordedCall } from '../core/search/recorded-call.ts';
import type { ChildrenFile, SearchFile } from '../core/search/search-file.ts';
import type { NodeFile } from '../core/tree/node-file.ts';
import { type Entry, LONGEST_FILE, type ReadFiles } from './files/files.ts';
import { checkNodePath, isNodeName } from './files/node-name.ts';
import { readJournalAt } from './journal/journal-places.ts';
import { type JournalPart, type JournalPosition, readJournal } from './journal/journal-reader.ts';
import { readChildren } from './json/children-json.ts';
import { checkJson } from './json/json-file.ts';
import { lookAtJson } from './json/lenient-json.ts';
import { type NodesRead, nodePath, readNodeJson } from './json/node-json.ts';
import { ProblemList } from './json/problem-list.ts';
import { RecentTexts } from './json/recent-texts.ts';
import { readSearchJson } from './json/search-json.ts';
import { nameLeftOut, tooDeep } from './messages.ts';
import { callPath, conversationPath, DECOMPOSITION, documentPath, fileIn, isConversationId } from './store-paths.ts';
import { textHash } from './text-hash.ts';

/** Levels that are read: more than any search has. */
const DEEPEST = 128;

/** The `ReadStore` port on any `ReadFiles`: a disk, memory, or whatever else has files. Writes nothing. */
export class SearchReadStore implements ReadStore {
  protected readonly problemList = new ProblemList();
  protected readonly nodesRead: NodesRead = { problems: this.problemList, recent: new RecentTexts(64) };
  /** The files of damaged conversations. */
  protected readonly damagedConversations = new Set<string>();
  protected readonly conversationsRead = new RecentTexts<Conversation>(24);
  readonly #files: ReadFiles;

  constructor(files: ReadFiles) {
    this.#files = files;
  }

  get problems(): readonly Problem[] {
    return this.problemList.all;
  }

  async readSearch(): Promise<SearchFile> {
    return await readSearchJson(this.#files);
  }

  async readRootChildren(): Promise<{ children: ChildrenFile | undefined; folders: readonly string[] }> {
    const entries = await this.#files.list('');
    const [children, folders] = await Promise.all([
      readChildren(this.#files, '', this.problemList),
      this.#nodeFolders('', entries),
    ]);
    return { children, folders };
  }

  async readNode(path: string): Promise<NodeOnDisk | undefined> {
    checkNodePath(path);
    const entries = await this.#list(path);
    const kinds = new Map(entries.map(({ name, kind }) => [name, kind]));
    if (!kinds.has('node.json')) return undefined;
    const [found, children, folders] = await Promise.all([
      readNodeJson(this.#files, path, this.nodesRead),
      kinds.has('children.json') ? readChildren(this.#files, path, this.problemList) : undefined,
      this.#nodeFolders(path, entries),
    ]);
    if (!found) return undefined;
    const { file, isDamaged } = found;
    const hasDocument = kinds.get('document.md') === 'file';
    const node = { file, ...(isDamaged && { isDamaged }), hasDocument };
    if (path.split('/').length < DEEPEST || folders.length + (children?.length ?? 0) === 0)
      return { ...node, children, folders };
    this.problemList.add({ file: fileIn(path, 'children.json'), ...kept(tooDeep({ path, most: DEEPEST })) });
    return { ...node, children: [], folders: [] };
  }

  async readNodeFile(path: string): Promise<NodeFile | undefined> {
    checkNodePath(path);
    return (await readNodeJson(this.#files, path, this.nodesRead))?.file;
  }

  async readDocument(path: string): Promise<string | undefined> {
    checkNodePath(path);
    return await this.#readText(documentPath(path));
  }

  async readDocumentTime(path: string): Promise<number | undefined> {
    checkNodePath(path);
    try {
      return (await this.#files.stat(documentPath(path)))?.modified;
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
    return await this.#readText('notes.md');
  }

  async readDecomposition(): Promise<unknown> {
    const look = await lookAtJson(this.#files, DECOMPOSITION, this.problemList, (value) => value);
    return look.state === 'ok' ? look.value : undefined;
  }

  async readReport(): Promise<string | undefined> {
    return await this.#readText('report.md');
  }

  async readPrompt(name: string): Promise<string | undefined> {
    return await this.#readText(`prompts/${name}`);
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

  /** What was added to the journal after a position, by default everything: for following a search. */
  async readJournalFrom(position?: JournalPosition): Promise<JournalPart> {
    const part = await readJournal(this.#files, position);
    for (const problem of part.problems) this.problemList.add(problem);
    return part;
  }

  /** Single events of the journal by where their lines begin, in bytes, ascending; see `readJournalFrom`. */
  async readJournalAt(offsets: readonly number[]): Promise<JournalEvent[]> {
    return await readJournalAt(this.#files, offsets);
  }

  async #readText(file: string): Promise<string | undefined> {
    try {
      return await this.#files.read(file);
    } catch (error) {
      this.problemList.addError(error, file);
      return undefined;
    }
  }

  async #list(path: string): Promise<Entry[]> {
    try {
      return await this.#files.list(path);
    } catch (error) {
      this.problemList.addError(error, path);
      return [];
    }
  }

  /** The folders among some entries that are nodes, in code-unit order. */
  async #nodeFolders(parent: string, entries: readonly Entry[]): Promise<string[]> {
    const below = entries.filter(({ name, kind }) => kind === 'folder' && !name.startsWith('.'));
    const names = await Promise.all(below.map(({ name }) => this.#asNodeFolder(parent, name)));
    return names.filter((name) => name !== undefined).sort();
  }

  async #asNodeFolder(parent: string, name: string): Promise<string | undefined> {
    const path = parent === '' ? name : `${parent}/${name}`;
    if (!(await this.#holdsNode(path))) return undefined;
    if (isNodeName(name, parent)) return name;
    this.problemList.add({ file: path, ...kept(nameLeftOut({ path })) });
    return undefined;
  }

  async #holdsNode(path: string): Promise<boolean> {
    try {
      return (await this.#files.stat(nodePath(path)))?.kind === 'file';
    } catch (error) {
      this.problemList.addError(error, path);
      return false;
    }
  }
}
