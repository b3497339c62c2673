import { MOST_BYTES_A_TOKEN } from '../../core/money/usage-doubt.ts';
import type { ModelAnswer, ModelCall, ModelRequest } from '../../core/ports/model.ts';
import { isWhole } from '../../core/text/output-block.ts';
import { withoutReasoning } from '../../core/text/reasoning.ts';
import { isKeyLike } from '../../core/text/redact.ts';
import { lengthOf, type ReceivedText, type TextLength, together } from './checked-usage.ts';
import { withoutSecret } from './failures/foreign-text.ts';
import { tooLong } from './failures/network-failure.ts';
import type { Server } from './server.ts';

/** The maximum length of one answer, in bytes, however many tokens it was allowed. */
const MAX_BYTES = 4 * 1024 * 1024;

const NOTHING: TextLength = { bytes: 0, characters: 0 };

/** Collects the text of one answer, passing its pieces on as they arrive, and counts all that arrives. */
export class AnswerText {
  readonly #server: Server;
  readonly #call: ModelCall;
  readonly #most: number;
  readonly #received: Record<keyof ReceivedText, TextLength> = { text: NOTHING, reasoning: NOTHING };
  #text = '';

  constructor(server: Server, { maxOutputTokens }: Pick<ModelRequest, 'maxOutputTokens'>, call: ModelCall) {
    this.#server = server;
    this.#call = call;
    this.#most = Math.min(MAX_BYTES, maxOutputTokens * MOST_BYTES_A_TOKEN);
  }

  get received(): ReceivedText {
    return this.#received;
  }

  /** @throws ThoughtTreeError `bad-answer`: it is longer than the tokens that it was allowed can be */
  add(piece: string): void {
    if (piece === '') return;
    this.#text += piece;
    this.count(piece);
    this.#call.onText?.(piece);
  }

  /**
   * Counts what is no part of the text: a piece of the reasoning that is shown, or of the use of a tool.
   * @throws ThoughtTreeError like `add`: a server that does not end its answers has to be left
   */
  count(piece: string, what: keyof ReceivedText = 'text'): void {
    const length = lengthOf(piece);
    this.#received[what] = together(this.#received[what], length);
    this.#call.onReceived?.(length.bytes);
    if (this.#received.text.bytes + this.#received.reasoning.bytes > this.#most) throw tooLong(this.#server);
  }

  /**
   * Returns what came before a failure, if the answer had come to its end nevertheless: it is paid for, and is not asked for
   * again. What it used is not known.
   * @throws the failure otherwise, or if the call was stopped
   */
  despite(failure: unknown): ModelAnswer {
    if (this.#call.signal.aborted || !isWhole(withoutReasoning(this.#text).text)) throw failure;
    return { text: this.whole(), finish: 'stop' };
  }

  /** The whole text, with our key removed in case the server wrote it there. */
  whole(): string {
    const { apiKey } = this.#server;
    return isKeyLike(apiKey) && this.#text.includes(apiKey) ? withoutSecret(this.#text, apiKey) : this.#text;
  }
}
