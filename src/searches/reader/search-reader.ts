import { Shared } from '../../core/concurrency.ts';
import type { Message } from '../../core/messages/message.ts';
import type { Spend } from '../../core/money/ledger.ts';
import type { ReadStore } from '../../core/ports/store.ts';
import { toThoughtTreeError } from '../../core/search/errors.ts';
import type { JournalEvent } from '../../core/search/events.ts';
import type { Limits } from '../../core/search/limits.ts';
import { endedUnderWay, notRunHere } from '../../core/search/messages.ts';
import type { Progress } from '../../core/search/progress.ts';
import type { NodeSpend } from '../../core/search/record/nodes-seen.ts';
import { isResumable, type SearchRecord } from '../../core/search/record/search-record.ts';
import { type Findings, isAtWork, type LimitReached, type SearchState } from '../../core/search/record/search-state.ts';
import type { SearchFile } from '../../core/search/search-file.ts';
import type { NodeStatus } from '../../core/tree/node-file.ts';
import { parentPath } from '../../core/tree/slug.ts';
import { nodeAt, putToRest, type Tree, type TreeNode } from '../../core/tree/tree.ts';
import type { Kind, LedStanding } from '../../engine/kind.ts';
import type { CallStory, Calls } from '../../engine-parts/transcripts/transcript.ts';
import type { Holder } from '../../store/lease/lease-file.ts';
import { openPresent } from '../../store/open-store.ts';
import type { Instant } from '../../store/past/moment.ts';
import type { SearchReadStore } from '../../store/search-read-store.ts';
import type { Place } from '../place.ts';
import { ownKey } from '../trust/state-folder.ts';
import { type CurrentState, readCurrentState, takeAll, takeNodes } from './current-state.ts';
import { JournalTail, JournalWatch, type KnownJournal, type NodePlaces } from './journal-tail.ts';
import type { CallTranscript, NodeDetails } from './node-details.ts';

/** As much of a note as views of many searches show of it. */
const LONGEST_NOTE = 1000;
/** The name of the fold over its calls. */
const CALLS = 'calls';

/** A search as it was at a moment. */
export interface Past extends KnownJournal {
  readonly store: SearchReadStore;
  readonly tree: Tree;
  readonly kind: Kind | undefined;
  /** Where the events of each node are, if that is known. */
  readonly places: NodePlaces | undefined;
}

/** Loads the kind of a search, for readers that need what only that knows. */
export type KindFor = (file: SearchFile) => Promise<Kind | undefined>;

/**
 * One search according to its files and its journal, whoever runs it: this process, another one, or nobody. Every view
 * of a search reads from here: the journal is read once, as it grows, and its tree is kept once.
 */
export class SearchReader implements CurrentState {
  readonly folder: string;
  /** The folder that it searches. */
  readonly workspace: string;
  file: SearchFile | undefined;
  /** Why it cannot be read, in words. */
  problem: Message | undefined;
  state: SearchState = 'interrupted';
  hasReport = false;
  /** True if its first level exists. */
  isDivided = false;
  /** Who writes it, or last wrote it. */
  holder: Holder | undefined;
  kind: Kind | undefined;
  /** Its progress, if somebody outside leads it. */
  led: LedStanding | undefined;
  halfAccepted: Message | undefined;
  /** The beginning of a person's note for all of it. */
  note: string | undefined;
  isAccepted = false;
  /** A limit that it rested at, once a host has reckoned what its size needs. */
  needed: LimitReached | undefined;
  /** True once its journal has been read: its results are unknown until then. */
  isRead = false;
  readonly #read = Promise.withResolvers<void>();
  readonly #journal = new JournalTail(() => this.kind?.folds() ?? []);
  readonly #kindFor: KindFor | undefined;
  readonly #tree = new FollowedTree();
  #bestPath: { readonly of: Findings; readonly paths: ReadonlySet<string> } | undefined;
  #store: SearchReadStore | undefined;
  readonly #watch: JournalWatch;
  readonly #refreshes = new Shared(() => this.#attempt(() => this.#readAll()));

  /** @param kindFor loads its kind, whose folds its record then has, and which knows how far an outside leader is */
  constructor(folder: string, workspace: string, kindFor?: KindFor) {
    this.#kindFor = kindFor;
    this.#watch = new JournalWatch(folder);
    this.folder = folder;
    this.workspace = workspace;
  }

  /**
   * Reads a search once.
   * @param store its files, if not those of now
   * @throws ThoughtTreeError `not-found`, `damaged`, `newer-version`
   */
  static async read({ folder, workspace }: Place, kindFor?: KindFor, store?: SearchReadStore): Promise<SearchReader> {
    const reader = new SearchReader(folder, workspace, kindFor);
    reader.#store = store;
    await reader.#work(() => reader.#readAll());
    return reader;
  }

  /**
   * Makes a reader of a search as it was, of which everything is known: its journal is not read.
   * @param tree its tree then; without a process that worked on it, nothing in it is in progress any more
   * @throws ThoughtTreeError `damaged` if its search.json cannot be read
   */
  static async past(
    { folder, workspace }: Place,
    { store, tree, kind, places, ...journal }: Past,
  ): Promise<SearchReader> {
    const reader = new SearchReader(folder, workspace);
    reader.#store = store;
    reader.kind = kind;
    reader.#journal.know(journal, places);
    await reader.#readFiles(store);
    if (!reader.isActive) putToRest(tree);
    reader.#tree.know(tree);
    await reader.#readLed(store);
    reader.isRead = true;
    reader.#read.resolve();
    return reader;
  }

  get title(): string {
    return this.file?.title ?? this.folder.split(/[\\/]/).at(-1) ?? this.folder;
  }

  /** The record of it as a whole; replaced if the journal is replaced. */
  get record(): SearchRecord {
    return this.#journal.record;
  }

  /** The calls of a dead search never end, so they count at their worst case. */
  get spend(): Spend {
    return this.isActive ? this.record.spend : this.record.ledger.spendAtWorst;
  }

  /** Why it is paused, waits or is interrupted, or came to its end without anything to show, in words; before all, what is half done. */
  get reason(): Message | undefined {
    if (this.halfAccepted) return this.halfAccepted;
    if (this.led) return undefined;
    if (this.state === 'interrupted') return this.record.hasBegun ? endedUnderWay() : notRunHere();
    return ['paused', 'waiting', 'finished'].includes(this.state) ? this.record.reason : undefined;
  }

  /** The cause for which a person is needed, if it is paused for one. */
  get cause(): string | undefined {
    return this.record.cause;
  }

  /** The model it was last run with here; none that an outside leader never asked. */
  get model(): string | undefined {
    return this.led && this.record.spend.calls === 0 ? undefined : this.record.model;
  }

  /** The limits that were last set. */
  get limits(): Limits | undefined {
    return this.record.limits;
  }

  /** Slug paths of the best path, if a search for a solution is at rest and has one. */
  get bestPath(): ReadonlySet<string> | undefined {
    const findings = this.record.findings(this.file?.kind);
    if (!findings) return undefined;
    if (this.#bestPath?.of !== findings) this.#bestPath = { of: findings, paths: new Set(bestPathIn(findings)) };
    return this.#bestPath.paths.size > 0 ? this.#bestPath.paths : undefined;
  }

  /** True if somebody is working on it. */
  get isActive(): boolean {
    return isAtWork(this.state);
  }

  /** True if a living process has it: it works on it, or asks a model for something that a person does to it at rest. */
  get isHeld(): boolean {
    return this.isActive || this.holder?.state === 'alive';
  }

  get callsUnderWay(): number {
    return this.isActive ? this.record.callsUnderWay.size : 0;
  }

  /** The last message about a call under way: how far it has read the folder, for one. */
  get doing(): Message | undefined {
    return this.isActive ? this.record.callsUnderWay.said : undefined;
  }

  /** True if there is anything left to continue; a finished search has to be grown or expanded instead. */
  get isResumable(): boolean {
    if (!this.isRead || this.problem !== undefined || this.led) return false;
    const { record, progress } = this;
    return isResumable(this.state, { record, open: progress.open, isSolved: this.#journal.nodes.isSolved });
  }

  /** The event after which it is shown, if that is not now. */
  get at(): Instant | undefined {
    return this.#store?.at;
  }

  /** The files, for reading; undefined if they cannot be read. */
  get store(): SearchReadStore | undefined {
    return this.#store;
  }

  /** Resolves once its journal has been read for the first time, or cannot be. */
  get read(): Promise<void> {
    return this.#read.promise;
  }

  /** Counts the nodes in the journal that count as one of these statuses. */
  count(...wanted: NodeStatus[]): number {
    return this.#journal.nodes.count(...wanted);
  }

  get progress(): Progress {
    return {
      done: this.count('expanded', 'leaf'),
      open: this.count('unexpanded', 'in-progress'),
      failed: this.count('failed'),
    };
  }

  /** The number of nodes in the journal. */
  get size(): number {
    return this.#journal.nodes.size;
  }

  /** Returns the slug paths of the nodes in the journal. */
  paths(): string[] {
    return this.#journal.nodes.paths();
  }

  /** Returns the last known status of a node. */
  statusAt(path: string): NodeStatus | undefined {
    return this.#journal.nodes.get(path);
  }

  spentOn(path: string): NodeSpend | undefined {
    return this.#journal.nodes.spentOn(path);
  }

  /** Returns its tree according to the files: read on first use, and updated by `look`. */
  tree(): Promise<Tree> {
    return this.#work((store) => this.#tree.known(store, this.title, this.isActive));
  }

  /** Reads the tree again as a whole. */
  rereadTree(onRead?: OnRead): Promise<Tree> {
    return this.#work((store) => this.#tree.open(store, this.title, this.isActive, onRead));
  }

  /** Returns its tree as the journal tells it: sooner there than that of its files, and hardly ever another one. */
  toldTree(): Promise<Tree> {
    return this.#work((store) => this.#tree.told(store, this.title, this.isActive));
  }

  /** Nobody needs its tree for now. */
  forgetTree(): void {
    this.#tree.forget();
  }

  /**
   * Rereads nodes of the tree, and reads new ones below them.
   * @returns the nodes that were read and those above them; nothing before the tree was read
   */
  look(paths: Iterable<string>): Promise<ReadonlySet<TreeNode>> {
    return this.#work((store) => this.#tree.look(store, paths, this.isActive));
  }

  /**
   * Everything about one node.
   * @param path slug path, empty for the search as a whole
   */
  details(path: string): Promise<NodeDetails> {
    return this.#work(async (store) => {
      const { reading } = await import('./reading.ts');
      const events = await this.#journal.eventsOf(store, path);
      const tree = await this.#tree.known(store, this.title, this.isActive);
      return await reading.detailsOf({ place: this, store, tree, events, isHeld: this.isHeld }, path);
    });
  }

  /**
   * Reads the transcript of a call.
   * @param number which of the calls made for the node, from 1
   * @returns undefined if there is no such call
   */
  exchange(path: string, number: number): Promise<CallTranscript | undefined> {
    return this.#work(async (store) => {
      const { reading } = await import('./reading.ts');
      const events = await this.#journal.eventsOf(store, path);
      return await reading.transcriptAt({ store, events, isHeld: this.isHeld }, path, number);
    });
  }

  /** Returns the calls that were made for a node, or about it. */
  callsOf(path: string): Promise<readonly CallStory[]> {
    return this.#work(async (store) => {
      const { reading } = await import('./reading.ts');
      return reading.nodeStory(await this.#journal.eventsOf(store, path), path, this.isHeld).calls;
    });
  }

  /** Returns every call of it, in a fold that grows with `refresh`; another one where the journal was replaced. */
  calls(): Promise<Calls> {
    return this.#work(async (store) => {
      const { reading } = await import('./reading.ts');
      return await this.#journal.foldOf(store, CALLS, reading.allCalls);
    });
  }

  /** Nobody looks at its calls any more. */
  forgetCalls(): void {
    this.#journal.forgetFold(CALLS);
  }

  /** Reads its name and state, which is little however large the search. */
  async open(): Promise<void> {
    await this.#attempt((store) => this.#readFiles(store));
  }

  /**
   * Reads what is new; resolves with the events since the last refresh, none at the first. Refreshes never overlap: those requested during
   * one share the next, since the current one may have read past what they need to see.
   */
  refresh(): Promise<readonly JournalEvent[]> {
    return this.#refreshes.run();
  }

  /**
   * Reads nodes that were changed by hand, with unknown ones below them: of nested folders made in quick succession, only
   * the topmost is reported. While somebody works on the search, the journal reports its nodes.
   * @returns the slug paths that were read
   */
  async takeIn(paths: readonly string[]): Promise<string[]> {
    if (this.isActive || !this.#store) return [...paths];
    return await takeNodes(this.#journal.nodes, this.#store, paths);
  }

  /** Calls back when the journal may have grown, wherever it is written; call `refresh` to learn more. */
  follow(onHint: () => void): void {
    this.#watch.start(onHint);
  }

  close(): void {
    this.#watch.stop();
    this.#read.resolve();
  }

  async #work<T>(work: (store: SearchReadStore) => Promise<T>): Promise<T> {
    this.#store ??= await openPresent(this.folder, ownKey());
    return await work(this.#store);
  }

  /** An error becomes a problem of this search only. */
  async #attempt(work: (store: SearchReadStore) => Promise<readonly JournalEvent[]>): Promise<readonly JournalEvent[]> {
    try {
      const events = await this.#work(work);
      this.problem = undefined;
      return events;
    } catch (error) {
      this.#store = undefined;
      this.problem = toThoughtTreeError(error).say;
      this.state = 'interrupted';
      return [];
    }
  }

  async #readAll(): Promise<readonly JournalEvent[]> {
    try {
      return await this.#work(async (store) => {
        this.#watch.renew();
        await this.#loadKind(store);
        const events = await this.#journal.read(store);
        if (this.#journal.nodes.size === 0) await takeAll(this.#journal.nodes, store, this.title);
        await this.#readFiles(store);
        await this.#readLed(store);
        return events;
      });
    } finally {
      this.isRead = true;
      this.#read.resolve();
    }
  }

  /** The folds of its kind have to be there before its journal is read. */
  async #loadKind(store: SearchReadStore): Promise<void> {
    if (this.#kindFor && !this.kind) this.kind = await this.#kindFor(await store.readSearch());
  }

  /** Lets a search that somebody outside leads be finished only if its own rules say so. */
  async #readLed(store: SearchReadStore): Promise<void> {
    const { kind, file, record, title } = this;
    if (!file || !kind?.descriptor.isLedOutside(file.options)) return;
    const tree = store.at
      ? await this.#tree.known(store, title, false)
      : await new FollowedTree().open(store, title, false);
    this.led = kind.extras.ledStanding?.(file, tree, record);
    if (this.led?.hasEnded) this.state = 'finished';
    else if (this.state === 'finished') this.state = 'interrupted';
  }

  async #readFiles(store: SearchReadStore): Promise<readonly JournalEvent[]> {
    this.file = await store.readSearch();
    // A note that cannot be read is no reason to show nothing of its search.
    const note = await store.readNotes().catch(() => undefined);
    this.note = note?.trim().slice(0, LONGEST_NOTE) || undefined;
    Object.assign(this, await readCurrentState(this.folder, store, this.#journal));
    return [];
  }
}

/** Returns the best finished path of a search for a solution, else the best so far. */
function bestPathIn({ finishedPath, bestPath }: Findings): readonly string[] {
  return finishedPath.length > 0 ? finishedPath : bestPath;
}

/** Told now and then how many nodes of a tree were read so far. */
type OnRead = (nodes: number) => void;

/** The tree of a search that others may be working on, read from its files and updated on request. */
class FollowedTree {
  #tree: Tree | undefined;
  #opening: Promise<Tree> | undefined;

  /** Returns the tree as last read and updated; read now if it has not been. */
  async known(store: ReadStore, title: string, isActive: boolean): Promise<Tree> {
    return this.#tree ?? (await (this.#opening ?? this.open(store, title, isActive)));
  }

  /** Returns the tree as the journal tells it. */
  async told(store: SearchReadStore, title: string, isActive: boolean): Promise<Tree> {
    const { reading } = await import('./reading.ts');
    return await reading.toldTree(store, title, isActive);
  }

  /** @param isActive whether somebody works on the search, so that nodes really are in progress */
  async open(store: ReadStore, title: string, isActive: boolean, onRead?: OnRead): Promise<Tree> {
    const opening = import('./reading.ts').then(({ reading }) =>
      reading.openTree(store, title, isActive ? 'follower' : 'reader', onRead),
    );
    this.#opening = opening;
    try {
      this.#tree = await opening;
      return this.#tree;
    } finally {
      if (this.#opening === opening) this.#opening = undefined;
    }
  }

  /** Takes a tree that somebody else has read. */
  know(tree: Tree): void {
    this.#tree = tree;
  }

  /** Nobody looks at it any more: it is read again when it is needed. */
  forget(): void {
    this.#tree = undefined;
  }

  /**
   * Rereads nodes, and reads new ones below them; an unknown node is looked for from the nearest known one above.
   * @returns the nodes that were read, and those above them
   */
  async look(store: ReadStore, paths: Iterable<string>, isActive: boolean): Promise<ReadonlySet<TreeNode>> {
    const touched = new Set<TreeNode>();
    const tree = this.#tree;
    if (!tree) return touched;
    const { reading } = await import('./reading.ts');
    const at = { tree, store, live: isActive };
    for (const path of paths) {
      const queue = [nearest(tree, path)];
      for (let node = queue.pop(); node; node = queue.pop()) {
        const { parent } = node;
        const { added } = await reading.reconcile(at, node);
        touched.add(node).add(parent ?? node);
        queue.push(...added);
      }
    }
    return touched;
  }
}

/** Returns the node at a path, or the nearest existing one above it. */
function nearest(tree: Tree, path: string): TreeNode {
  for (let at = path; at !== ''; at = parentPath(at)) {
    const node = nodeAt(tree, at);
    if (node) return node;
  }
  return tree.root;
}
