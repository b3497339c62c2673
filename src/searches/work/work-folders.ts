import { lstat, mkdir, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import { removeFolder } from '../../work/remove-folder.ts';
import { StateFolder, statePath } from '../trust/state-folder.ts';
import { noState } from './messages.ts';

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

/** Where the search was whose work is in a folder. */
export async function placeOf(own: string): Promise<string | undefined> {
  try {
    return PlaceFile.parse(JSON.parse(await readFile(join(own, PLACE), 'utf8'))).folder;
  } catch {
    return undefined;
  }
}

async function isThere(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined)) !== undefined;
}
