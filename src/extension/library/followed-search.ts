import { type FSWatcher, watch } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Spend } from '../../core/money/ledger.ts';
import { toThoughtTreeError } from '../../core/search/errors.ts';
import type { JournalEvent } from '../../core/search/events.ts';
import type { Findings } from '../../core/search/findings.ts';
import type { Limits } from '../../core/search/limits.ts';
import { SearchRecord } from '../../core/search/record/search-record.ts';
import { isAtWork, type SearchState, searchState } from '../../core/search/record/search-state.ts';
import type { SearchFile } from '../../core/search/search-file.ts';
import type { NodeStatus } from '../../core/tree/node-status.ts';
import type { JournalPosition } from '../../store/journal/journal-reader.ts';
import { findHolder, openForReading } from '../../store/open-store.ts';
import type { SearchReadStore } from '../../store/search-read-store.ts';
import { systemClock } from '../../store/system-ports.ts';
import type { SearchForecast } from './forecasts.ts';
import { NodeStatuses } from './node-statuses.ts';

/** What one node has cost. */
export interface NodeSpend {
  readonly calls: number;
  readonly tokens: number;
  readonly usd: number;
  readonly ms: number;
}

/**
 * One search as its files and its journal tell of it, whoever runs it: this window, another one, a terminal, or nobody.
 * Reads only what was added to the journal since the last look.
 */
export class FollowedSearch {
  readonly folder: string;
  /** The workspace folder it searches. */
  readonly workspace: string;
  file: SearchFile | undefined;
  problem: string | undefined;
  state: SearchState = 'interrupted';
  hasReport = false;
  /** Whether its first level exists. */
  isDivided = false;
  /** What it will come to, where this window runs it and it costs something. */
  forecast: (() => SearchForecast) | undefined;
  /** Whether its journal was read: what it has come to is not known before. */
  isRead = false;
  readonly #statuses = new NodeStatuses();
  readonly #spent = new Map<string, NodeSpend>();
  readonly #read = Promise.withResolvers<void>();
  #record = new SearchRecord();
  #bestPath: { readonly of: Findings; readonly paths: ReadonlySet<string> } | undefined;
  #store: SearchReadStore | undefined;
  #position: JournalPosition | undefined;
  #watcher: FSWatcher | undefined;
  #onChange: (() => void) | undefined;
  #refreshing: Promise<readonly JournalEvent[]> | undefined;
  #refreshingNext: Promise<readonly JournalEvent[]> | undefined;

  constructor(folder: string, workspace: string) {
    this.folder = folder;
    this.workspace = workspace;
  }

  get title(): string {
    return this.file?.title ?? this.folder.split(/[\\/]/).at(-1) ?? this.folder;
  }

  /** What its journal says of it as a whole; another one where the journal is another one. */
  get record(): SearchRecord {
    return this.#record;
  }

  get spend(): Spend {
    return this.#record.spend;
  }

  /** Why it is paused or waits, in words. */
  get reason(): string | undefined {
    return this.#record.reason;
  }

  /** What a person is needed for, where it is paused for that. */
  get cause(): string | undefined {
    return this.#record.cause;
  }

  get model(): string | undefined {
    return this.#record.model;
  }

  get limits(): Limits | undefined {
    return this.#record.limits;
  }

  /** Slug paths of the best path, where a search for a solution has ended or rests and said so. */
  get bestPath(): ReadonlySet<string> | undefined {
    const findings = this.#record.findings(this.file?.kind);
    if (!findings) return undefined;
    if (this.#bestPath?.of !== findings) this.#bestPath = { of: findings, paths: bestPathIn(findings) };
    return this.#bestPath.paths;
  }

  /** Whether somebody works on it now. */
  get isActive(): boolean {
    return isAtWork(this.state);
  }

  get callsUnderWay(): number {
    return this.isActive ? this.#record.callsUnderWay.size : 0;
  }

  /** The files, for reading. */
  get store(): SearchReadStore | undefined {
    return this.#store;
  }

  /** Resolves when its journal was read for the first time, or cannot be. */
  get read(): Promise<void> {
    return this.#read.promise;
  }

  /** How many of the nodes the journal told of stand in a status. */
  count(...wanted: NodeStatus[]): number {
    return this.#statuses.count(...wanted);
  }

  /** Whether there is something to go on with; what has reached its size is to be grown instead. */
  get isResumable(): boolean {
    if (!this.isRead || this.problem !== undefined || this.isActive) return false;
    const { turn } = this.#record;
    const isFull = turn?.type === 'search-finished' && turn.reason === 'size';
    return this.state !== 'finished' || (!isFull && this.count('unexpanded') > 0);
  }

  /** How many nodes the journal told of. */
  get size(): number {
    return this.#statuses.size;
  }

  /** The slug paths the journal told of. */
  paths(): string[] {
    return this.#statuses.paths();
  }

  /** What the journal told of a node last. */
  statusAt(path: string): NodeStatus | undefined {
    return this.#statuses.get(path);
  }

  spentOn(path: string): NodeSpend | undefined {
    return this.#spent.get(path);
  }

  /** Calls back when the journal grows, wherever it is written. */
  follow(onChange: () => void): void {
    this.#onChange = onChange;
    this.#watch();
  }

  /** A clone has no .search until somebody runs it, and it can be deleted: tried again with every look. */
  #watch(): void {
    if (this.#watcher || !this.#onChange) return;
    try {
      const watcher = watch(join(this.folder, '.search'), { persistent: false }, (event, name) => {
        if (event === 'rename' && name === '.search') this.#unwatch();
        this.#onChange?.();
      });
      watcher.on('error', () => this.#unwatch());
      this.#watcher = watcher;
    } catch {
      this.#watcher = undefined;
    }
  }

  #unwatch(): void {
    this.#watcher?.close();
    this.#watcher = undefined;
  }

  close(): void {
    this.#onChange = undefined;
    this.#unwatch();
    this.#read.resolve();
  }

  /** Reads what it is called and whether it runs: little, however much it has done. */
  async open(): Promise<void> {
    await this.#attempt((store) => this.#readFiles(store));
  }

  /**
   * Reads what is new; resolves with the events since the last look. One look at a time: those that are asked for
   * meanwhile share the next, since the one under way may have read past what they are to see.
   */
  refresh(): Promise<readonly JournalEvent[]> {
    if (!this.#refreshing) {
      this.#refreshing = this.#attempt((store) => this.#readAll(store)).finally(() => {
        this.#refreshing = undefined;
        this.isRead = true;
        this.#read.resolve();
      });
      return this.#refreshing;
    }
    this.#refreshingNext ??= this.#refreshing
      .catch(() => [])
      .then(() => {
        this.#refreshingNext = undefined;
        return this.refresh();
      });
    return this.#refreshingNext;
  }

  /**
   * Takes in nodes that were changed by hand, with those below them that are not known yet: folders made quickly one in
   * the other are told of by the topmost alone. While somebody works on the search, the journal tells of its nodes.
   * @returns the slug paths of what was looked at
   */
  async takeIn(paths: readonly string[]): Promise<string[]> {
    if (this.isActive || !this.#store) return [...paths];
    const seen = new Set<string>();
    const waiting = [...paths];
    for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
      if (seen.has(path)) continue;
      seen.add(path);
      for (const slug of await this.#takeNode(this.#store, path)) {
        const child = path === '' ? slug : `${path}/${slug}`;
        if (!this.#statuses.has(child)) waiting.push(child);
      }
    }
    return [...seen];
  }

  /** @returns the slugs of the folders below it */
  async #takeNode(store: SearchReadStore, path: string): Promise<readonly string[]> {
    if (path === '') return (await store.readRootChildren()).folders;
    const found = await store.readNode(path).catch(() => undefined);
    if (found) this.#statuses.set(path, found.file.status);
    else this.#statuses.deleteBranch(path);
    return found?.folders ?? [];
  }

  async #attempt(work: (store: SearchReadStore) => Promise<readonly JournalEvent[]>): Promise<readonly JournalEvent[]> {
    try {
      this.#store ??= await openForReading(this.folder);
      const events = await work(this.#store);
      this.problem = undefined;
      return events;
    } catch (error) {
      this.#store = undefined;
      this.problem = toThoughtTreeError(error).message;
      this.state = 'interrupted';
      return [];
    }
  }

  async #readAll(store: SearchReadStore): Promise<readonly JournalEvent[]> {
    this.#watch();
    const part = await store.readJournalFrom(this.#position);
    if (part.restarted) this.#forget();
    this.#position = part.position;
    for (const event of part.events) this.#take(event);
    if (this.#statuses.size === 0) await this.#takeFiles(store);
    await this.#readFiles(store);
    return part.events;
  }

  async #readFiles(store: SearchReadStore): Promise<readonly JournalEvent[]> {
    this.file = await store.readSearch();
    this.hasReport = await stat(join(this.folder, 'report.md')).then(
      (found) => found.isFile(),
      () => false,
    );
    await this.#decideState(store);
    return [];
  }

  #forget(): void {
    this.#statuses.clear();
    this.#spent.clear();
    this.#record = new SearchRecord();
  }

  /** A clone has no journal: what its nodes are stands in its files alone. */
  async #takeFiles(store: SearchReadStore): Promise<void> {
    const { title } = await store.readSearch();
    if ((await store.readRootChildren()).folders.length === 0) return;
    const { searches } = await import('../../searches/searches.ts');
    for (const [path, status] of await searches.readStatuses(store, title)) this.#statuses.set(path, status);
  }

  #take(event: JournalEvent): void {
    this.#record.apply(event);
    if (event.type === 'node-status') this.#statuses.set(event.node, event.status);
    else if (event.type === 'node-added') this.#addNodes(event.node, event.children);
    else if (event.type === 'call-ended') this.#addSpend(event);
  }

  #addNodes(parent: string, children: readonly { slug: string }[]): void {
    for (const { slug } of children) {
      const path = parent === '' ? slug : `${parent}/${slug}`;
      if (!this.#statuses.has(path)) this.#statuses.set(path, 'unexpanded');
    }
  }

  #addSpend({ node, usage, ms }: Extract<JournalEvent, { type: 'call-ended' }>): void {
    const { calls, tokens, usd, ms: before } = this.#spent.get(node) ?? { calls: 0, tokens: 0, usd: 0, ms: 0 };
    this.#spent.set(node, {
      calls: calls + 1,
      tokens: tokens + (usage ? usage.prompt + usage.completion : 0),
      usd: usd + (usage?.usd ?? 0),
      ms: before + ms,
    });
  }

  async #decideState(store: SearchReadStore): Promise<void> {
    const holder = await findHolder(this.folder, systemClock).catch(() => undefined);
    const root = await store.readRootChildren();
    this.isDivided = root.children !== undefined;
    const isOpen =
      root.children === undefined || this.count('unexpanded', 'in-progress') > 0 || this.#statuses.size === 0;
    const isHeld = holder?.state === 'alive';
    this.state = searchState({ last: this.#record.turn?.type, isHeld, isOpen, hasReport: this.hasReport });
  }
}

/** The best finished path of a search for a solution, else the best so far. */
function bestPathIn({ finishedPath, bestPath }: Findings): ReadonlySet<string> {
  return new Set(finishedPath.length > 0 ? finishedPath : bestPath);
}
