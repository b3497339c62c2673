import { lstat, mkdir, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import type { Message } from '../core/messages/message.ts';
import { ThoughtTreeError } from '../core/search/errors.ts';
import { isGone, ProcessIdentity, thisProcess } from '../store/lease/process-identity.ts';
import { readSearchId } from '../store/open-store.ts';
import { removeFolder } from '../work/folders.ts';
import { acceptInterrupted, noState } from './messages.ts';
import { realPath } from './trust/search-use.ts';
import { StateFolder, statePath } from './trust/state-folder.ts';

const ID = /^[\w-]{1,100}$/;
/** The time for which the rest of a search that is gone is kept, in milliseconds: its disk may only be unplugged. */
const KEPT_MS = 30 * 24 * 60 * 60_000;
/** The most folders of other searches that are looked at. */
const MOST = 200;

const PlaceFile = z.object({ version: z.literal(1), folder: z.string() });

/** Where the work of searches is, in this user's state folder. */
export interface WorkFolders {
  /** The state folder: no command is to see it. */
  readonly state: string;
  /** The folder of this search. */
  readonly own: string;
}

/**
 * The folder for the work of a search, by its id. That of a search that was moved comes along; that of one that is gone is
 * removed after a month.
 * @param former its id before, if it got a new one just now
 * @throws ThoughtTreeError `not-writable` if there is no state folder
 */
export async function workFolders(folder: string, id: string, former: string | undefined): Promise<WorkFolders> {
  const state = statePath();
  if (state === undefined || !StateFolder.open(state) || !ID.test(id))
    throw new ThoughtTreeError('not-writable', noState());
  const all = join(state, 'work');
  const own = join(all, id);
  await mkdir(all, { recursive: true, mode: 0o700 });
  if (former !== undefined && former !== id && ID.test(former)) await takeAlong(join(all, former), own);
  await removeOrphans(all, id);
  await mkdir(own, { recursive: true, mode: 0o700 });
  await writeFile(join(own, PLACE), `${JSON.stringify({ version: 1, folder })}\n`, { mode: 0o600 });
  return { state, own };
}

const PLACE = 'place.json';

/** A copy begins anew: only where nothing is left at the old place was the search moved. */
async function takeAlong(former: string, own: string): Promise<void> {
  const place = await placeOf(former);
  if (place === undefined || (await isThere(place)) || (await isThere(own))) return;
  await rename(former, own).catch(() => undefined);
}

async function removeOrphans(all: string, id: string): Promise<void> {
  for (const name of (await readdir(all)).slice(0, MOST)) {
    const other = join(all, name);
    if (name === id) continue;
    const place = await placeOf(other);
    const used = await stat(join(other, PLACE)).catch(() => stat(other));
    const isOld = Date.now() - used.mtimeMs > KEPT_MS;
    if (isOld && (place === undefined || !(await isThere(place)))) await removeFolder(other);
  }
}

/** Returns where the search was whose work is in a folder. */
async function placeOf(own: string): Promise<string | undefined> {
  try {
    return PlaceFile.parse(JSON.parse(await readFile(join(own, PLACE), 'utf8'))).folder;
  } catch {
    return undefined;
  }
}

async function isThere(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined)) !== undefined;
}

const AcceptedWork = z.object({
  accepted: z.unknown().optional(),
  accepting: z.object({ by: ProcessIdentity.optional() }).optional(),
});

/** As it is of most searches. */
export const NOTHING_ACCEPTED = { isAccepted: false, halfAccepted: undefined };

/** Tells whether any work is in the files, and what to do about it if it is there in part, as accepting it was interrupted. */
export async function acceptedOf(
  folder: string,
): Promise<{ readonly isAccepted: boolean; readonly halfAccepted: Message | undefined }> {
  const [state, id] = [statePath(), await readSearchId(folder)];
  if (state === undefined || id === undefined) return NOTHING_ACCEPTED;
  const own = join(state, 'work', id);
  try {
    const { accepted, accepting } = AcceptedWork.parse(JSON.parse(await readFile(join(own, 'line.json'), 'utf8')));
    if ((await placeOf(own)) !== (await realPath(folder))) return NOTHING_ACCEPTED; // of the search that this is a copy of
    const isHalf = accepting && (!accepting.by || isGone(accepting.by, thisProcess()));
    return {
      isAccepted: accepted !== undefined || accepting !== undefined,
      halfAccepted: isHalf ? acceptInterrupted() : undefined,
    };
  } catch {
    return NOTHING_ACCEPTED; // most searches have no work
  }
}
