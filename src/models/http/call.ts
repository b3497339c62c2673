// Every call over HTTP has a time limit, and collects no more of an answer than it may.
import { MOST_BYTES_A_TOKEN } from '../../core/money/usage-doubt.ts';
import type { ModelAnswer, ModelCall, ModelRequest } from '../../core/ports/model.ts';
import { ThoughtTreeError, toThoughtTreeError } from '../../core/search/errors.ts';
import { isWhole, withoutReasoning } from '../../core/text/model-output.ts';
import { isKeyLike } from '../../core/text/redact.ts';
import { withoutSecret } from '../keys.ts';
import { stoppedBefore, stoppedWithin } from '../messages.ts';
import { lengthOf, type ReceivedText, type TextLength, together } from './checked-usage.ts';
import { tooLate, tooLong } from './failures.ts';
import { guardedFetch } from './guarded-fetch.ts';
import type { Server } from './server.ts';

/** Used as a reason, since otherwise an error with its stack would be created for each call. */
const OVER = 'the call is over';

/** The time that a call may take, in milliseconds. */
export interface TimeLimit {
  readonly timeoutMs: number;
  /** Additional time before its answer begins. */
  readonly loadingMs?: number;
}

/**
 * Carries out one request under the call's signal and a time limit, and closes its connection in every case.
 *
 * @param work receives the signal for the request, and a function to call when the answer begins
 * @param explain turns what `work` threw into one of our errors
 * @throws ThoughtTreeError `aborted`, `timed-out`, or what `explain` gives
 */
export async function timedCall<T>(
  server: Server,
  { timeoutMs, loadingMs = 0 }: TimeLimit,
  call: Pick<ModelCall, 'signal'>,
  work: (signal: AbortSignal, begun: () => void) => Promise<T>,
  explain: (error: unknown) => ThoughtTreeError,
): Promise<T> {
  if (call.signal.aborted) throw new ThoughtTreeError('aborted', stoppedBefore(), { charged: false });
  const ending = new AbortController();
  const stop = () => ending.abort();
  let late = false;
  const giveUp = () => {
    late = true;
    stop();
  };
  let timer = setTimeout(giveUp, timeoutMs + loadingMs);
  const begun = () => {
    clearTimeout(timer);
    timer = setTimeout(giveUp, timeoutMs);
  };
  call.signal.addEventListener('abort', stop);
  try {
    return await work(ending.signal, begun);
  } catch (error) {
    if (call.signal.aborted) throw new ThoughtTreeError('aborted', stoppedWithin(), { charged: true });
    if (late) throw tooLate(server, timeoutMs);
    throw explain(error);
  } finally {
    clearTimeout(timer);
    call.signal.removeEventListener('abort', stop);
    // Closes the connection of an answer that was not read to its end.
    ending.abort(OVER);
  }
}

const JSON_FORM = { type: 'application/json', asStream: (body: unknown) => JSON.stringify(body) };

export interface JsonQuestion {
  /** The part that follows the server's URL. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent by POST if there is one. */
  readonly body?: object;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Asks a server for a JSON document.
 *
 * @throws ThoughtTreeError as a model's request would
 */
export async function askJson(server: Server, question: JsonQuestion): Promise<unknown> {
  const { path, headers, body, timeoutMs, signal = new AbortController().signal } = question;
  const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  const ask = async (stop: AbortSignal): Promise<unknown> => {
    const response = await guardedFetch(server, JSON_FORM)(`${server.url}${path}`, { ...init, headers, signal: stop });
    return await response.json();
  };
  return await timedCall(server, { timeoutMs }, { signal }, ask, toThoughtTreeError);
}

/** The maximum length of one answer, in bytes, however many tokens it was allowed. */
const MAX_TEXT_BYTES = 4 * 1024 * 1024;

const NO_TEXT: TextLength = { bytes: 0, characters: 0 };

/** Collects the text of one answer, passing its pieces on as they arrive, and counts all that arrives. */
export class AnswerText {
  readonly #server: Server;
  readonly #call: ModelCall;
  readonly #most: number;
  readonly #received: Record<keyof ReceivedText, TextLength> = { text: NO_TEXT, reasoning: NO_TEXT };
  #text = '';

  constructor(server: Server, { maxOutputTokens }: Pick<ModelRequest, 'maxOutputTokens'>, call: ModelCall) {
    this.#server = server;
    this.#call = call;
    this.#most = Math.min(MAX_TEXT_BYTES, maxOutputTokens * MOST_BYTES_A_TOKEN);
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
