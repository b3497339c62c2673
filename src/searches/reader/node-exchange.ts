import type { ReadStore } from '../../core/ports/store.ts';
import type { JournalEvent } from '../../core/search/events.ts';
import { withPresentPaths } from '../../core/search/record/present-paths.ts';
import { exchangeOf, type FoundExchange } from '../../engine/calls/call-exchange.ts';
import { type CallStory, nodeStory } from '../../engine/calls/node-story.ts';

/** The sources that the words of a call are read from. */
export interface ExchangeSource {
  readonly store: ReadStore;
  /** The events about the node. */
  readonly events: readonly JournalEvent[];
  /** A living process works on the search. */
  readonly isHeld: boolean;
}

/** A call, and its words if they are known. */
export interface CallWords {
  readonly call: CallStory;
  readonly found: FoundExchange;
}

/**
 * The exact words of one call made for a node.
 * @param number the call's, from 1
 * @returns undefined if there is no such call
 */
export async function exchangeAt(source: ExchangeSource, path: string, number: number): Promise<CallWords | undefined> {
  const { store, isHeld } = source;
  const events = withPresentPaths(source.events);
  const story = nodeStory(events, path, isHeld);
  const call = story.calls[number - 1];
  if (!call) return undefined;
  return { call, found: await exchangeOf({ store, journal: events, story }, call) };
}
