import * as z from 'zod';
import { Breather } from '../../core/concurrency.ts';
import { type Arg, kept, type Message } from '../../core/messages/message.ts';
import { wrongField } from '../../core/messages/wrong-field.ts';
import type { Problem } from '../../core/ports/store.ts';
import { isThoughtTreeError, ThoughtTreeError } from '../../core/search/errors.ts';
import { JournalEvent } from '../../core/search/events.ts';
import { oneLine } from '../../core/text/text.ts';
import type { ReadFiles } from '../files/files.ts';
import * as say from '../messages.ts';
import { DEEPEST } from '../store-paths.ts';

export const JOURNAL = '.search/journal.jsonl';

const CHUNK = 256 * 1024;
const LONGEST_LINE = 64 * CHUNK;
const NEWLINE = 0x0a;

/** A place between two lines of the journal. */
export interface JournalPosition {
  /** In bytes from the beginning. */
  readonly offset: number;
  /** Lines before it. */
  readonly lines: number;
}

export interface JournalPart {
  readonly events: JournalEvent[];
  /** Where the line of each event begins, in bytes from the beginning. */
  readonly offsets: number[];
  readonly problems: Problem[];
  /** After the last whole line: where to continue. */
  readonly position: JournalPosition;
  /** True if the journal is shorter than the position, so that it was read from the beginning. */
  readonly restarted: boolean;
}

export const JOURNAL_START: JournalPosition = { offset: 0, lines: 0 };

/**
 * Reads the journal from a position on, up to its last whole line; a torn line is left for later. Damaged lines are
 * skipped and reported; events of unknown types, from a later version, are skipped silently.
 */
export async function readJournal(files: ReadFiles, from: JournalPosition = JOURNAL_START): Promise<JournalPart> {
  const events: JournalEvent[] = [];
  const offsets: number[] = [];
  const walked = await walkJournal(files, from, (event, offset) => {
    events.push(event);
    offsets.push(offset);
  });
  return { events, offsets, ...walked };
}

/** Reads the journal without keeping the events: each is passed on, in order, with where its line begins. */
export async function walkJournal(
  files: ReadFiles,
  from: JournalPosition,
  take: (event: JournalEvent, offset: number) => void,
): Promise<Omit<JournalPart, 'events' | 'offsets'>> {
  const size = (await files.stat(JOURNAL))?.size ?? 0;
  const restarted = size < from.offset;
  const part: Walk = { take, problems: [], lines: restarted ? 0 : from.lines };
  let offset = restarted ? 0 : from.offset;
  let wanted = CHUNK;
  const breather = new Breather();
  while (offset < size) {
    await breather.breathe();
    const bytes = await files.readBytes(JOURNAL, offset, wanted);
    const end = bytes.lastIndexOf(NEWLINE) + 1;
    if (end > 0) {
      collect(Buffer.from(bytes.buffer, bytes.byteOffset, end), offset, part);
      offset += end;
      wanted = CHUNK;
    } else if (bytes.length < wanted) {
      break; // the beginning of a line that is still being written
    } else if (wanted < LONGEST_LINE) {
      wanted *= 2;
    } else {
      const next = await endOfLine(files, offset + bytes.length, size);
      if (next === undefined) break;
      skip(part, say.lineTooLong({ file: JOURNAL, line: ++part.lines, bytes: LONGEST_LINE }));
      offset = next;
      wanted = CHUNK;
    }
  }
  return { problems: part.problems, position: { offset, lines: part.lines }, restarted };
}

/** Returns where the next line begins; undefined if there is none. */
async function endOfLine(files: ReadFiles, from: number, size: number): Promise<number | undefined> {
  for (let at = from; at < size; at += CHUNK) {
    const newline = (await files.readBytes(JOURNAL, at, CHUNK)).indexOf(NEWLINE);
    if (newline >= 0) return at + newline + 1;
  }
  return undefined;
}

function skip({ problems, lines: line }: Walk, why: Message): void {
  problems.push({ file: JOURNAL, line, ...kept(why) });
}

interface Walk {
  readonly take: (event: JournalEvent, offset: number) => void;
  readonly problems: Problem[];
  lines: number;
}

/** @param from where the bytes begin in the journal */
function collect(bytes: Buffer, from: number, into: Walk): void {
  const text = bytes.toString('utf8');
  let next = 0;
  for (let begin = 0; begin < text.length; ) {
    const end = text.indexOf('\n', begin);
    into.lines++;
    const line = text.slice(begin, end);
    begin = end + 1;
    const at = next; // not the text's length: damaged bytes are longer as text
    next = bytes.indexOf(NEWLINE, at) + 1;
    let event: JournalEvent | undefined;
    try {
      event = readEvent(JSON.parse(line));
    } catch (error) {
      skip(into, say.eventSkipped({ file: JOURNAL, line: into.lines, why: why(error) }));
    }
    if (event) into.take(event, from + at);
  }
}

// Checking the intersection costs eight times as much as its parts: half a second more in a million lines.
const Place = JournalEvent.def.left;
const Happening = JournalEvent.def.right;
const TYPES = new Set(Happening.options.map((option) => option.shape.type.value as string));

/** @returns undefined for an event of unknown type */
function readEvent(value: unknown): JournalEvent | undefined {
  Place.parse(value);
  const type = (value as { type?: unknown }).type;
  if (typeof type === 'string' && !TYPES.has(type)) return undefined;
  Happening.parse(value);
  const event = value as JournalEvent;
  if ('node' in event && event.node !== undefined && isTooDeep(event.node))
    throw new ThoughtTreeError('damaged', say.pathTooDeep({ most: DEEPEST }));
  return event;
}

function isTooDeep(path: string): boolean {
  return path.length > 2 * DEEPEST && path.split('/').length > DEEPEST;
}

/** @throws ThoughtTreeError `damaged` if an event has a lower number than the one before it, so that no moment has one */
export function checkOrder(before: number, { seq }: Pick<JournalEvent, 'seq'>): void {
  if (seq >= before) return;
  throw new ThoughtTreeError('damaged', say.numbersGoDown({ file: JOURNAL, after: seq, before }), { file: JOURNAL });
}

function why(error: unknown): Arg {
  if (isThoughtTreeError(error)) return error.say;
  if (error instanceof z.ZodError) return wrongField(error);
  return oneLine(error instanceof Error ? error.message : String(error), 200);
}

const FIRST_CHUNK = 16 * 1024;
const LONGEST_EVENT = 16 * 1024 * 1024;

/**
 * Reads single events of the journal, whose lines begin at the given offsets (bytes, ascending); the cost depends on
 * their number, not on the journal's size. Damaged or missing ones are left out.
 */
export async function readJournalAt(files: ReadFiles, offsets: readonly number[]): Promise<JournalEvent[]> {
  const events: JournalEvent[] = [];
  let chunk: Uint8Array = new Uint8Array();
  let from = 0;
  for (const offset of offsets) {
    let end = offset < from ? -1 : chunk.indexOf(NEWLINE, offset - from);
    for (let wanted = FIRST_CHUNK; end < 0 && wanted <= LONGEST_EVENT; wanted *= 4) {
      [chunk, from] = [await files.readBytes(JOURNAL, offset, wanted), offset];
      end = chunk.indexOf(NEWLINE);
      if (chunk.length < wanted) break; // the end of the journal
    }
    const event = end < 0 ? undefined : eventIn(chunk.subarray(offset - from, end));
    if (event) events.push(event);
  }
  return events;
}

function eventIn(line: Uint8Array): JournalEvent | undefined {
  try {
    return readEvent(JSON.parse(Buffer.from(line).toString('utf8')));
  } catch {
    return undefined;
  }
}
