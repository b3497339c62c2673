import * as z from 'zod';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import { isRecord, isTooDeep, jsonOrNothing } from '../../core/text/loose-json.ts';
import { foreignText } from '../keys.ts';
import * as say from '../messages.ts';
import { notReached, serverFailure, tooLong, unknownEvent, withAdvice } from './failures.ts';
import { type EventReader, lenientEvents, textOf } from './lenient-events.ts';
import { send } from './send.ts';
import { nameOf, type Server } from './server.ts';

/** Bytes of one answer on the wire: events wrap every token in a few hundred bytes. */
const MAX_ANSWER_BYTES = 32 * 1024 * 1024;
const MAX_ERROR_BYTES = 64 * 1024;

/** The media type of server-sent events. */
export const EVENTS = 'text/event-stream';

/** The form in which a protocol sends an answer. */
export interface AnswerForm {
  /** The media type of a stream. */
  readonly type: string;
  /** The stream that a server should have sent instead of this body; undefined if the body is not an answer. */
  readonly asStream: (body: unknown) => string | undefined;
  /** Makes the reader of one answer's events; by default they are read as they are. */
  readonly reader?: () => EventReader;
}

/**
 * A `fetch` that returns nothing but a bounded stream of events, and throws a ThoughtTreeError for everything else.
 * Redirects are not followed: the key must not be sent anywhere else.
 */
export function guardedFetch(server: Server, form: AnswerForm): typeof fetch {
  return async (input, init) => {
    let response: Response;
    try {
      const headers = headersFor(server, init?.headers);
      response = await send(withQuery(input, server.query), { ...init, headers });
    } catch (error) {
      // A request that we ended ourselves is for the caller to explain.
      if (init?.signal?.aborted) throw error;
      throw notReached(server, error);
    }
    // Only a proxy says that.
    if (response.status === 407) throw notReached(server, new Error('HTTP 407'));
    if (response.status >= 300 && response.status < 400) throw await redirected(server, response);
    if (!response.ok) {
      const text = await textOf(response, MAX_ERROR_BYTES).catch(() => '');
      const body = jsonOrNothing(text) ?? text;
      throw serverFailure(server, {
        status: response.status,
        body,
        sent: typeof init?.body === 'string' ? init.body : undefined,
        retryAfterMs: retryAfterMs(response.headers, body, Date.now()),
      });
    }
    const type = response.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? '';
    if (type === 'text/html') throw await unexpected(server, response, type);
    if (type !== '' && type !== form.type) return await streamed(server, form, response, type);
    const body = response.body?.pipeThrough(bounded(server, MAX_ANSWER_BYTES)) ?? null;
    return new Response(read(server, form, body), { headers: response.headers });
  };
}

/** Events in the form in which a server sends them. */
export function eventStream(events: readonly object[]): string {
  return events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
}

const KEY_HEADERS = ['authorization', 'x-api-key', 'x-goog-api-key'];

/** The libraries send an empty key if there is none. */
function headersFor({ apiKey }: Server, given: RequestInit['headers']): Headers {
  const headers = new Headers(given);
  if (apiKey === undefined) for (const name of KEY_HEADERS) headers.delete(name);
  return headers;
}

function withQuery(input: string | URL | Request, query: Server['query']): string | URL | Request {
  const entries = Object.entries(query);
  if (entries.length === 0 || input instanceof Request) return input;
  const url = new URL(input);
  for (const [name, value] of entries) url.searchParams.set(name, value);
  return url;
}

/** A response without events, or of unexpected size, would otherwise be mistaken for a very odd answer. */
async function unexpected(server: Server, response: Response, type: string): Promise<ThoughtTreeError> {
  await response.body?.cancel();
  const what = type === 'text/html' ? say.webPage() : foreignText(type, server.apiKey);
  const sent = say.sentElse({ server: nameOf(server), what });
  return new ThoughtTreeError('bad-answer', withAdvice(sent, say.checkBaseUrl()), { charged: true });
}

async function redirected(server: Server, response: Response): Promise<ThoughtTreeError> {
  await response.body?.cancel();
  const url = URL.parse(response.headers.get('location') ?? '', server.url);
  const who = { server: nameOf(server), status: response.status };
  const what = url
    ? say.redirectsTo({ ...who, target: foreignText(`${url.origin}${url.pathname}`, server.apiKey) })
    : say.redirects(who);
  return new ThoughtTreeError('redirected', withAdvice(what, say.trustAddress()), { charged: false });
}

/** Reads a body of another type: a whole answer or an error in JSON, or a stream that has a wrong name. */
async function streamed(server: Server, form: AnswerForm, response: Response, type: string): Promise<Response> {
  const text = await textOf(response, MAX_ANSWER_BYTES);
  const found = jsonOrNothing(text);
  const body = isTooDeep(found, text.length) ? undefined : found;
  const isStream = body === undefined && STREAM.test(text);
  const stream = isStream ? text : form.asStream(body);
  if (stream === undefined && body === undefined && type !== 'application/json')
    throw await unexpected(server, response, type);
  if (stream === undefined)
    throw serverFailure(server, {
      body,
      isWhole: isError(Array.isArray(body) ? body[0] : body),
    });
  return new Response(read(server, form, new Response(stream).body), { headers: { 'content-type': form.type } });
}

/** The beginning of a stream of events. */
const STREAM = /^\s*(?:data|event|id)?:/;

function isError(body: unknown): boolean {
  return isRecord(body) && (body['error'] != null || body['object'] === 'error');
}

function read(
  server: Server,
  { reader }: AnswerForm,
  body: ReadableStream<Uint8Array> | null,
): ReadableStream<Uint8Array> | null {
  return reader ? lenientEvents(body, reader(), (event) => unknownEvent(server, event)) : body;
}

function bounded(server: Server, limit: number): TransformStream<Uint8Array, Uint8Array> {
  let size = 0;
  return new TransformStream({
    transform(chunk, controller) {
      size += chunk.byteLength;
      if (size > limit) controller.error(tooLong(server));
      else controller.enqueue(chunk);
    },
  });
}

const HOUR = 3_600_000;

/**
 * Returns how long a server asks us to wait, in milliseconds from 0 to an hour, by `retry-after-ms` or `retry-after`
 * (seconds or a date), or `retryDelay` in Google's error bodies; undefined if it does not say, or it is unreadable.
 */
function retryAfterMs(headers: Headers, body: unknown, now: number): number | undefined {
  const milliseconds = numberIn(headers.get('retry-after-ms'));
  if (milliseconds !== undefined) return boundedWait(milliseconds);
  const value = headers.get('retry-after');
  const seconds = numberIn(value) ?? delayIn(body);
  if (seconds !== undefined) return boundedWait(seconds * 1000);
  const date = Date.parse(value ?? '');
  return Number.isNaN(date) ? undefined : boundedWait(date - now);
}

const ErrorDetails = z.object({
  error: z.object({ details: z.array(z.object({ retryDelay: z.string().optional() }).catch({})) }),
});

/** Seconds, from `{"error": {"details": [{"@type": "…RetryInfo", "retryDelay": "34s"}]}}`. */
function delayIn(body: unknown): number | undefined {
  const { data } = ErrorDetails.safeParse(Array.isArray(body) ? body[0] : body);
  const delay = data?.error.details.find(({ retryDelay }) => retryDelay !== undefined)?.retryDelay;
  return numberIn(delay?.replace(/s$/, '') ?? null);
}

function numberIn(value: string | null): number | undefined {
  return value !== null && /^\s*\d+(\.\d+)?\s*$/.test(value) ? Number(value) : undefined;
}

function boundedWait(ms: number): number {
  return Math.min(Math.max(Math.round(ms), 0), HOUR);
}
