import type { JournalEvent } from '../../core/search/events.ts';
import type { ReadFiles } from '../files/files.ts';
import { JOURNAL, readEvent } from './journal-reader.ts';

const CHUNK = 16 * 1024;
const LONGEST_LINE = 16 * 1024 * 1024;
const NEWLINE = 0x0a;

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
    for (let wanted = CHUNK; end < 0 && wanted <= LONGEST_LINE; wanted *= 4) {
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
