import type { ServerResponse } from 'node:http';
import type { ServerCall } from './server-call.ts';
import type { Fault, FaultKind } from './server-faults.ts';
import { chance } from './server-random.ts';
import { countTokens } from './server-tokens.ts';

export const HTML_PAGE = '<!DOCTYPE html><html><head><title>Welcome</title></head><body>Please log in.</body></html>';

const PIECE = 48;

interface WireUsage {
  readonly prompt_tokens: number;
  readonly prompt_tokens_details: { readonly cached_tokens: number };
  readonly cost?: number;
}

interface WireOptions {
  readonly stream?: boolean;
  readonly stream_options?: { readonly include_usage?: boolean };
  readonly max_tokens?: number;
  readonly max_completion_tokens?: number;
}

/** Writes one response: what was sent so far, and whether a provider would ask money for it. */
export class ServerReply {
  /** What was sent of the answer's text. */
  text = '';
  /** Whether work on an answer began. */
  billed = false;
  /** Called before the last bytes leave. */
  beforeEnd: (() => void) | undefined;
  /** Aborted when the connection is closed before the response ended. */
  readonly closed: AbortSignal;
  readonly #response: ServerResponse;
  readonly #wire: WireOptions;
  readonly #model: string;
  #left: Promise<never> | undefined;

  constructor(response: ServerResponse, wire: WireOptions, model: string) {
    this.#response = response;
    this.#wire = wire;
    this.#model = model;
    const closing = new AbortController();
    this.closed = closing.signal;
    // Not everyone who could wait for the client to leave does.
    this.#gone().catch(() => {});
    const close = () => {
      if (!response.writableFinished) closing.abort();
    };
    if (response.closed) close();
    else response.once('close', close);
  }

  /** The whole answer, streamed if that was asked for; cut where it would pass the request's limit of tokens. */
  async answer(text: string | AsyncIterable<string>, usage: WireUsage | undefined): Promise<void> {
    this.billed = true;
    const limit = (this.#wire.max_tokens ?? this.#wire.max_completion_tokens ?? Number.POSITIVE_INFINITY) * 4;
    let finish = 'stop';
    for await (const whole of piecesOf(text)) {
      const piece = firstBytes(whole, limit - Buffer.byteLength(this.text));
      if (piece !== '') await this.#piece(piece);
      if (piece !== whole) {
        finish = 'length';
        break;
      }
    }
    const completion_tokens = countTokens(this.text);
    const total_tokens = (usage?.prompt_tokens ?? 0) + completion_tokens;
    const full = usage && { ...usage, completion_tokens, total_tokens };
    if (!this.#wire.stream) {
      const message = { role: 'assistant', content: this.text };
      const choices = [{ index: 0, message, finish_reason: finish }];
      this.page(200, { 'content-type': 'application/json' }, { ...this.#head(), choices, usage: full });
      return;
    }
    this.#begin();
    const last = [{ choices: [{ index: 0, delta: {}, finish_reason: finish }] }, { choices: [], usage: full }];
    const told = full !== undefined && this.#wire.stream_options?.include_usage === true;
    const events = last.slice(0, told ? 2 : 1).map((event) => this.#event(event));
    this.#end(`${events.join('')}data: [DONE]\n\n`);
  }

  /** Half an answer, and then what the fault says. */
  async answerInPart(text: string | AsyncIterable<string>, fault: Fault): Promise<void> {
    this.billed = true;
    const pieces: string[] = [];
    for await (const piece of piecesOf(text)) pieces.push(piece);
    for (const piece of pieces.slice(0, Math.ceil(pieces.length / 2))) await this.#piece(piece);
    this.#begin();
    if (fault.kind === 'stall') return await this.hang();
    if (fault.kind === 'cut') {
      // The end of a chunked body never comes: the client sees a connection that broke.
      await this.#write(': cut\n\n');
      this.beforeEnd?.();
      this.#response.destroy();
      return;
    }
    const { error } = errorOf('500');
    if (fault.kind === 'malformed') this.#end('data: {"choices": [{"delta": {"con\n\ndata: [DONE]\n\n');
    else if (fault.kind === 'stream-error') this.#end(this.#event({ error: fault.body ?? error }));
    else this.#end('');
  }

  /** Nothing more is sent; rejects when the client goes. */
  async hang(): Promise<void> {
    this.billed = true;
    await this.#gone();
  }

  reset(): void {
    this.beforeEnd?.();
    this.#response.socket?.resetAndDestroy();
  }

  page(status: number, headers: Readonly<Record<string, string>>, body: unknown): void {
    this.#response.writeHead(status, headers);
    this.#end(typeof body === 'string' ? body : JSON.stringify(body));
  }

  error(status: number, fault: Fault): void {
    const headers = { 'content-type': 'application/json', ...fault.headers };
    this.page(status, headers, fault.body ?? errorOf(fault.kind));
  }

  async #piece(piece: string): Promise<void> {
    this.text += piece;
    if (this.#wire.stream) {
      this.#begin();
      await this.#write(this.#event({ choices: [{ index: 0, delta: { content: piece }, finish_reason: null }] }));
    }
    this.closed.throwIfAborted();
  }

  #begin(): void {
    if (!this.#response.headersSent) this.#response.writeHead(200, { 'content-type': 'text/event-stream' });
  }

  async #write(text: string): Promise<void> {
    // A write that fails is followed by the end of the connection, which says it better; one that waits for a client
    // that is gone is never called back.
    const written = new Promise<void>((resolve) => this.#response.write(text, (error) => error ?? resolve()));
    await Promise.race([written, this.#gone()]);
  }

  /** Rejects when the client goes. */
  #gone(): Promise<never> {
    this.#left ??= new Promise<never>((_, reject) => {
      const leave = () => reject(new Error('The client went away'));
      if (this.closed.aborted) leave();
      else this.closed.addEventListener('abort', leave, { once: true });
    });
    return this.#left;
  }

  #end(text: string): void {
    this.beforeEnd?.();
    this.#response.end(text);
  }

  #event(event: object): string {
    return `data: ${JSON.stringify({ ...this.#head(), object: 'chat.completion.chunk', ...event })}\n\n`;
  }

  #head(): object {
    return { id: 'scripted', object: 'chat.completion', created: 0, model: this.#model };
  }
}

async function* piecesOf(text: string | AsyncIterable<string>): AsyncIterable<string> {
  if (typeof text !== 'string') yield* text;
  else for (const [piece] of text.matchAll(new RegExp(`.{1,${PIECE}}`, 'gsu'))) yield piece;
}

/** Returns as many whole characters as fit into so many bytes. */
function firstBytes(text: string, bytes: number): string {
  if (Buffer.byteLength(text) <= bytes) return text;
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(Math.max(0, Math.floor(bytes))));
  return text.slice(0, read);
}

/** Text that no reader of documents, lists or rankings can take for an answer. */
export function garbageFor({ purpose, node, attempt }: ServerCall): string {
  const words = Array.from({ length: 12 }, (_, i) => Math.floor(chance(purpose, node, attempt, i) * 1e9).toString(36));
  return `<output>{"${words.join(' ')}</output>`;
}

/** Returns the body of an HTTP error, as OpenAI writes it. */
export function errorOf(kind: FaultKind): { error: { message: string; type: string; code: string | null } } {
  const [message, type, code] = ERRORS[kind] ?? ['The server had an error', 'server_error', null];
  return { error: { message, type, code } };
}

const ERRORS: Partial<Record<FaultKind, [message: string, type: string, code: string | null]>> = {
  '400': ['This is not a request', 'invalid_request_error', null],
  '401': ['Incorrect API key provided', 'invalid_request_error', 'invalid_api_key'],
  '402': ['Payment required', 'billing_error', null],
  '404': ['The model does not exist', 'invalid_request_error', 'model_not_found'],
  '429': ['Rate limit reached', 'requests', 'rate_limit_exceeded'],
  '503': ['The server is overloaded', 'server_error', null],
  insufficient_quota: ['You exceeded your current quota', 'insufficient_quota', 'insufficient_quota'],
};
