import type { JournalEvent } from '../../core/search/events.ts';
import { movedPath } from '../../core/tree/slug-path.ts';

/**
 * Where in a journal the events of each node are, so that looking at one node reads no other node's. Keeps places, not
 * events: a few bytes per call.
 */
export class NodePlaces {
  /** By node: the calls for it and about it, and what a person did to it. */
  #own = new Map<string, number[]>();
  /**
   * The places of events that concern all nodes: the beginnings of runs, which cut off what was under way before; the
   * system text; and moved branches.
   */
  readonly #ofAll: number[] = [];

  /** @param offset where the event's line begins, in bytes from the journal's beginning */
  apply(event: JournalEvent, offset: number): void {
    if (event.type === 'search-started' || event.type === 'search-resumed' || event.type === 'system-text')
      this.#ofAll.push(offset);
    else if (event.type === 'node-moved') {
      this.#ofAll.push(offset);
      this.#own = moved(this.#own, event);
    } else if (event.type === 'steered') put(this.#own, event.node ?? '', offset);
    else if (event.type === 'context-shortened') put(this.#own, event.node, offset);
    else if (event.type === 'call-started' || event.type === 'call-ended')
      for (const path of new Set([event.node, ...(event.about ?? [])])) put(this.#own, path, offset);
  }

  /** Where the events are that tell the story of one node (see `nodeStory`), ascending. */
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
