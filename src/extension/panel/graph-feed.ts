import { isAtWork } from '../../core/search/record/search-state.ts';
import type { GraphAction, GraphSearch } from '../../protocol/graph-node.ts';
import type { HostMessage } from '../../protocol/host-message.ts';
import type { GraphSource } from './graph-source.ts';

/** Changes are sent together, at most this often, in milliseconds. */
const TOGETHER_MS = 100;

/** How messages are sent. */
interface FeedPorts {
  readonly source: Pick<GraphSource, 'open' | 'look' | 'summary' | 'inProgress'>;
  /** Identifies the search, for the page's own state. */
  readonly folder: string;
  readonly post: (message: HostMessage) => void;
  /** What can be done to the search as a whole. */
  readonly actions: () => readonly GraphAction[];
  readonly onError: (error: unknown) => void;
}

/**
 * Keeps a page up to date: one whole snapshot at the beginning, then numbered changes; close ones are combined. Nothing
 * is read or sent while nobody sees it; a page that becomes visible again gets a snapshot.
 */
export class GraphFeed {
  readonly #ports: FeedPorts;
  readonly #touched = new Set<string>();
  #isLive = false;
  /** A page repeats its request until it is answered; it is answered once. */
  #beginning: Promise<void> | undefined;
  #seq = 0;
  #told: GraphSearch | undefined;
  #timer: NodeJS.Timeout | undefined;
  #work: Promise<void> = Promise.resolve();

  constructor(ports: FeedPorts) {
    this.#ports = ports;
  }

  /** The page is ready, and shows nothing or something outdated: sends everything. */
  begin(): Promise<void> {
    this.#isLive = true;
    this.#beginning ??= this.#sendAll().finally(() => {
      this.#beginning = undefined;
    });
    return this.#beginning;
  }

  #sendAll(): Promise<void> {
    return this.#queue(async () => {
      if (!this.#isLive) return;
      this.#touched.clear();
      const nodes = await this.#ports.source.open();
      const search = this.#summary();
      this.#told = search;
      this.#ports.post({ type: 'snapshot', seq: this.#seq, folder: this.#ports.folder, search, nodes });
    });
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
    if (!this.#isLive) return;
    if (!paths) {
      void this.#sendAll();
      return;
    }
    for (const path of paths) this.#touched.add(path);
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.#queue(() => this.#send());
    }, TOGETHER_MS);
  }

  async #send(): Promise<void> {
    if (!this.#isLive || !this.#told) return;
    const paths = [...this.#touched];
    this.#touched.clear();
    const before = this.#told.state;
    const { source } = this.#ports;
    let change = await source.look(paths).catch((error: unknown) => {
      for (const path of paths) this.#touched.add(path); // with the next change
      throw error;
    });
    if (isAtWork(before) && !isAtWork(source.summary.state)) {
      // Nodes are no longer in progress, though nothing was written.
      const rest = await source.look(source.inProgress());
      change = { upserts: [...change.upserts, ...rest.upserts], removals: [...change.removals, ...rest.removals] };
    }
    const search = this.#newOf(this.#summary());
    if (!this.#isLive) return;
    if (change.upserts.length + change.removals.length + Object.keys(search).length === 0) return;
    this.#seq++;
    this.#ports.post({ type: 'change', seq: this.#seq, search, ...change });
  }

  #summary(): GraphSearch {
    return { ...this.#ports.source.summary, actions: this.#ports.actions() };
  }

  /** The fields that have changed; null for one that is gone. */
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
