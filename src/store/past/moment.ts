import { existsSync } from 'node:fs';
import * as z from 'zod';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import type { JournalEvent } from '../../core/search/events.ts';
import { oneLine } from '../../core/text/text.ts';
import type { ReadFiles } from '../files/files.ts';
import * as say from '../messages.ts';

/** The names that people gave to moments: the number of an event each. */
export const MOMENTS = '.search/moments.json';
export const MOST_NAMES = 1000;

/** A name of a moment: a word that is neither a number nor an age. */
export const MomentName = z
  .string()
  .regex(/^[\p{L}_][\p{L}\p{N}_.-]{0,59}$/u)
  .refine((name) => !AGE.test(name));
const Names = z.record(MomentName, z.number().int().positive());

const AGE = /^(\d{1,6})([smhdw])$/;
const MS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

/** The folder of a search, and the moment of it that is meant. */
export interface At {
  readonly folder: string;
  /** The number of an event, an age such as `2h`, or a name. */
  readonly moment: string;
}

/**
 * Takes a path such as `DIR@42` apart, at the last `@` after the last `/`; undefined if it has none, or if there is a folder of
 * that whole name.
 */
export function momentIn(path: string): At | undefined {
  const at = path.lastIndexOf('@');
  const name = Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1;
  if (at <= name - 1 || at < 1 || at === path.length - 1 || existsSync(path)) return undefined;
  return { folder: at === name ? path.slice(0, at) || '.' : path.slice(0, at), moment: path.slice(at + 1) };
}

/** Returns the names of moments that are remembered in a search; none where that is unreadable. */
export async function momentNames(files: ReadFiles): Promise<ReadonlyMap<string, number>> {
  try {
    return new Map(Object.entries(Names.parse(JSON.parse((await files.read(MOMENTS)) ?? '{}'))));
  } catch {
    return new Map();
  }
}

/** An event, as far as it says when something was. */
export interface Instant extends Pick<JournalEvent, 'seq' | 'time'> {
  /** Somebody adopted the search after it. */
  readonly isAdoptedLater?: boolean;
}

/**
 * Finds the last event of a moment.
 * @param instants all events, in order
 * @param now in milliseconds since 1970
 * @throws ThoughtTreeError `not-found`, `bad-input`
 */
export async function resolveMoment(
  files: ReadFiles,
  instants: readonly Instant[],
  moment: string,
  now: number,
): Promise<Instant> {
  const [, amount, unit] = AGE.exec(moment) ?? [];
  if (amount !== undefined) {
    const until = now - Number(amount) * MS[unit as keyof typeof MS];
    const found = instants.findLast(({ time }) => Date.parse(time) <= until);
    if (!found) throw new ThoughtTreeError('not-found', say.notBegunThen({ moment }));
    return found;
  }
  const seq = /^\d{1,15}$/.test(moment) ? Number(moment) : (await momentNames(files)).get(moment);
  if (seq === undefined) throw new ThoughtTreeError('not-found', say.noSuchMoment({ moment: oneLine(moment, 100) }));
  const last = instants.at(-1)?.seq ?? 0;
  const found = seq < 1 || seq > last ? undefined : instants.findLast((each) => each.seq <= seq);
  if (!found) throw new ThoughtTreeError('not-found', say.noSuchEvent({ event: seq, last }));
  return found;
}
