import type { ReadStore } from '../../core/ports/store.ts';
import type { JournalEvent } from '../../core/search/events.ts';
import type { NodeFile } from '../../core/tree/node-file.ts';
import { type NodeStory, nodeStory } from '../../engine/exchanges/node-story.ts';
import type { Place } from '../place.ts';
import { type FailedQuotation, failedQuotations } from './failed-quotations.ts';

/** Everything about one node, or about the search as a whole, that is not part of a tree. */
export interface NodeDetails {
  /** Slug path, empty for the search as a whole. */
  readonly path: string;
  /** node.json; undefined for the search as a whole, and if it is gone. */
  readonly file: NodeFile | undefined;
  /** document.md, including its front matter. */
  readonly document: string | undefined;
  /** A person's note for it. */
  readonly note: string | undefined;
  /** The first quotations of the document that are not where it says. */
  readonly quotations: readonly FailedQuotation[];
  readonly story: NodeStory;
}

/** What details are read from. */
export interface DetailsSource {
  readonly place: Place;
  readonly store: ReadStore;
  /** The events about the node. */
  readonly events: readonly JournalEvent[];
  /** Whether a living process works on the search. */
  readonly isHeld: boolean;
}

export async function detailsOf(source: DetailsSource, path: string): Promise<NodeDetails> {
  const { place, store, events, isHeld } = source;
  const story = nodeStory(events, path, isHeld);
  if (path === '') {
    const note = trimmed(await store.readNotes());
    return { path, file: undefined, document: undefined, note, quotations: [], story };
  }
  const [document, file] = await Promise.all([store.readDocument(path), store.readNodeFile(path)]);
  const quotations = document === undefined ? [] : failedQuotations(document, place, path);
  return { path, file, document, note: trimmed(file?.note), quotations, story };
}

function trimmed(text: string | undefined): string | undefined {
  return text?.trim() || undefined;
}
