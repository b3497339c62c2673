import { messageOf } from '../core/messages/kept.ts';
import type { Message } from '../core/messages/message.ts';
import type { Model } from '../core/ports/model.ts';
import { isThoughtTreeError, ThoughtTreeError, toThoughtTreeError } from '../core/search/errors.ts';
import { SearchRecord } from '../core/search/record/search-record.ts';
import type { SteerAction } from '../core/search/steer.ts';
import { type Kinds, loadKind } from '../engine/kinds.ts';
import type { Holder } from '../store/lease/lease-file.ts';
import { findHolder, openForReading } from '../store/open-store.ts';
import { sendRequest } from '../store/requests/requests.ts';
import { systemClock, systemRandom } from '../store/system-ports.ts';
import * as say from './messages.ts';
import { chooseModel } from './models/choose-model.ts';
import { silentModel } from './models/silent-model.ts';
import { openSearch } from './open-search.ts';
import type { Place } from './place.ts';

/** How often an attempt is repeated because the search changed hands meanwhile. */
const ATTEMPTS = 3;

/** Who steers, and what model writes where an action needs one. */
export interface Steersman {
  /** The kinds that this program knows. */
  readonly kinds: Kinds;
  /** Who asks, in the journal. */
  readonly by: string;
  /** The model that this person names now, where the search's own is not meant. */
  readonly named?: string | undefined;
  /**
   * Opens the model that a report's opening is asked of.
   * @param name the one that is named, else the search's own
   * @param trusted false where a clone brought it along and nobody used it here
   */
  readonly openModel: (name: string, trusted: boolean) => Promise<Model>;
  /** Ends the wait for a report's call: it is written without it. */
  readonly signal?: AbortSignal | undefined;
}

/** What came of an action. */
export interface Steered {
  readonly ok: boolean;
  /** What to tell the person. */
  readonly say: Message;
  /** Why it was not done, as a word. */
  readonly reason?: string | undefined;
  /** Whether nobody runs the search, so that the action waits for a resume. */
  readonly isResting: boolean;
}

/**
 * Steers a search: through the process that holds it, or directly where nobody does.
 * @throws ThoughtTreeError `held` where its holder does not answer, or what opening a search throws
 */
export async function steerSearch(place: Place, action: SteerAction, steersman: Steersman): Promise<Steered> {
  await openForReading(place.folder); // says what is wrong where no search lies there
  let unanswered: Holder | undefined;
  for (let attempt = 1; ; attempt++) {
    const holder = await liveHolder(place.folder);
    if (holder && holder.epoch === unanswered?.epoch) throw noAnswer(holder);
    try {
      if (!holder) return await steerResting(place, action, steersman);
      const isHeld = async (): Promise<boolean> => (await liveHolder(place.folder)) !== undefined;
      const reply = await sendRequest(place.folder, action, { by: steersman.by, random: systemRandom, isHeld });
      if (reply)
        return { ok: reply.ok, reason: reply.reason, say: messageOf(reply.message, reply.say), isResting: false };
      unanswered = holder;
    } catch (error) {
      // Somebody took the search between the look and the attempt.
      if (!isThoughtTreeError(error, 'held') || attempt >= ATTEMPTS) throw error;
    }
  }
}

async function liveHolder(folder: string): Promise<Holder | undefined> {
  const holder = await findHolder(folder, systemClock);
  return holder?.state === 'alive' ? holder : undefined;
}

function noAnswer({ file, silentMs }: Holder): ThoughtTreeError {
  const who = file ? say.holderProcess({ pid: file.pid, host: file.host }) : say.holderUnknown();
  return new ThoughtTreeError('held', say.noReply({ who, seconds: Math.round(silentMs / 1000) }));
}

async function steerResting(place: Place, action: SteerAction, steersman: Steersman): Promise<Steered> {
  const { kinds, by, named, openModel, signal } = steersman;
  if (action.action === 'pause') return { ok: true, say: say.notRunning(), isResting: true };
  const store = await openForReading(place.folder);
  const file = await store.readSearch();
  const { name, trusted } = chooseModel(named, SearchRecord.of(await store.readJournal()), file);
  const needsModel = action.action === 'finish' || action.action === 'report';
  const open = async (): Promise<Model> => (needsModel ? openModel(name, trusted) : silentModel(name));
  const { hooks } = await loadKind(kinds, file);
  const { search } = await openSearch({ kinds, place, openModel: open, findTask: hooks?.standIn });
  const stop = (): void => search.pause(true);
  signal?.addEventListener('abort', stop, { once: true });
  if (signal?.aborted) stop(); // while it was opened
  try {
    return { ok: true, say: await search.steer(action, by), isResting: true };
  } catch (error) {
    const { reason, say: why } = toThoughtTreeError(error);
    if (reason === 'internal') throw error;
    return { ok: false, reason, say: why, isResting: true };
  } finally {
    signal?.removeEventListener('abort', stop);
    await search.close();
  }
}
