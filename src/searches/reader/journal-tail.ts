import { SerialQueue } from '../../core/concurrency/serial-queue.ts';
import type { JournalEvent } from '../../core/search/events.ts';
import type { KeptFold } from '../../core/search/record/fold.ts';
import { NodesSeen } from '../../core/search/record/nodes-seen.ts';
import { SearchRecord } from '../../core/search/record/search-record.ts';
import type { JournalPosition } from '../../store/journal/journal-reader.ts';
import type { SearchReadStore } from '../../store/search-read-store.ts';
import { NodePlaces } from './node-places.ts';

/** The one reader of a search's journal as it grows: every event is read once and passed to everything derived from it. */
export class JournalTail {
  readonly #parts: () => readonly KeptFold[];
  #nodes = new NodesSeen();
  #record: SearchRecord;
  /** Created when the story of a node is first asked for. */
  #places: NodePlaces | undefined;
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

  /** Reads what was added since the last time; the first time, all of it, without returning its events. */
  read(store: SearchReadStore): Promise<readonly JournalEvent[]> {
    return this.#reads.run(() => this.#read(store));
  }

  /** The events that tell the story of one node (see `nodeStory`), in the journal's order. */
  async eventsOf(store: SearchReadStore, path: string): Promise<JournalEvent[]> {
    const places = await this.#reads.run(() => this.#placesIn(store));
    return await store.readJournalAt(places.of(path));
  }

  async #read(store: SearchReadStore): Promise<readonly JournalEvent[]> {
    if (!this.#position) return await this.#readFirst(store);
    const part = await store.readJournalFrom(this.#position);
    if (part.restarted) this.#forget();
    this.#position = part.position;
    for (const [index, event] of part.events.entries()) {
      this.#record.apply(event);
      this.#places?.apply(event, part.offsets[index] as number);
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
    this.#places = undefined;
  }

  #newFolds(): { record: SearchRecord; nodes: NodesSeen } {
    const nodes = new NodesSeen();
    return { record: new SearchRecord(nodes, ...this.#parts()), nodes };
  }

  /** Reads the journal a second time for it: most searches are never looked at so closely. */
  async #placesIn(store: SearchReadStore): Promise<NodePlaces> {
    if (this.#places) return this.#places;
    const end = this.#position?.offset ?? 0;
    const places = new NodePlaces();
    const { events, offsets } = await store.readJournalFrom();
    for (const [index, event] of events.entries())
      if ((offsets[index] as number) < end) places.apply(event, offsets[index] as number);
    this.#places = places;
    return places;
  }
}
