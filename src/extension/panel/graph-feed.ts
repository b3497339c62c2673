import { setTimeout as sleep } from 'node:timers/promises';
import { isAtWork } from '../../core/search/record/search-state.ts';
import type { GraphAction, GraphSearch } from '../../protocol/graph-node.ts';
import type { HostMessage } from '../../protocol/host-message.ts';
import type { OpenBranches } from '../../protocol/view-message.ts';
import type { Moment } from '../../searches/history/timeline.ts';
import type { GraphChange, GraphSource } from './graph-source.ts';

/** Changes are sent together, at most this often, in milliseconds. */
const TOGETHER_MS = 100;
/** After the first portion, in milliseconds: what is in sight is drawn before the rest is made, sent and taken. */
const FIRST_MS = 50;
/** Between the portions of a large tree, in milliseconds: the page gets to draw, the extension to its other work. */
const BETWEEN_MS = 4;

interface FeedPorts {
  readonly source: Omit<GraphSource, 'close'>;
  /** Identifies the search, for the page's own state. */
  readonly folder: string;
  readonly post: (message: HostMessage) => void;
  /** Returns what can be done to the search as a whole. */
  readonly actions: () => readonly GraphAction[];
  readonly onError: (error: unknown) => void;
}

/**
 * Keeps a page up to date: a snapshot of what is in sight at the beginning, then numbered changes: the rest of the tree in
 * portions, and what happens; close changes are combined. The tree is kept while the panel exists: nothing is read or sent
 * while nobody sees it, and a page that becomes visible again gets it from memory, then what has changed.
 */
export class GraphFeed {
  readonly #ports: FeedPorts;
  readonly #touched = new Set<string>();
  #isLive = false;
  /** A page repeats its request until it is answered; it is answered once. */
  #beginning: Promise<void> | undefined;
  #view: OpenBranches | undefined;
  #seq = 0;
  #told: GraphSearch | undefined;
  #timer: NodeJS.Timeout | undefined;
  #work: Promise<void> = Promise.resolve();
  #isReading = false;
  /** Anything in the files may have changed since they were read. */
  #isOutdated = false;
  /** Nodes that were sent, or read from their files, while more are to come. */
  #done: number | undefined;
  /** Which of the moments that were to be shown is the last. */
  #turn = 0;

  constructor(ports: FeedPorts) {
    this.#ports = ports;
  }

  /** The page is ready, and shows nothing or something outdated: sends everything. @param view what it will show */
  begin(view?: OpenBranches): Promise<void> {
    this.#isLive = true;
    this.#view = view;
    this.#beginning ??= this.#queue(() => this.#sendAll()).finally(() => {
      this.#beginning = undefined;
    });
    return this.#beginning;
  }

  async #sendAll(): Promise<void> {
    const { source, folder } = this.#ports;
    await source.open();
    if (!this.#isLive) return;
    const portions = source.portions(this.#view);
    const nodes = portions.next().value ?? [];
    this.#done = source.isWhole && nodes.length > source.size ? undefined : nodes.length;
    const search = this.#summary();
    this.#told = search;
    this.#ports.post({ type: 'snapshot', seq: this.#seq, folder, search, nodes });
    if (nodes.length < source.size) await sleep(FIRST_MS);
    for (const upserts of portions) {
      if (!this.#isLive) return;
      this.#done = (this.#done ?? 0) + upserts.length;
      this.#post({ upserts, removals: [] });
      await sleep(BETWEEN_MS);
    }
    if (!this.#isLive) return;
    this.#done = undefined;
    if (!source.isWhole || this.#isOutdated) this.#read();
    else if (!isAtWork(search.state)) this.#touchInProgress();
    this.touch([]);
  }

  /**
   * Shows the search as it was at a moment, or as it is now. What changes meanwhile is sent when it is shown as it is now again.
   * A later moment takes over at once, whatever of this one is still to be sent.
   * @param view what the page shows of the tree, if that is known
   */
  async show(past: Moment | undefined, view?: OpenBranches): Promise<void> {
    const turn = ++this.#turn;
    await this.#queue(async () => {
      if (turn !== this.#turn) return;
      const { source } = this.#ports;
      source.show(past);
      this.#view = view ?? this.#view;
      if (!past && !isAtWork(source.summary.state)) this.#touchInProgress();
      if (!this.#told) return;
      let wait = FIRST_MS;
      for (const change of source.changes(this.#view)) {
        if (this.#isLive) this.#post(change);
        // Little by little: a later moment does not wait.
        for (; wait > 0; wait -= BETWEEN_MS) {
          await sleep(BETWEEN_MS);
          if (turn !== this.#turn) return;
        }
        wait = BETWEEN_MS;
      }
      this.touch([]);
    });
  }

  #touchInProgress(): void {
    for (const path of this.#ports.source.inProgress()) this.#touched.add(path);
  }

  /** Nobody sees the page: messages would be lost. */
  pause(): void {
    this.#isLive = false;
    this.#beginning = undefined;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#told = undefined;
  }

  /** Schedules an update of nodes; undefined if anything may have changed. */
  touch(paths: readonly string[] | undefined): void {
    for (const path of paths ?? []) this.#touched.add(path);
    if (!paths) this.#isOutdated = true;
    if (!this.#isLive) return;
    if (!paths) this.#read();
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.#queue(() => this.#send());
    }, TOGETHER_MS);
  }

  /** Reads the whole tree from its files, while other messages are sent, then sends what that changes. */
  #read(): void {
    if (this.#isReading) return;
    const { source } = this.#ports;
    this.#isReading = true;
    this.#isOutdated = false;
    const isFirst = !source.isWhole;
    const onRead = (nodes: number): void => {
      this.#done = isFirst ? nodes : undefined;
      this.touch([]);
    };
    const end = (): void => {
      this.#isReading = false;
      this.#done = undefined;
    };
    source.read(onRead).then(
      () => {
        end();
        void this.#queue(() => this.#sendRead());
      },
      (error: unknown) => {
        end();
        this.#ports.onError(error);
      },
    );
  }

  async #sendRead(): Promise<void> {
    const { source } = this.#ports;
    source.adopt();
    if (!this.#told) return;
    for (const change of source.changes()) {
      if (this.#isLive) this.#post(change);
      await sleep(BETWEEN_MS);
    }
    if (this.#isOutdated) this.#read();
    this.touch([]);
  }

  async #send(): Promise<void> {
    if (!this.#isLive || !this.#told) return;
    const { source } = this.#ports;
    // Those that are touched while all are read may have been read before: they are read again after that. What was does not
    // change; they are read when the search is shown as it is now.
    const paths = source.isWhole && !this.#isReading && !source.isPast ? [...this.#touched] : [];
    for (const path of paths) this.#touched.delete(path);
    const before = this.#told.state;
    let change = await source.look(paths).catch((error: unknown) => {
      for (const path of paths) this.#touched.add(path); // with the next change
      throw error;
    });
    if (isAtWork(before) && !source.isPast && !isAtWork(source.summary.state)) {
      // Nodes are no longer in progress, though nothing was written.
      const rest = await source.look(source.inProgress());
      change = { upserts: [...change.upserts, ...rest.upserts], removals: [...change.removals, ...rest.removals] };
    }
    if (this.#isLive) this.#post(change);
  }

  /** Sends a change with what is new about the search as a whole, if there is anything. */
  #post(change: GraphChange): void {
    const search = this.#newOf(this.#summary());
    if (change.upserts.length + change.removals.length + Object.keys(search).length === 0) return;
    this.#seq++;
    this.#ports.post({ type: 'change', seq: this.#seq, search, ...change });
  }

  #summary(): GraphSearch {
    const { source, actions } = this.#ports;
    const all = source.size;
    const reading = this.#done !== undefined &&
      !source.isPast &&
      this.#done < all && { reading: { done: this.#done, all } };
    return { ...source.summary, ...reading, actions: actions() };
  }

  /** Returns the fields that have changed; null for one that is gone. */
  #newOf(search: GraphSearch): Partial<GraphSearch> {
    const before: Record<string, unknown> = { ...this.#told };
    const now: Record<string, unknown> = { ...search };
    this.#told = search;
    const changed = Object.keys({ ...before, ...now }).filter(
      (key) => JSON.stringify(before[key]) !== JSON.stringify(now[key]),
    );
    return Object.fromEntries(changed.map((key) => [key, now[key] ?? null])) as Partial<GraphSearch>;
  }

  /** One task after the other, so that numbers match contents. */
  #queue(work: () => Promise<void>): Promise<void> {
    this.#work = this.#work.then(work).catch((error: unknown) => this.#ports.onError(error));
    return this.#work;
  }
}
