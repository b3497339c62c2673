import type { NodeWords } from '../../core/kind/kind-face.ts';
import type { Search } from '../../engine/search.ts';
import { EXIT } from '../exit-codes.ts';
import * as messages from '../messages.ts';
import { nodesText } from '../terminal/figures.ts';
import { inWords } from '../terminal/translation.ts';

type Signals = Pick<NodeJS.Process, 'on' | 'off'>;

/** Pauses a search when a person or the system asks the process to end: first cleanly, the second time at once. */
export class Stopper {
  readonly #search: Pick<Search, 'pause' | 'running' | 'state'>;
  readonly #words: NodeWords;
  readonly #say: (text: string) => void;
  readonly #isFree: boolean;
  #signals: Signals | undefined;
  #asked = 0;

  /**
   * @param words the terms of the search's kind
   * @param say tells the person what happens now
   * @param isFree whether its calls cost nothing, so that none has to be finished
   */
  constructor(
    search: Pick<Search, 'pause' | 'running' | 'state'>,
    words: NodeWords,
    say: (text: string) => void,
    isFree = false,
  ) {
    this.#search = search;
    this.#words = words;
    this.#say = say;
    this.#isFree = isFree;
  }

  listen(signals: Signals): void {
    this.#signals = signals;
    signals.on('SIGINT', this.interrupt);
    for (const signal of ['SIGTERM', 'SIGHUP'] as const) signals.on(signal, this.stopNow);
  }

  dispose(): void {
    this.#signals?.off('SIGINT', this.interrupt);
    for (const signal of ['SIGTERM', 'SIGHUP'] as const) this.#signals?.off(signal, this.stopNow);
  }

  readonly interrupt = (): void => {
    this.#asked++;
    // Nothing can be finished while the search waits for its model, or must be where a folder may still be indexed.
    if (this.#asked > 1 || this.#isFree || this.#search.state === 'waiting') this.stopNow();
    else {
      const slots = this.#search.running.filter(({ isWork }) => isWork).length;
      const nodes = nodesText(this.#words, slots);
      this.#say(inWords(slots > 0 ? messages.pausingAfter({ nodes }) : messages.pausing()));
      this.#search.pause();
    }
  };

  readonly stopNow = (): void => {
    // Whoever asks a third time does not want to wait for files either; the next run recovers.
    if (this.#asked > 2) process.exit(EXIT.interrupted);
    this.#asked = Math.max(this.#asked, 1);
    this.#say(inWords(messages.stoppingNow()));
    this.#search.pause(true);
  };
}
