import type { ModelCall } from '../../core/ports/model.ts';
import { isKeyLike } from '../../core/text/redact.ts';
import { withoutSecret } from './foreign-text.ts';
import { tooLong } from './network-failure.ts';
import type { Server } from './server.ts';

/** The maximum length of one answer, in characters. */
const MAX_TEXT = 4 * 1024 * 1024;

/** Collects the text of one answer, passing its pieces on as they arrive. */
export class AnswerText {
  readonly #server: Server;
  readonly #call: ModelCall;
  #text = '';

  constructor(server: Server, call: ModelCall) {
    this.#server = server;
    this.#call = call;
  }

  /** @throws ThoughtTreeError `bad-answer`: it is longer than anything useful */
  add(piece: string): void {
    if (piece === '') return;
    this.#text += piece;
    if (this.#text.length > MAX_TEXT) throw tooLong(this.#server);
    this.#call.onText?.(piece);
  }

  /** The whole text, with our key removed in case the server wrote it there. */
  whole(): string {
    const { apiKey } = this.#server;
    return isKeyLike(apiKey) && this.#text.includes(apiKey) ? withoutSecret(this.#text, apiKey) : this.#text;
  }
}
