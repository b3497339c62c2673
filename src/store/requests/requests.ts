import { lstat, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type ActionCall, ActionReply, type ActionRequest } from '../../core/actions/action-call.ts';
import { kept } from '../../core/messages/message.ts';
import type { Random } from '../../core/ports/ports.ts';
import { isThoughtTreeError } from '../../core/search/errors.ts';
import { FolderChanges } from '../files/folders.ts';
import { answerUnreadable, takerEnded } from '../messages.ts';
import {
  parseJson,
  readSmallFile,
  replyPath,
  requestPath,
  requestsFolder,
  takenPath,
  writeWhole,
} from './request-files.ts';

/** The time for which a request waits to be taken, in milliseconds. */
const PATIENCE_MS = 3000;
/** The longest time that an accepted request may take, in milliseconds: a report waits for a model. */
const CARRYING_OUT_MS = 600_000;
/** The interval between checks whether anybody is there to take it, in milliseconds. */
const LOOK_MS = 300;
/** The interval between checks whether whoever took the request is still alive, in milliseconds. */
const SIGN_OF_LIFE_MS = 2000;

export interface Sending {
  /** Who asks, in a word or two. */
  readonly by: string;
  readonly random: Random;
  /** The token of the lease that the request is for. */
  readonly lease: string;
  /** Shows to its holder that this is the same user. */
  readonly prove?: ((request: ActionRequest) => string | undefined) | undefined;
  /** Tells whether somebody holds the search: if not, there is nobody to wait for. */
  readonly isHeld: () => Promise<boolean>;
  /** The time for which it waits to be taken, in milliseconds. */
  readonly patienceMs?: number;
}

/**
 * Sends a request to the process that holds a search. A request is taken by renaming it, so that it is either carried
 * out once or withdrawn.
 * @param search the search's folder
 * @returns the holder's answer; undefined if nobody took the request, which is then withdrawn, or if it was for a holder
 *   that is gone
 * @throws ThoughtTreeError `outside` if the search's own folder leads elsewhere
 */
export async function sendRequest(
  search: string,
  action: ActionCall,
  sending: Sending,
): Promise<ActionReply | undefined> {
  const folder = await requestsFolder(search);
  const { by, random, lease, prove } = sending;
  const asked: ActionRequest = { id: random.id(), by, time: new Date().toISOString(), lease, action };
  const proof = prove?.(asked);
  const request = { ...asked, ...(proof === undefined ? {} : { proof }) };
  const file = requestPath(folder, request.id);
  const changes = new FolderChanges(folder, true);
  try {
    if (!(await isWritten(file, request))) return undefined;
    const until = performance.now() + (sending.patienceMs ?? PATIENCE_MS);
    do {
      const reply = await nextReply(folder, request.id, changes, Math.min(LOOK_MS, until - performance.now()));
      if (reply) return reply;
    } while (performance.now() < until && (await sending.isHeld()));
    if (await isWithdrawn(file)) return undefined;
    return await waitForTaker(folder, request.id, changes, sending.isHeld);
  } finally {
    changes.close();
    await unlink(replyPath(folder, request.id)).catch(() => undefined);
  }
}

/** Writes a request; tells whether it is there: whoever takes the search removes what was for its holder before. */
async function isWritten(file: string, request: ActionRequest): Promise<boolean> {
  try {
    await writeWhole(file, request);
    return true;
  } catch (error) {
    if (isThoughtTreeError(error, 'not-found') && (await lstat(dirname(file)).catch(() => undefined))) return false;
    throw error;
  }
}

/** Waits for the answer to an accepted request, as long as whoever may give it is alive. */
async function waitForTaker(
  folder: string,
  id: string,
  changes: FolderChanges,
  isHeld: () => Promise<boolean>,
): Promise<ActionReply | undefined> {
  const until = performance.now() + CARRYING_OUT_MS;
  for (let held = true; held && performance.now() < until; ) {
    if (!(await isAnywhere(folder, id))) return await readReply(replyPath(folder, id)); // or a later holder removed it
    held = await isHeld();
    const reply = await nextReply(folder, id, changes, held ? SIGN_OF_LIFE_MS : 0);
    if (reply) return reply;
  }
  // A holder that lost the search puts back what it took and did not begin.
  if (await isWithdrawn(requestPath(folder, id))) return undefined;
  return { ok: false, reason: 'timed-out', ...kept(takerEnded()) };
}

async function nextReply(
  folder: string,
  id: string,
  changes: FolderChanges,
  ms: number,
): Promise<ActionReply | undefined> {
  const until = performance.now() + ms;
  for (;;) {
    const reply = await readReply(replyPath(folder, id));
    const left = until - performance.now();
    if (reply || left <= 0) return reply;
    await changes.next(left);
  }
}

async function readReply(file: string): Promise<ActionReply | undefined> {
  const text = await readSmallFile(file);
  if (text === undefined) return undefined;
  const parsed = ActionReply.safeParse(parseJson(text));
  return parsed.success ? parsed.data : { ok: false, ...kept(answerUnreadable()) };
}

/** Tells whether a request waits, or is being carried out: it may be taken or put back between two looks. */
async function isAnywhere(folder: string, id: string): Promise<boolean> {
  for (const path of [requestPath(folder, id), takenPath(folder, id), requestPath(folder, id)])
    if (await lstat(path).catch(() => undefined)) return true;
  return false;
}

async function isWithdrawn(file: string): Promise<boolean> {
  return unlink(file).then(
    () => true,
    () => false,
  );
}
