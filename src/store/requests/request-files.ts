import { createHmac, timingSafeEqual } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat, mkdir, open, readdir, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ActionRequest } from '../../core/actions/action-call.ts';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import { inOneOrder, isTooDeep } from '../../core/text/loose-json.ts';
import { type Files, toFileError } from '../files/files.ts';
import { notAFolder } from '../messages.ts';

/** The longest request or answer that is read, in bytes: what an answer to an offer may have takes up to three each. */
const LONGEST_REQUEST = 4 * 1024 * 1024;
/** Nobody waits any more for anything left behind longer than this, in milliseconds. */
export const TOO_OLD_MS = 60_000;

/** Below the search's folder. */
const REQUESTS = '.search/requests';
const REQUEST = /^([\w-]{1,100})\.json$/;
const LEFTOVER = /^[\w-]{1,100}(\.done\.json|\.taken|\.json\.tmp|\.done\.json\.tmp)$/;

export function requestPath(folder: string, id: string): string {
  return join(folder, `${id}.json`);
}

export function takenPath(folder: string, id: string): string {
  return join(folder, `${id}.taken`);
}

export function replyPath(folder: string, id: string): string {
  return join(folder, `${id}.done.json`);
}

/**
 * The folder of a search's requests, created if it is missing.
 * @throws ThoughtTreeError `outside` if a link leads out of the search; `not-writable`, `disk-full`
 */
export async function requestsFolder(search: string): Promise<string> {
  try {
    const own = join(await realpath(search), '.search');
    const folder = join(own, 'requests');
    for (const each of [own, folder]) {
      await mkdir(each).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error;
      });
      if (!(await lstat(each)).isDirectory())
        throw new ThoughtTreeError('outside', notAFolder({ file: each }), {
          file: each,
        });
    }
    return folder;
  } catch (error) {
    throw toFileError(error, join('.search', 'requests'), 'write');
  }
}

/** Returns the ids of the waiting requests, in the order of their names; anything but plain files is ignored. */
export async function waitingRequests(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries.flatMap((entry) => (entry.isFile() ? (REQUEST.exec(entry.name)?.[1] ?? []) : [])).sort();
}

/** Removes unfetched answers and requests taken by a process that died; keeps what may still be read. */
export async function removeLeftovers(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch((): string[] => [])) {
    if (!LEFTOVER.test(name)) continue;
    const file = join(folder, name);
    const about = await lstat(file).catch(() => undefined);
    if (!about || about.isDirectory() || Date.now() - about.mtimeMs < TOO_OLD_MS) continue;
    await rm(file, { force: true }).catch(() => undefined);
  }
}

/** Lists every request and answer that is there; some may have come with the folder. */
export async function requestsThere(files: Pick<Files, 'list'>): Promise<string[]> {
  const entries = await files.list(REQUESTS).catch(() => []); // a link, which is not followed
  return entries.flatMap(({ name, kind }) => (kind === 'file' ? [`${REQUESTS}/${name}`] : []));
}

/**
 * Returns the text of a plain file of bounded size; undefined if it does not exist or is something else. Follows no
 * links.
 */
export async function readSmallFile(file: string): Promise<string | undefined> {
  const about = await lstat(file).catch(() => undefined);
  if (!about?.isFile() || about.size > LONGEST_REQUEST) return undefined;
  // Windows has no such flag; whoever could replace the file by a link since the check could write here anyway.
  const handle = await open(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0)).catch(() => undefined);
  if (!handle) return undefined;
  try {
    // One that grew since is none of ours: they appear whole.
    const buffer = Buffer.alloc(about.size + 1);
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, 0);
    return bytesRead > about.size ? undefined : buffer.toString('utf8', 0, bytesRead);
  } catch {
    return undefined;
  } finally {
    await handle.close();
  }
}

/**
 * Writes a small file that nobody sees before it is complete; never through a link planted there.
 * @throws ThoughtTreeError `not-writable`, `disk-full`; `not-found` if it, or its folder, was removed meanwhile
 */
export async function writeWhole(file: string, value: unknown): Promise<void> {
  const text = `${JSON.stringify(value, null, 2)}\n`;
  try {
    await rm(`${file}.tmp`, { force: true });
    await writeFile(`${file}.tmp`, text, { flag: 'wx' });
    await rename(`${file}.tmp`, file);
  } catch (error) {
    throw toFileError(error, file, 'write');
  }
}

/** Parses a text as JSON; undefined if it is not, or is nested too deeply. */
export function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return isTooDeep(value) ? undefined : value;
  } catch {
    return undefined;
  }
}

/**
 * Shows that a request was made by somebody who knows a user's key: over everything in it, so that it fits no other request
 * and no other lease.
 */
export function proofOf(request: ActionRequest, key: string): string {
  const { id, by, time, lease, action } = request;
  return createHmac('sha256', key)
    .update(JSON.stringify([id, by, time, lease, inOneOrder(action)]))
    .digest('hex');
}

export function isProven(request: ActionRequest, key: string): boolean {
  const wanted = Buffer.from(proofOf(request, key));
  const given = Buffer.from(request.proof ?? '');
  return wanted.length === given.length && timingSafeEqual(wanted, given);
}
