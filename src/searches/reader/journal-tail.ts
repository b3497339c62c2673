import { type FSWatcher, watch } from 'node:fs';
import { join } from 'node:path';
import { SerialQueue } from '../../core/concurrency.ts';
import type { JournalEvent, KeptFold } from '../../core/search/events.ts';
import { NodesSeen } from '../../core/search/record/nodes-seen.ts';
import { SearchRecord } from '../../core/search/record/search-record.ts';
import { movedPath } from '../../core/tree/slug.ts';
import type { JournalPosition } from '../../store/journal/journal-reader.ts';
import type { SearchReadStore } from '../../store/search-read-store.ts';

/** The record of a journal up to a position. */
export interface KnownJournal {
  readonly record: SearchRecord;
  readonly nodes: NodesSeen;
  readonly position: JournalPosition;
}

/** The one reader of a search's journal as it grows: every event is read once and passed to everything derived from it. */
export class JournalTail {
  readonly #parts: () => readonly KeptFold[];
  #nodes = new NodesSeen();
  #record: SearchRecord;
  /** Folds that few need, by name: each is made when it is first asked for. */
  readonly #late = new Map<string, LateFold>();
  #position: JournalPosition | undefined;
  /** One read after the other, so that no event is applied twice. */
  readonly #reads = new SerialQueue();

  /** @param parts further folds for the record, in addition to those of all searches */
  constructor(parts: () => readonly KeptFold[] = () => []) {
    this.#parts = parts;
    this.#record = new SearchRecord(this.#nodes, ...parts());
  }

  /** The record of the search as a whole; replaced if the journal is replaced. */
  get record(): SearchRecord {
    return this.#record;
  }

  get nodes(): NodesSeen {
    return this.#nodes;
  }

  /**
   * Takes what somebody else has read of a journal: as it was at a moment.
   * @param places where the events of each node are, also later ones; they are looked for without it
   */
  know({ record, nodes, position }: KnownJournal, places?: NodePlaces): void {
    this.#record = record;
    this.#nodes = nodes;
    this.#position = position;
    this.#late.clear();
    if (places) this.#late.set(PLACES, places);
  }

  /** Reads what was added since the last time; the first time, all of it, without returning its events. */
  read(store: SearchReadStore): Promise<readonly JournalEvent[]> {
    return this.#reads.run(() => this.#read(store));
  }

  /** Returns the events that tell the story of one node (see `nodeStory`), in the journal's order. */
  async eventsOf(store: SearchReadStore, path: string): Promise<JournalEvent[]> {
    const places = await this.foldOf(store, PLACES, () => new NodePlaces());
    const end = this.#position?.offset ?? 0;
    return await store.readJournalAt(places.of(path).filter((offset) => offset < end));
  }

  /**
   * Returns a fold over all of it, which from then on grows with the rest; another one once the journal is replaced.
   * @param make makes it the first time
   */
  foldOf<T extends LateFold>(store: SearchReadStore, name: string, make: () => T): Promise<T> {
    return this.#reads.run(() => this.#lateIn(store, name, make)) as Promise<T>;
  }

  /** Nobody needs a fold any more; it is made again when it is asked for. */
  forgetFold(name: string): void {
    this.#late.delete(name);
  }

  async #read(store: SearchReadStore): Promise<readonly JournalEvent[]> {
    if (!this.#position) return await this.#readFirst(store);
    const part = await store.readJournalFrom(this.#position);
    if (part.restarted) this.#forget();
    this.#position = part.position;
    for (const [index, event] of part.events.entries()) {
      this.#record.apply(event);
      for (const fold of this.#late.values()) fold.apply(event, part.offsets[index] as number);
    }
    return part.events;
  }

  /** All of it, without keeping the events: nobody followed the search before. */
  async #readFirst(store: SearchReadStore): Promise<readonly JournalEvent[]> {
    const { folds, position } = await store.readFolds(() => this.#newFolds());
    this.#nodes = folds.nodes;
    this.#record = folds.record;
    this.#position = position;
    return [];
  }

  #forget(): void {
    const { nodes, record } = this.#newFolds();
    this.#nodes = nodes;
    this.#record = record;
    this.#late.clear();
  }

  #newFolds(): { record: SearchRecord; nodes: NodesSeen } {
    const nodes = new NodesSeen();
    return { record: new SearchRecord(nodes, ...this.#parts()), nodes };
  }

  /** Reads the journal a second time for it: most searches are never looked at so closely. */
  async #lateIn(store: SearchReadStore, name: string, make: () => LateFold): Promise<LateFold> {
    const known = this.#late.get(name);
    if (known) return known;
    const end = this.#position?.offset ?? 0;
    const fold = make();
    const { events, offsets } = await store.readJournalFrom();
    for (const [index, event] of events.entries())
      if ((offsets[index] as number) < end) fold.apply(event, offsets[index] as number);
    this.#late.set(name, fold);
    return fold;
  }
}

/** Something that follows from a journal, event by event. */
interface LateFold {
  /** @param offset where the event's line begins, in bytes from the journal's beginning */
  apply(event: JournalEvent, offset: number): void;
}

const PLACES = 'places';
const OF_ALL: ReadonlySet<JournalEvent['type']> = new Set([
  'lease-taken',
  'search-started',
  'search-resumed',
  'system-text',
]);

/** Tells when the journal of a search may have grown, wherever it is written. */
export class JournalWatch {
  readonly #folder: string;
  #watcher: FSWatcher | undefined;
  #onHint: (() => void) | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  start(onHint: () => void): void {
    this.#onHint = onHint;
    this.renew();
  }

  stop(): void {
    this.#onHint = undefined;
    this.#close();
  }

  /** To be called now and then: a clone has no .search until somebody runs it, and it can be deleted. */
  renew(): void {
    if (this.#watcher || !this.#onHint) return;
    try {
      const watcher = watch(join(this.#folder, '.search'), { persistent: false }, (event, name) => {
        if (event === 'rename' && name === '.search') this.#close();
        this.#onHint?.();
      });
      watcher.on('error', () => this.#close());
      this.#watcher = watcher;
    } catch {
      this.#watcher = undefined;
    }
  }

  #close(): void {
    this.#watcher?.close();
    this.#watcher = undefined;
  }
}

/**
 * Where in a journal the events of each node are, so that looking at one node reads no other node's. Keeps places, not
 * events: a few bytes per call.
 */
export class NodePlaces {
  /** By node: the calls for it and about it, and what a person did to it. */
  #own = new Map<string, number[]>();
  /**
   * The places of events that concern all nodes: the beginnings of processes and runs, which cut off what was under way before;
   * the system text; and moved branches.
   */
  readonly #ofAll: number[] = [];

  /** @param offset where the event's line begins, in bytes from the journal's beginning */
  apply(event: JournalEvent, offset: number): void {
    if (OF_ALL.has(event.type)) this.#ofAll.push(offset);
    else if (event.type === 'node-moved') {
      this.#ofAll.push(offset);
      this.#own = moved(this.#own, event);
    } else if (event.type === 'steered') put(this.#own, event.node ?? '', offset);
    else if (event.type === 'context-shortened') put(this.#own, event.node, offset);
    else if (event.type === 'call-started' || event.type === 'call-ended')
      for (const path of new Set([event.node, ...(event.about ?? [])])) put(this.#own, path, offset);
  }

  /** Returns where the events are that tell the story of one node (see `nodeStory`), ascending. */
  of(path: string): number[] {
    return [...new Set([...this.#ofAll, ...(this.#own.get(path) ?? [])])].sort((a, b) => a - b);
  }
}

function moved(
  places: Map<string, number[]>,
  { from, node }: { readonly from: string; readonly node: string },
): Map<string, number[]> {
  return new Map([...places].map(([path, offsets]) => [movedPath(path, from, node), offsets]));
}

function put(places: Map<string, number[]>, path: string, offset: number): void {
  const known = places.get(path);
  if (known) known.push(offset);
  else places.set(path, [offset]);
}
