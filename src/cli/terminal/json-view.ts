import type { JournalEvent } from '../../core/search/events.ts';
import type { Output } from './output.ts';
import type { View } from './view.ts';

/** Every event as one line of JSON, as in the journal; texts for people go to the other stream. */
export class JsonView implements View {
  readonly #out: Output;
  readonly #err: Output;

  constructor(out: Output, err: Output) {
    this.#out = out;
    this.#err = err;
  }

  event(event: JournalEvent): void {
    this.#out.line(JSON.stringify(event));
  }

  notice(text: string): void {
    this.#err.line(text);
  }

  end(): void {
    // the last event says it all
  }
}
