import type { ReadStore } from '../../core/ports/store.ts';
import type { JournalEvent } from '../../core/search/events.ts';
import { withPresentPaths } from '../../core/search/record/present-paths.ts';
import type { SearchFile } from '../../core/search/search-file.ts';
import { exchangeOf, type FoundExchange } from '../../engine/exchanges/call-exchange.ts';
import { type CallStory, nodeStory } from '../../engine/exchanges/node-story.ts';
import { faceOf, type Kinds, loadKind } from '../../engine/kind/kinds.ts';

/** What the words of a call are read from. */
export interface ExchangeSource {
  readonly store: ReadStore;
  readonly file: Pick<SearchFile, 'prompt' | 'kind'>;
  readonly kinds: Kinds;
  /** The events about the node, and those above it. */
  readonly events: readonly JournalEvent[];
  /** Whether a living process works on the search. */
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
  const { store, file, kinds, isHeld } = source;
  const events = withPresentPaths(source.events);
  const story = nodeStory(events, path, isHeld);
  const call = story.calls[number - 1];
  if (!call) return undefined;
  const sessionId = path === '' ? undefined : (await store.readNodeFile(path))?.sessionId;
  const { version01 } = faceOf(kinds, file.kind) ? await loadKind(kinds, file) : {};
  const of01 = { system: version01?.system(file.prompt) ?? '', purposes01: version01?.purposes ?? [] };
  return { call, found: await exchangeOf({ store, journal: events, ...of01, path, story, sessionId }, call) };
}
