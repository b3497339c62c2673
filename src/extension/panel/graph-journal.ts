import type { JournalEvent } from '../../core/search/events.ts';
import type { JournalPosition } from '../../store/journal/journal-reader.ts';
import type { SearchReadStore } from '../../store/search-read-store.ts';

/** What listens to a journal as it is read. */
interface Reader {
  readonly take: (event: JournalEvent) => void;
  /** The journal is another one now: what was taken is void. */
  readonly restart: () => void;
}

/**
 * Reads a journal once, as it grows, and remembers where in it the events of each node stand: a look at one node then
 * reads no other node's. Places are kept and no events, so that it costs a few bytes a call.
 */
export class GraphJournal {
  readonly #store: () => SearchReadStore | undefined;
  readonly #reader: Reader;
  /** By node: its calls, and what a person did to it. */
  readonly #own = new Map<string, number[]>();
  /** By node: when its conversation began or was dropped. */
  readonly #sessions = new Map<string, number[]>();
  /** When a run began: what was under way before was cut off. */
  #runs: number[] = [];
  #position: JournalPosition | undefined;
  #reading: Promise<void> = Promise.resolve();

  constructor(store: () => SearchReadStore | undefined, reader: Reader) {
    this.#store = store;
    this.#reader = reader;
  }

  /** Reads what is new; one reading after the other. */
  update(): Promise<void> {
    const read = this.#reading.then(() => this.#read());
    this.#reading = read.catch(() => undefined);
    return read;
  }

  /** The events that tell the story of one node (see `nodeStory`), in the journal's order. */
  async eventsOf(path: string): Promise<JournalEvent[]> {
    return await this.#at([this.#own.get(path) ?? [], ...lineage(path).map((each) => this.#sessions.get(each) ?? [])]);
  }

  /** The same with what tells of the nodes above it, whose words its calls began with. */
  async eventsOfBranch(path: string): Promise<JournalEvent[]> {
    const paths = path === '' ? [path] : lineage(path);
    return await this.#at(paths.flatMap((each) => [this.#own.get(each) ?? [], this.#sessions.get(each) ?? []]));
  }

  async #at(places: readonly (readonly number[])[]): Promise<JournalEvent[]> {
    const offsets = [...new Set([...this.#runs, ...places.flat()])].sort((a, b) => a - b);
    return (await this.#store()?.readJournalAt(offsets)) ?? [];
  }

  async #read(): Promise<void> {
    const part = await this.#store()?.readJournalFrom(this.#position);
    if (!part) return;
    if (part.restarted) this.#restart();
    this.#position = part.position;
    for (const [index, event] of part.events.entries()) {
      this.#remember(event, part.offsets[index] as number);
      this.#reader.take(event);
    }
  }

  #restart(): void {
    this.#own.clear();
    this.#sessions.clear();
    this.#runs = [];
    this.#reader.restart();
  }

  #remember(event: JournalEvent, offset: number): void {
    if (event.type === 'search-started' || event.type === 'search-resumed') this.#runs.push(offset);
    else if (event.type === 'call-started' || event.type === 'call-ended') put(this.#own, event.node, offset);
    else if (event.type === 'node-status' && event.sessionId !== undefined) put(this.#sessions, event.node, offset);
    else if (event.type === 'steered') {
      put(this.#own, event.node ?? '', offset);
      if (event.action === 'redo' && event.node !== undefined) put(this.#sessions, event.node, offset);
    }
  }
}

function put(places: Map<string, number[]>, path: string, offset: number): void {
  const known = places.get(path);
  if (known) known.push(offset);
  else places.set(path, [offset]);
}

/** A path and those above it, the first level first; nothing for the root. */
function lineage(path: string): string[] {
  const slugs = path === '' ? [] : path.split('/');
  return slugs.map((_, index) => slugs.slice(0, index + 1).join('/'));
}
