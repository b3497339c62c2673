import type { JournalEvent } from '../../core/search/events.ts';
import type { Place } from '../place.ts';
import { SearchReader } from '../reader/search-reader.ts';
import type { AgentHost } from './agent-host.ts';
import { nameOf, placeNamed } from './find-place.ts';

/** Searches that are followed at once: those that clients asked for last. */
const MOST_FOLLOWED = 20;
/** The time for which changes are collected, in milliseconds. */
const PATIENCE_MS = 200;

/** The changed files of a search, by its name and their paths; and whether the list of files is another one now. */
export interface DocumentChange {
  readonly search: string;
  readonly paths: readonly string[];
  readonly isListChanged: boolean;
}

/** Follows the searches that clients asked for, whoever writes them, and tells which of their files changed. */
export class DocumentChanges {
  readonly #folders: Pick<AgentHost, 'folders'>;
  readonly #tell: (change: DocumentChange) => void;
  readonly #followed = new Map<string, SearchReader>();
  readonly #waiting = new Map<string, NodeJS.Timeout>();

  constructor(folders: Pick<AgentHost, 'folders'>, tell: (change: DocumentChange) => void) {
    this.#folders = folders;
    this.#tell = tell;
  }

  /** Follows a search from now on; nothing if there is none of that name. */
  async follow(search: string): Promise<void> {
    if (this.#followed.has(search)) return;
    const place = await placeNamed(this.#folders, search).catch(() => undefined);
    if (place) await this.followPlace(place);
  }

  async followPlace(place: Place): Promise<void> {
    const search = nameOf(this.#folders, place);
    const known = this.#followed.get(search);
    if (known) return this.#look(search, known);
    const reader = new SearchReader(place.folder, place.workspace);
    this.#followed.set(search, reader);
    const [oldest] = this.#followed.keys();
    if (this.#followed.size > MOST_FOLLOWED && oldest !== undefined) this.#forget(oldest);
    await reader.refresh();
    reader.follow(() => this.#look(search, reader));
  }

  /** Several hints in quick succession are one look. */
  #look(search: string, reader: SearchReader): void {
    if (this.#waiting.has(search)) return;
    const timer = setTimeout(() => {
      this.#waiting.delete(search);
      void this.#read(search, reader);
    }, PATIENCE_MS);
    timer.unref();
    this.#waiting.set(search, timer);
  }

  async #read(search: string, reader: SearchReader): Promise<void> {
    const change = changeIn(search, await reader.refresh());
    if (change.paths.length > 0 || change.isListChanged) this.#tell(change);
  }

  #forget(search: string): void {
    this.#followed.get(search)?.close();
    this.#followed.delete(search);
  }

  close(): void {
    for (const search of [...this.#followed.keys()]) this.#forget(search);
    for (const timer of this.#waiting.values()) clearTimeout(timer);
  }
}

function changeIn(search: string, events: readonly JournalEvent[]): DocumentChange {
  const paths = new Set<string>();
  let isListChanged = false;
  for (const event of events) {
    if (event.type === 'search-finished') paths.add('report.md');
    if (event.type === 'search-finished' || event.type.startsWith('node-')) isListChanged = true;
    if (event.type !== 'node-status' && event.type !== 'reconciled') continue;
    if (event.node === '') continue;
    for (const name of ['document.md', 'node.json']) paths.add(`${event.node}/${name}`);
  }
  return { search, paths: [...paths], isListChanged };
}
