import { ReadableStream as Streams } from 'node:stream/web';
import { setTimeout as sleep } from 'node:timers/promises';
import { isRecord, isTooDeep, jsonOrNothing } from '../../core/text/loose-json.ts';

/**
 * Milliseconds for what may follow an answer that has ended, as its usage does, or where the server said that nothing does:
 * some never close the connection.
 */
const REST_MS = { ended: 5000, done: 100 };

/** An event as a server sent it. */
export type Fields = Readonly<Record<string, unknown>>;

/** Reads the events of one answer, and gives them to the library in the form that it knows. */
export interface EventReader {
  /** Returns undefined for an event that says nothing known. */
  read(event: Fields): object | undefined;
  /**
   * Returns what is missing at the end of all events.
   * @param isDone whether the server said that they are over
   */
  end?(isDone: boolean): object | undefined;
  /** Tells whether the answer has ended, so that nothing of it can be missing. */
  isOver?(): boolean;
}

/**
 * The events of a stream as a reader gives them. What is no event is passed over, as are events that say nothing known;
 * errors that a server names in another way are errors. JSON that is broken stays until the end, since a piece of text may be
 * missing.
 * @param unknown makes the error for a stream that says nothing known, from an event of it
 */
export function lenientEvents(
  body: ReadableStream<Uint8Array> | null,
  reader: EventReader,
  unknown: (event: unknown) => Error,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const lines = (async function* () {
    for await (const data of eventsOf(body, reader, unknown)) yield encoder.encode(`data: ${data}\n\n`);
  })();
  // Browsers' types do not know it yet, and programs of the panel are checked with those.
  return Streams.from(lines) as ReadableStream<Uint8Array>;
}

async function* eventsOf(
  body: ReadableStream<Uint8Array> | null,
  reader: EventReader,
  unknown: (event: unknown) => Error,
): AsyncIterable<string> {
  let isDone = false;
  let isKnown = false;
  let odd: unknown;
  const restMs = (): number | undefined => {
    if (isDone) return REST_MS.done;
    return reader.isOver?.() ? REST_MS.ended : undefined;
  };
  for await (const { name, data } of untilOver(framesOf(body), restMs)) {
    if (data.trim() === '[DONE]') isDone = true;
    if (!/^\s*[[{]/.test(data) || isDone) continue;
    const event = jsonOrNothing(data);
    if (isTooDeep(event, data.length)) {
      odd ??= event; // it could not be written for the library
      continue;
    }
    const read = isRecord(event) ? reader.read(withError(event, name)) : undefined;
    isKnown ||= event === undefined || read !== undefined;
    if (event === undefined && reader.isOver?.()) continue;
    if (event === undefined) yield data.replaceAll('\n', ' ');
    else if (read) yield JSON.stringify(read);
    else odd ??= event;
  }
  if (!isKnown && odd !== undefined) throw unknown(odd);
  const last = reader.end?.(isDone);
  if (last) yield JSON.stringify(last);
}

/**
 * Yields the frames of an answer. Once it is over, others are not waited for without end, and cannot fail.
 * @param restMs how long they are waited for; undefined if it is not over
 */
async function* untilOver(frames: AsyncIterable<Frame>, restMs: () => number | undefined): AsyncIterable<Frame> {
  const iterator = frames[Symbol.asyncIterator]();
  for (;;) {
    const rest = restMs();
    const next = iterator.next().catch((error: unknown) => {
      if (restMs() === undefined) throw error;
    });
    const read = await (rest === undefined ? next : Promise.race([next, sleep(rest, undefined, { ref: false })]));
    if (!read || read.done) return;
    yield read.value;
  }
}

interface Frame {
  readonly name: string;
  readonly data: string;
}

/** The events of a stream; the last one needs no empty line behind it. */
async function* framesOf(body: ReadableStream<Uint8Array> | null): AsyncIterable<Frame> {
  let name = '';
  let data: string[] = [];
  for await (const line of linesOf(body)) {
    const [, field = '', value = ''] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
    if (field === 'data') data.push(value);
    if (field === 'event') name = value;
    if (line !== '') continue;
    if (data.length > 0) yield { name, data: data.join('\n') };
    name = '';
    data = [];
  }
  if (data.length > 0) yield { name, data: data.join('\n') };
}

/** Returns an event whose error is where the libraries look for it. */
function withError(event: Fields, name: string): Fields {
  if ((name !== 'error' && event['object'] !== 'error') || event['type'] === 'error') return event;
  return event['error'] == null ? { type: 'error', error: event } : event;
}

/** Reads events as they are, with numbers for those of their usage, which is in this place. */
export function countingEvents(...place: readonly string[]): EventReader {
  const counted = (fields: Fields, [name = '', ...rest]: readonly string[]): Fields => {
    const inner = fields[name];
    if (!isRecord(inner)) return fields;
    return { ...fields, [name]: rest.length > 0 ? counted(inner, rest) : withNumbers(inner) };
  };
  return { read: (event) => counted(event, place) };
}

/** Returns data in which numbers that were written as texts are numbers. */
export function withNumbers(data: unknown, depth = 0): unknown {
  if (typeof data === 'string' && /^\s*\d{1,15}(?:\.\d{1,15})?\s*$/.test(data)) return Number(data);
  if (typeof data !== 'object' || data === null || depth > 4) return data;
  if (Array.isArray(data)) return data;
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, withNumbers(value, depth + 1)]));
}

/** Yields the lines of a body as they come, without their ends; the last one needs none. */
export async function* linesOf(body: AsyncIterable<Uint8Array> | null): AsyncIterable<string> {
  const decoder = new TextDecoder();
  // Only new text is searched, or an endless line would be searched again with each chunk.
  let rest: string[] = [];
  let endedWithReturn = false;
  for await (const chunk of body ?? []) {
    let text = decoder.decode(chunk, { stream: true });
    if (endedWithReturn && text.startsWith('\n')) text = text.slice(1);
    if (text === '') continue;
    endedWithReturn = text.endsWith('\r');
    const [first = '', ...others] = text.split(/\r\n|\n|\r/);
    rest.push(first);
    if (others.length === 0) continue;
    yield rest.join('');
    rest = [others.pop() ?? ''];
    yield* others;
  }
  const last = rest.join('');
  if (last !== '') yield last;
}

/** Returns at most `limit` bytes of a body as text; does not wait for the rest. */
export async function textOf(response: Response, limit: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    text += decoder.decode(chunk, { stream: true });
    if (size > limit) break;
  }
  return text;
}
