import * as z from 'zod';
import type { Clock } from '../../core/ports/ports.ts';
import type { LastEnd } from '../../core/ports/store.ts';
import type { ReadFiles } from '../files/files.ts';
import { isGone, isKnownToRun, isSameBoot, ProcessIdentity } from './process-identity.ts';

/** Milliseconds without a heartbeat after which anybody may take over the lease. */
const STALE_AFTER_MS = 30_000;

/** lease-<epoch>.json */
export const LeaseFile = z.looseObject({
  epoch: z.number().int().positive(),
  token: z.string().min(1),
  ...ProcessIdentity.shape,
  /** ISO 8601: when it was taken, and the last heartbeat of its holder. */
  since: z.string().optional(),
  heartbeat: z.string(),
  released: z.boolean().optional(),
  /** True if it was released without everything written being on the disk itself. */
  unsettled: z.boolean().optional(),
  /** The state that the holder before this one left, and nobody has recovered. */
  left: z.enum(['killed', 'power-loss']).optional(),
});
export type LeaseFile = z.infer<typeof LeaseFile>;

/** The highest lease of a search. */
export interface Holder {
  readonly epoch: number;
  /** Undefined if the file cannot be read. */
  readonly file: LeaseFile | undefined;
  readonly state: 'alive' | 'released' | 'gone' | 'silent';
  /** Milliseconds since its last heartbeat. */
  readonly silentMs: number;
}

/** Returns the path of an epoch's file. */
export function leasePath(epoch: number): string {
  return `.search/lease-${epoch}.json`;
}

/** Returns the epochs that have files, lowest first. */
export async function listEpochs(files: ReadFiles): Promise<number[]> {
  const epochs: number[] = [];
  for (const { name } of await files.list('.search')) {
    const epoch = /^lease-([1-9]\d{0,14})\.json$/.exec(name)?.[1];
    if (epoch !== undefined) epochs.push(Number(epoch));
  }
  return epochs.sort((a, b) => a - b);
}

/**
 * Who holds a search, or last held it; undefined if nobody ever did.
 * @param me the calling process
 */
export async function readHolder(files: ReadFiles, clock: Clock, me: ProcessIdentity): Promise<Holder | undefined> {
  for (;;) {
    const epoch = (await listEpochs(files)).at(-1);
    if (epoch === undefined) return undefined;
    const [text, stat] = [await files.read(leasePath(epoch)), await files.stat(leasePath(epoch))];
    if (text === undefined || !stat) continue; // a higher one has just replaced it
    const file = parse(text);
    const silentMs = silence(file, stat.modified, clock.now());
    return { epoch, file, state: stateOf(file, silentMs, me), silentMs };
  }
}

/** Tells how a holder ended that is no longer there. */
export function endOf({ file, state }: Holder, me: ProcessIdentity): LastEnd {
  if (!file) return 'power-loss';
  const isSame = isSameBoot(file, me);
  if (state === 'released' && !file.left) return file.unsettled && !isSame ? 'power-loss' : 'closed';
  return isSame && file.left !== 'power-loss' ? 'killed' : 'power-loss';
}

/**
 * Tells whether a holder that is no longer there may have written data that is not on the disk itself: it did not close
 * the search, or could not keep track. Once the computer has restarted, whatever is there is on the disk.
 */
export function leftUnflushed({ file, state }: Holder, me: ProcessIdentity): boolean {
  if (!file) return true;
  return isSameBoot(file, me) && (state !== 'released' || file.unsettled === true);
}

function parse(text: string): LeaseFile | undefined {
  try {
    return LeaseFile.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

// Two clocks may give the time of the last heartbeat: the holder's and the file system's. The later one counts, unless it
// is ahead of ours; if both are, the heartbeat counts as having come now.
function silence(file: LeaseFile | undefined, modified: number, now: number): number {
  const heartbeat = file ? Date.parse(file.heartbeat) : Number.NaN;
  const known = [heartbeat, modified].filter((time) => time <= now);
  return known.length === 0 ? 0 : now - Math.max(...known);
}

function stateOf(file: LeaseFile | undefined, silentMs: number, me: ProcessIdentity): Holder['state'] {
  if (file?.released) return 'released';
  if (file && isGone(file, me)) return 'gone';
  const isSilent = silentMs > STALE_AFTER_MS && !(file && isKnownToRun(file, me));
  return isSilent ? 'silent' : 'alive';
}
