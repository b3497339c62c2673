import { setTimeout as sleep } from 'node:timers/promises';
import type { Calls } from '../../engine-parts/transcripts/transcript.ts';
import { type HostMessage, MOST_CALLS } from '../../protocol/host-message.ts';
import type { SearchReader } from '../../searches/reader/search-reader.ts';
import { graphCallsOf } from '../../searches/search-graph.ts';
import { messageText } from '../message-text.ts';

/** A page is told of what happens at most this often, in milliseconds. */
const GROW_MS = 500;
/** Calls in one message, and the pause after it, in milliseconds: the page gets to draw. */
const AT_ONCE = 1000;
const BETWEEN_MS = 4;

interface CallsPorts {
  readonly search: Pick<SearchReader, 'calls' | 'forgetCalls'>;
  readonly post: (message: HostMessage) => void;
  readonly onError: (error: unknown) => void;
}

/** Tells a page the calls of a search, for as long as it shows them: all at first, then what is new of them. */
export class GraphCalls {
  readonly #ports: CallsPorts;
  #isOpen = false;
  #told: Calls | undefined;
  #changes = 0;
  #timer: NodeJS.Timeout | undefined;
  #work: Promise<void> = Promise.resolve();

  constructor(ports: CallsPorts) {
    this.#ports = ports;
  }

  /** The page shows them, and knows none; or shows them no more. */
  async set(isOpen: boolean): Promise<void> {
    if (!isOpen) return this.dispose();
    this.#isOpen = true;
    this.#told = undefined;
    await this.#tell(true);
  }

  /** The journal may have grown. */
  touch(): void {
    if (!this.#isOpen) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#tell().catch(this.#ports.onError);
    }, GROW_MS);
  }

  /** One after the other, so that nothing is told twice, or in another order. */
  #tell(isAsked = false): Promise<void> {
    const told = this.#work.then(() => this.#tellNew(isAsked));
    this.#work = told.catch(() => undefined);
    return told;
  }

  async #tellNew(isAsked: boolean): Promise<void> {
    const { search, post } = this.#ports;
    const known = await search.calls();
    if (!this.#isOpen) return search.forgetCalls();
    let isAnew = isAsked || known !== this.#told;
    const told = known.since(isAnew ? 0 : this.#changes, MOST_CALLS);
    if (!isAnew && told.length === 0) return;
    this.#told = known;
    this.#changes = known.changes;
    const calls = graphCallsOf(told, messageText);
    for (let at = 0; at === 0 || at < calls.length; at += AT_ONCE) {
      if (this.#told !== known) return; // it was asked once more, or not at all
      post({ type: 'calls', isAnew, calls: calls.slice(at, at + AT_ONCE) });
      isAnew = false;
      if (at + AT_ONCE < calls.length) await sleep(BETWEEN_MS);
    }
  }

  dispose(): void {
    if (this.#isOpen) this.#ports.search.forgetCalls();
    this.#isOpen = false;
    this.#told = undefined;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
