import type { JournalEvent } from '../../core/search/events.ts';
import type { Fold } from '../../core/search/record/fold.ts';
import { SearchRecord } from '../../core/search/record/search-record.ts';
import type { JournalPosition } from '../../store/journal/journal-reader.ts';
import type { SearchReadStore } from '../../store/search-read-store.ts';
import { NodePlaces } from './node-places.ts';
import { NodesSeen } from './nodes-seen.ts';

/** The one reader of a search's journal as it grows: every event is read once, and taken by all who work something out. */
export class JournalTail {
  readonly #parts: () => readonly Fold[];
  #nodes = new NodesSeen();
  #record: SearchRecord;
  /** Made when the story of a node is first asked for. */
  #places: NodePlaces | undefined;
  #position: JournalPosition | undefined;
  #turn: Promise<unknown> = Promise.resolve();

  /** @param parts what the record is to work out besides what all searches do */
  constructor(parts: () => readonly Fold[] = () => []) {
    this.#parts = parts;
    this.#record = new SearchRecord(this.#nodes, ...parts());
  }

  /** What the journal says of the search as a whole; another one where the journal is another one. */
  get record(): SearchRecord {
    return this.#record;
  }

  get nodes(): NodesSeen {
    return this.#nodes;
  }

  /** Reads what was added since the last time. */
  read(store: SearchReadStore): Promise<readonly JournalEvent[]> {
    return this.#inTurn(() => this.#read(store));
  }

  /** The events that tell the story of one node (see `nodeStory`), in the journal's order. */
  async eventsOf(store: SearchReadStore, path: string): Promise<JournalEvent[]> {
    const places = await this.#inTurn(() => this.#placesIn(store));
    return await store.readJournalAt(places.of(path));
  }

  /** The same with what tells of the nodes above it, whose words its calls began with. */
  async eventsOfBranch(store: SearchReadStore, path: string): Promise<JournalEvent[]> {
    const places = await this.#inTurn(() => this.#placesIn(store));
    return await store.readJournalAt(places.ofBranch(path));
  }

  async #read(store: SearchReadStore): Promise<readonly JournalEvent[]> {
    const part = await store.readJournalFrom(this.#position);
    if (part.restarted) this.#forget();
    this.#position = part.position;
    for (const [index, event] of part.events.entries()) {
      this.#record.apply(event);
      this.#places?.apply(event, part.offsets[index] as number);
    }
    return part.events;
  }

  #forget(): void {
    this.#nodes = new NodesSeen();
    this.#record = new SearchRecord(this.#nodes, ...this.#parts());
    this.#places = undefined;
  }

  /** What was read already is read once more for it: most searches are never looked at so closely. */
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

  /** One reading after the other, so that none is taken twice. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => undefined);
    return done;
  }
}
