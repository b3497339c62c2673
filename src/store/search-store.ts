import { kept } from '../core/messages/said.ts';
import type { NodeOnDisk, Problem, Store } from '../core/ports/store.ts';
import { Conversation } from '../core/search/conversation.ts';
import { isThoughtTreeError, ThoughtTreeError } from '../core/search/errors.ts';
import type { JournalEvent } from '../core/search/events.ts';
import { RecordedCall } from '../core/search/recorded-call.ts';
import type { ChildrenFile, NodeFile, SearchFile } from '../core/search/search-file.ts';
import { outside } from './files/file-path.ts';
import type { Commit, Entry, Files } from './files/files.ts';
import { checkNodePath, isNodeName } from './files/node-name.ts';
import { Journal } from './journal/journal.ts';
import { readJournalAt } from './journal/journal-places.ts';
import type { JournalPart, JournalPosition } from './journal/journal-reader.ts';
import { readChildren, writeChildren } from './json/children-json.ts';
import { checkJson, inOrder, stringifyJson } from './json/json-file.ts';
import { keepDamaged, lookAtJson } from './json/lenient-json.ts';
import { nodePath, readNodeJson, writeNodeJson } from './json/node-json.ts';
import { ProblemList } from './json/problem-list.ts';
import { readSearchJson } from './json/search-json.ts';
import { KeyedQueue } from './keyed-queue.ts';
import type { WriteRight } from './lease/write-right.ts';
import { nameLeftOut, readingOnly } from './messages.ts';

const CONVERSATIONS = '.search/conversations';
const CALLS = '.search/calls';
const DECOMPOSITION = 'decomposition.json';
const SET_ASIDE = '.search/set-aside';

/** The store of a search that is only read. */
const READ_ONLY: WriteRight = {
  check: () => {
    throw new ThoughtTreeError('lease-lost', readingOnly());
  },
  release: async () => undefined,
};

/**
 * The files of one search.
 * @param right the lease; without one every write throws `lease-lost`
 */
export function createSearchStore(files: Files, right?: WriteRight): SearchStore {
  return new SearchStore(files, right ?? READ_ONLY);
}

/** The `Store` port on any `Files`; made by `createSearchStore`. */
export class SearchStore implements Store {
  readonly #files: Files;
  readonly #right: WriteRight;
  readonly #commit: Commit;
  readonly #journal: Journal;
  readonly #problems = new ProblemList();
  readonly #writes = new KeyedQueue();
  readonly #damagedConversations = new Set<string>();

  constructor(files: Files, right: WriteRight) {
    this.#files = files;
    this.#right = right;
    this.#commit = { beforeCommit: () => right.check() };
    this.#journal = new Journal(files, () => right.check());
  }

  /** Under which lease it is written, for the journal's `lease-taken`; undefined where there is none. */
  get holder(): WriteRight['holder'] {
    return this.#right.holder;
  }

  get problems(): readonly Problem[] {
    return this.#problems.all;
  }

  async readSearch(): Promise<SearchFile> {
    return await readSearchJson(this.#files);
  }

  async readRootChildren(): Promise<{ children: ChildrenFile | undefined; folders: readonly string[] }> {
    const entries = await this.#files.list('');
    const [children, folders] = await Promise.all([
      readChildren(this.#files, '', this.#problems),
      this.#nodeFolders('', entries),
    ]);
    return { children, folders };
  }

  async readNode(path: string): Promise<NodeOnDisk | undefined> {
    checkNodePath(path);
    const entries = await this.#list(path);
    const kinds = new Map(entries.map(({ name, kind }) => [name, kind]));
    if (!kinds.has('node.json')) return undefined;
    const [file, children, folders] = await Promise.all([
      readNodeJson(this.#files, path, this.#problems),
      kinds.has('children.json') ? readChildren(this.#files, path, this.#problems) : undefined,
      this.#nodeFolders(path, entries),
    ]);
    return file && { file, children, hasDocument: kinds.get('document.md') === 'file', folders };
  }

  async readNodeFile(path: string): Promise<NodeFile | undefined> {
    checkNodePath(path);
    return await readNodeJson(this.#files, path, this.#problems);
  }

  async writeNode(path: string, fields: Partial<NodeFile>, flush = false): Promise<void> {
    checkNodePath(path);
    await this.#write(nodePath(path), () =>
      writeNodeJson(this.#files, path, fields, flush, this.#problems, this.#right),
    );
  }

  async writeChildren(path: string, children: ChildrenFile): Promise<void> {
    checkNodePath(path);
    await this.#write(`${path}/children.json`, () =>
      writeChildren(this.#files, path, children, this.#problems, this.#right),
    );
  }

  async readDocument(path: string): Promise<string | undefined> {
    checkNodePath(path);
    return await this.#readText(documentPath(path));
  }

  async writeDocument(path: string, text: string): Promise<void> {
    checkNodePath(path);
    await this.#writeText(documentPath(path), text);
  }

  async setDocumentAside(path: string): Promise<void> {
    checkNodePath(path);
    const file = documentPath(path);
    await this.#write(file, async () => {
      if (!(await this.#files.stat(file))) return;
      await this.#files.makeFolder(SET_ASIDE, this.#commit);
      const name = path.replaceAll('/', '.').slice(-120);
      for (let n = 1; !(await this.#files.copy(file, `${SET_ASIDE}/${name}.${n}.md`, this.#commit)); ) n++;
      this.#right.check();
      await this.#files.remove(file);
    });
  }

  async readNotes(): Promise<string | undefined> {
    return await this.#readText('notes.md');
  }

  async writeNotes(text: string): Promise<void> {
    await this.#writeText('notes.md', text);
  }

  async readDecomposition(): Promise<unknown> {
    const look = await lookAtJson(this.#files, DECOMPOSITION, this.#problems, (value) => value);
    return look.state === 'ok' ? look.value : undefined;
  }

  async writeDecomposition(decomposition: object): Promise<void> {
    await this.#writeText(DECOMPOSITION, stringifyJson(decomposition));
  }

  async readReport(): Promise<string | undefined> {
    return await this.#readText('report.md');
  }

  async writeReport(text: string): Promise<void> {
    await this.#writeText('report.md', text);
  }

  async readPrompt(name: string): Promise<string | undefined> {
    return await this.#readText(`prompts/${name}`);
  }

  async readConversation(id: string): Promise<Conversation | undefined> {
    if (!isConversationId(id)) return undefined;
    const file = conversationPath(id);
    const look = await lookAtJson(this.#files, file, this.#problems, (value) => checkJson(Conversation, value, file));
    if (look.state === 'damaged') this.#damagedConversations.add(file);
    return look.state === 'ok' ? look.value : undefined;
  }

  async writeConversation(conversation: Conversation): Promise<void> {
    const file = conversationPath(conversation.id);
    const text = stringifyJson(inOrder(conversation, ['id', 'parentId', 'turns']));
    const options = { ...this.#commit, flush: true };
    await this.#write(file, async () => {
      if (this.#damagedConversations.delete(file)) await keepDamaged(this.#files, file, this.#commit);
      try {
        await this.#files.writeAtomic(file, text, options);
      } catch (error) {
        if (!isThoughtTreeError(error, 'not-found')) throw error;
        await this.#files.makeFolder(CONVERSATIONS, this.#commit);
        await this.#files.writeAtomic(file, text, options);
      }
    });
  }

  async writeCall(call: RecordedCall): Promise<void> {
    const file = callPath(call.id);
    const text = stringifyJson(inOrder(call, ['id', 'system', 'turns', 'prompt', 'answer']));
    await this.#write(file, async () => {
      await this.#files.makeFolder(CALLS, this.#commit);
      await this.#files.writeAtomic(file, text, this.#commit);
    });
  }

  async readCall(id: string): Promise<RecordedCall | undefined> {
    const file = callPath(id);
    const look = await lookAtJson(this.#files, file, this.#problems, (value) => checkJson(RecordedCall, value, file));
    return look.state === 'ok' ? look.value : undefined;
  }

  async readJournal(): Promise<JournalEvent[]> {
    return (await this.readJournalFrom()).events;
  }

  /** What was added to the journal behind a position, by default all: for those who follow a search. */
  async readJournalFrom(position?: JournalPosition): Promise<JournalPart> {
    const part = await this.#journal.read(position);
    for (const problem of part.problems) this.#problems.add(problem);
    return part;
  }

  /** Single events of the journal by where their lines begin, in bytes, ascending; see `readJournalFrom`. */
  async readJournalAt(offsets: readonly number[]): Promise<JournalEvent[]> {
    return await readJournalAt(this.#files, offsets);
  }

  /** Makes the journal ready for appending: cuts off a torn last line. An append would do it too. */
  async openJournal(): Promise<void> {
    await this.#journal.open();
  }

  async append(event: JournalEvent): Promise<void> {
    this.#right.check();
    await this.#journal.append(event);
  }

  checkLease(): void {
    this.#right.check();
  }

  async close(): Promise<void> {
    await this.#writes.idle();
    await this.#journal.idle();
    await this.#right.release();
  }

  async #readText(file: string): Promise<string | undefined> {
    try {
      return await this.#files.read(file);
    } catch (error) {
      this.#problems.addError(error, file);
      return undefined;
    }
  }

  async #writeText(file: string, text: string): Promise<void> {
    await this.#write(file, () => this.#files.writeAtomic(file, text, { ...this.#commit, flush: true }));
  }

  async #write(file: string, operation: () => Promise<void>): Promise<void> {
    this.#right.check();
    await this.#writes.run(file, operation);
  }

  async #list(path: string): Promise<Entry[]> {
    try {
      return await this.#files.list(path);
    } catch (error) {
      this.#problems.addError(error, path);
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
    this.#problems.add({ file: path, ...kept(nameLeftOut({ path })) });
    return undefined;
  }

  async #holdsNode(path: string): Promise<boolean> {
    try {
      return (await this.#files.stat(nodePath(path)))?.kind === 'file';
    } catch (error) {
      this.#problems.addError(error, path);
      return false;
    }
  }
}

function documentPath(path: string): string {
  return path === '' ? 'document.md' : `${path}/document.md`;
}

// Ids come from node.json and from other conversations, so from a clone perhaps.
function isConversationId(id: string): boolean {
  return Conversation.shape.id.safeParse(id).success;
}

function callPath(id: string): string {
  if (!RecordedCall.shape.id.safeParse(id).success) throw outside(id);
  return `${CALLS}/${id}.json`;
}

function conversationPath(id: string): string {
  if (!isConversationId(id)) throw outside(id);
  return `${CONVERSATIONS}/${id}.json`;
}
