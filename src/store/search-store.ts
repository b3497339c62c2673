import type { LastEnd, NodeFileName, Store, TellText } from '../core/ports/store.ts';
import type { Conversation, RecordedCall } from '../core/search/conversation.ts';
import { isThoughtTreeError } from '../core/search/errors.ts';
import type { JournalEvent } from '../core/search/events.ts';
import type { Folds } from '../core/search/record/search-record.ts';
import type { ChildrenFile } from '../core/search/search-file.ts';
import type { NodeFile } from '../core/tree/node-file.ts';
import { joinedPath, parentPath } from '../core/tree/slug.ts';
import { checkNodePath, isNodeName } from './files/file-path.ts';
import type { Commit, Files } from './files/files.ts';
import { Journal } from './journal/journal.ts';
import { hasSeal, type JournalSeal, sealJournal, sealOfJournal } from './journal/journal-seal.ts';
import { inOrder, isTorn, keepDamaged, stringifyJson } from './json/json-file.ts';
import { nodePath, writeChildren, writeNodeJson } from './json/node-json.ts';
import type { WriteRight } from './lease/lease.ts';
import { FollowedTexts, isFollowed, readWhole } from './objects/followed-texts.ts';
import { TextKeeper } from './objects/kept-texts.ts';
import { SearchReadStore } from './search-read-store.ts';
import { keepSnapshot } from './snapshot/keep-snapshot.ts';
import type { SealKey } from './snapshot/sealed-file.ts';
import {
  CALLS,
  CONVERSATIONS,
  callPath,
  conversationPath,
  DECOMPOSITION,
  documentPath,
  fileIn,
  INTERIM,
  SEARCH_ID,
} from './store-paths.ts';
import { textHash } from './system-ports.ts';

/** Reading fewer nodes than that takes no longer than writing a snapshot of them. */
const LEAST_UNLIKE = 200;
/** Reading fewer bytes of the journal than that takes no longer, either. */
const LEAST_READ = 512 * 1024;
const SET_ASIDE = '.search/set-aside';

/** The `Store` port on any `Files`. */
export class SearchStore extends SearchReadStore implements Store {
  readonly #files: Files;
  #key: SealKey | undefined;
  readonly #right: WriteRight;
  readonly #commit: Commit;
  readonly #journal: Journal;
  readonly #writes = new KeyedQueue();
  readonly #keeper: TextKeeper;
  readonly #followed: FollowedTexts;
  /** The hashes of documents that were written and not journaled yet, by path. */
  readonly #documents = new Map<string, string>();
  /** Until the documents are kept that were journaled last. */
  #keeping: Promise<void> | undefined;
  /** True if texts may be missing that were kept once. */
  readonly #mayLack: boolean;
  #hasAppended = false;
  /** `close` calls it, once all is on the disk, with the seal of the journal as it left that; with none, if nothing was appended. */
  onSealed: ((seal: JournalSeal | undefined) => void) | undefined;

  /**
   * @param right the lease
   * @param key seals snapshots and the journal; without one, nothing is sealed
   */
  constructor(files: Files, right: WriteRight, key?: SealKey) {
    super(files, key);
    this.#files = files;
    this.#key = key;
    this.#right = right;
    this.#commit = { beforeCommit: () => right.check() };
    this.#journal = new Journal(files, () => right.check());
    this.#keeper = new TextKeeper(files, this.#commit);
    this.#followed = new FollowedTexts(files, this.#keeper);
    this.#mayLack = right.lastEnd === 'power-loss';
  }

  /** The lease under which it is written, for the journal's `lease-taken`; undefined if there is none. */
  get holder(): WriteRight['holder'] {
    return this.#right.holder;
  }

  get lastEnd(): LastEnd {
    return this.#right.lastEnd ?? 'closed';
  }

  async changedSinceStart(path: string): Promise<boolean> {
    const { startedAt } = this.#right;
    const found = startedAt === undefined ? undefined : await this.#files.stat(nodePath(path));
    return found !== undefined && startedAt !== undefined && found.modified > startedAt;
  }

  recovered(): void {
    this.#right.recovered?.();
  }

  async writeNode(path: string, fields: Partial<NodeFile>): Promise<void> {
    await this.#writeNode(path, fields, true);
  }

  async changeNode(path: string, fields: Partial<NodeFile>): Promise<void> {
    await this.#writeNode(path, fields, false);
  }

  async writeChildren(path: string, children: ChildrenFile): Promise<void> {
    checkNodePath(path);
    await this.#write(`${path}/children.json`, () =>
      writeChildren(this.#files, path, children, this.problemList, this.#right),
    );
  }

  async writeDocument(path: string, text: string): Promise<string> {
    checkNodePath(path);
    const file = documentPath(path);
    return await this.#write(file, async () => {
      const before = this.#files.existsNow(file) ? await readWhole(this.#files, file) : undefined;
      const [hash] = await Promise.all([this.#keeper.keepNew(text), before && this.#keeper.keep(before)]);
      await this.#files.writeAtomic(file, text, this.#commit);
      this.#documents.set(path, hash);
      return hash;
    });
  }

  async setDocumentAside(path: string): Promise<void> {
    checkNodePath(path);
    const file = documentPath(path);
    await this.#write(file, async () => {
      if (!(await this.#files.stat(file))) return;
      await this.#keeper.keep(await readWhole(this.#files, file));
      this.#right.check();
      await this.#files.remove(file);
    });
  }

  async #copyAside(path: string, file: string, extension: string): Promise<void> {
    await this.#files.makeFolder(SET_ASIDE, this.#commit);
    const name = path.replaceAll('/', '.').slice(-120);
    for (let n = 1; !(await this.#files.copy(file, `${SET_ASIDE}/${name}.${n}.${extension}`, this.#commit)); ) n++;
  }

  /** Gives the search in this folder an id. */
  async writeId(id: string): Promise<void> {
    await this.#write(SEARCH_ID, () => this.#files.writeAtomic(SEARCH_ID, `${id}\n`, this.#commit));
  }

  async dropTorn(path: string): Promise<boolean> {
    checkNodePath(path);
    const wasTorn = await this.#dropTornIn(path);
    // A folder that lost its node.json is no node, and nobody else looks into it.
    for (const { name, kind } of await this.#files.list(path)) {
      const below = path === '' ? name : `${path}/${name}`;
      if (kind === 'folder' && isNodeName(name, path) && !this.#files.existsNow(nodePath(below)))
        await this.#dropTornIn(below);
    }
    return wasTorn;
  }

  async #dropTornIn(path: string): Promise<boolean> {
    const torn: NodeFileName[] = [];
    for (const name of ['node.json', 'children.json'] as const) {
      const text = await this.#files.read(fileIn(path, name)).catch(() => undefined);
      if (text === undefined || !isTorn(text)) continue;
      torn.push(name);
      // A person may have broken it by hand.
      if (text.trim() !== '' && !text.includes('\0')) await this.#copyAside(path, fileIn(path, name), name);
    }
    await this.drop(path, torn);
    return torn.length > 0;
  }

  async removeNode(path: string): Promise<void> {
    await this.setDocumentAside(path);
    await this.drop(path, ['node.json', 'children.json']);
    this.#right.check();
    await this.#files.removeEmpty(path);
  }

  async drop(path: string, names: readonly NodeFileName[]): Promise<void> {
    checkNodePath(path);
    for (const name of names) await this.#write(fileIn(path, name), () => this.#files.remove(fileIn(path, name)));
  }

  async followTexts(
    known: ReadonlyMap<string, string>,
    documents: ReadonlyMap<string, string>,
    tell: TellText,
  ): Promise<void> {
    if (this.#mayLack || (await this.texts.size()) === 0)
      for (const [path, hash] of documents) await this.#keepDocument(path, hash, false);
    await this.#followed.follow(known, tell);
  }

  async writeNotes(text: string | undefined): Promise<void> {
    if (text !== undefined) return await this.#writeText('notes.md', text);
    await this.#write('notes.md', () =>
      this.#followed.write('notes.md', undefined, () => this.#files.remove('notes.md')),
    );
  }

  async writeDecomposition(decomposition: object): Promise<void> {
    await this.#writeText(DECOMPOSITION, stringifyJson(decomposition));
  }

  async writePlan(text: string): Promise<void> {
    await this.#writeText('plan.yaml', text);
  }

  async writeImported(text: string): Promise<void> {
    await this.#writeText('imported.md', text);
  }

  async writeReport(text: string): Promise<void> {
    await this.#writeText('report.md', text);
  }

  async writeInterimHash(hash: string): Promise<void> {
    await this.#write(INTERIM, () => this.#files.writeAtomic(INTERIM, `${hash}\n`, this.#commit));
  }

  async writeConversation(conversation: Conversation): Promise<void> {
    const file = conversationPath(conversation.id);
    const text = stringifyJson(inOrder(conversation, ['id', 'parentId', 'title', 'turns']));
    const options = { ...this.#commit, flush: true };
    await this.#write(file, async () => {
      if (this.damagedConversations.delete(file)) await keepDamaged(this.#files, file, this.#commit);
      try {
        await this.#files.writeAtomic(file, text, options);
      } catch (error) {
        if (!isThoughtTreeError(error, 'not-found')) throw error;
        await this.#files.makeFolder(CONVERSATIONS, this.#commit);
        await this.#files.flush(parentPath(CONVERSATIONS));
        await this.#files.writeAtomic(file, text, options);
      }
    });
  }

  async writeCall(call: RecordedCall): Promise<void> {
    const file = callPath(call.id);
    const text = stringifyJson(inOrder(call, ['id', 'system', 'turns', 'prompt', 'answer', 'session']));
    await this.#write(file, async () => {
      await this.#files.makeFolder(CALLS, this.#commit);
      await this.#files.writeAtomic(file, text, this.#commit);
    });
  }

  /** Prepares the journal for appending: cuts off what a crash left incomplete at its end. */
  async openJournal(): Promise<void> {
    await this.#journal.open(this.lastEnd === 'power-loss');
  }

  /** Tells whether the journal is what has a seal of this key; see `hasSeal`. */
  async hasSeal(seal: JournalSeal, mayBeGrown: boolean): Promise<boolean> {
    return this.#key !== undefined && (await hasSeal(this.#files, this.#key, seal, mayBeGrown));
  }

  /** Returns the seal of the journal as it is now, on the disk itself; undefined without a key. */
  async sealNow(): Promise<JournalSeal | undefined> {
    await this.flushJournal();
    return this.#key === undefined ? undefined : await sealOfJournal(this.#files, this.#key);
  }

  /** Leaves what this process writes without a seal. */
  sealNothing(): void {
    this.#key = undefined;
  }

  async append(event: JournalEvent, flush = false): Promise<void> {
    this.#right.check();
    this.#hasAppended = true;
    const named = documentsIn(event).filter(([path, hash]) => !this.#isOwn(path, hash));
    if (named.length > 0) this.#keepBefore(named);
    if (this.#keeping) await this.#keeping;
    await this.#journal.append(event, flush);
  }

  /** Tells whether this process has just written a document, and so kept it. */
  #isOwn(path: string, hash: string): boolean {
    return this.#documents.get(path) === hash && this.#documents.delete(path);
  }

  /** Documents are kept before the journal names them; what is journaled meanwhile waits, in order. */
  #keepBefore(named: readonly (readonly [path: string, hash: string])[]): void {
    const before = this.#keeping;
    const keeping = Promise.all([before, ...named.map(([path, hash]) => this.#keepDocument(path, hash))]).then(
      () => undefined,
    );
    this.#keeping = keeping;
    const done = (): void => {
      if (this.#keeping === keeping) this.#keeping = undefined;
    };
    keeping.then(done, done);
  }

  async #keepDocument(path: string, hash: string, flush = true): Promise<void> {
    if (await this.#keeper.has(hash)) return;
    const bytes = await readWhole(this.#files, documentPath(path)).catch(() => undefined); // it is gone again, or unreadable
    if (bytes && textHash(bytes) === hash) await this.#keeper.keep(bytes, flush);
  }

  async flushJournal(): Promise<void> {
    await this.#keeping;
    await this.#journal.flush();
  }

  checkLease(): void {
    this.#right.check();
  }

  forgetReads(): void {
    this.nodesRead.recent.clear();
    this.conversationsRead.clear();
  }

  async close(folds?: () => Folds): Promise<void> {
    await this.#writes.idle();
    await this.#keeping?.catch(() => undefined);
    await this.#journal.idle();
    await this.#keeper.idle();
    // Before a lease says that all is well, what the holder before it did not flush has to be on the disk itself, too.
    const { leftUnflushed = false } = this.#right;
    const isSettled = await this.#files.settle(leftUnflushed).catch(() => false);
    await this.#keepSnapshot(folds);
    await this.#seal(isSettled).catch(() => undefined); // it stays without one
    await this.#right.release(isSettled);
  }

  async #seal(isSettled: boolean): Promise<void> {
    if (this.#key === undefined) return;
    const seal = this.#hasAppended ? await sealJournal(this.#files, this.#key, this.#commit) : undefined;
    if (!isSettled || (this.#hasAppended && !seal)) return;
    // Whoever took over has a journal that this process knows nothing of.
    this.#right.check();
    this.onSealed?.(seal);
  }

  /** It may be lost, after a loss of power it is removed, and whatever is wrong with it is no error. */
  async #keepSnapshot(folds: (() => Folds) | undefined): Promise<void> {
    const isLike = this.unlikeSnapshot < LEAST_UNLIKE && this.journalRead < LEAST_READ;
    if (this.#key === undefined || isLike) return;
    await keepSnapshot(this.#files, { ...this.#commit, key: this.#key, folds }).catch(() => undefined);
  }

  async #writeNode(path: string, fields: Partial<NodeFile>, isNew: boolean): Promise<void> {
    checkNodePath(path);
    this.unlikeSnapshot++;
    await this.#write(nodePath(path), () =>
      writeNodeJson(this.#files, path, fields, isNew, this.nodesRead, this.#right),
    );
  }

  async #writeText(file: string, text: string): Promise<void> {
    await this.#write(file, () =>
      this.#followed.write(file, text, () => this.#files.writeAtomic(file, text, { ...this.#commit, flush: true })),
    );
  }

  /** A text that a person changed is noticed when it is read. */
  protected override async readText(file: string): Promise<string | undefined> {
    if (!isFollowed(file)) return await super.readText(file);
    return await this.#writes.run(file, async () => {
      const text = await super.readText(file);
      await this.#followed.seen(file, text);
      return text;
    });
  }

  async #write<T>(file: string, operation: () => Promise<T>): Promise<T> {
    this.#right.check();
    return await this.#writes.run(file, operation);
  }
}

/** Returns the documents that an event tells of: their nodes' slug paths, and their hashes. */
function documentsIn(event: JournalEvent): [path: string, hash: string][] {
  if (event.type === 'node-status') return event.document === undefined ? [] : [[event.node, event.document]];
  if (event.type !== 'node-added') return [];
  return event.children.flatMap(({ slug, document }): [string, string][] =>
    document === undefined ? [] : [[joinedPath(event.node, slug), document]],
  );
}

/** Runs operations on the same key one after the other, and those on different keys concurrently. */
class KeyedQueue {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Starts an operation once the earlier ones on the same key have settled. */
  async run<T>(key: string, operation: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key);
    const mine = before ? before.then(operation, operation) : operation();
    this.#last.set(key, mine);
    try {
      return await mine;
    } finally {
      if (this.#last.get(key) === mine) this.#last.delete(key);
    }
  }

  /** Resolves when nothing is under way. */
  async idle(): Promise<void> {
    while (this.#last.size > 0) await Promise.allSettled(this.#last.values());
  }
}
