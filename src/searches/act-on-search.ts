import type { ActionCall } from '../core/actions/action-call.ts';
import type { ActionReply } from '../core/actions/action-request.ts';
import { actionsOf } from '../core/actions/actions.ts';
import { messageOf } from '../core/messages/kept.ts';
import type { Message, Translation } from '../core/messages/message.ts';
import type { AnswerProblem } from '../core/offers/verdict.ts';
import type { Model } from '../core/ports/model.ts';
import { isThoughtTreeError, ThoughtTreeError, toThoughtTreeError } from '../core/search/errors.ts';
import type { Guards } from '../core/search/limits.ts';
import { SearchRecord } from '../core/search/record/search-record.ts';
import { type Kinds, loadKind } from '../engine/kind/kinds.ts';
import type { Holder } from '../store/lease/lease-file.ts';
import { findHolder, openForReading } from '../store/open-store.ts';
import { sendRequest } from '../store/requests/requests.ts';
import { systemClock, systemRandom } from '../store/system-ports.ts';
import * as say from './messages.ts';
import { chooseModels } from './models/choose-model.ts';
import { silentModel } from './models/silent-model.ts';
import { openSearch } from './open-search.ts';
import type { Place } from './place.ts';
import { ownKey } from './trust/own-key.ts';
import { proveUser } from './trust/own-requests.ts';
import { recallUse } from './trust/search-use.ts';

/** The number of attempts, if the search changes hands meanwhile. */
const ATTEMPTS = 3;

/** Who acts, and which model an action can use. */
export interface Actor {
  /** The kinds that this program knows. */
  readonly kinds: Kinds;
  /** Who asks, as recorded in the journal. */
  readonly by: string;
  /** The model that this person names now, if not the search's own. */
  readonly named?: string | undefined;
  /**
   * Opens the model that writes the report's opening.
   * @param name the named one, else the search's own
   * @param trusted false if it came with the search's folder, and this person has not used it here
   */
  readonly openModel: (name: string, trusted: boolean) => Promise<Model>;
  /** The guards of this person's settings for a search with a model; the defaults if missing. */
  readonly guardsFor?: ((model: string) => Guards) | undefined;
  /** The language of the report's texts; English by default. */
  readonly translation?: Translation | undefined;
  /** The most that an action may spend where nobody runs the search, in US dollars: its own limit can only be lower. */
  readonly mostUsd?: number | undefined;
  /** Ends the wait for a report's call: the report is then written without it. */
  readonly signal?: AbortSignal | undefined;
}

/** The result of an action. */
export interface ActionOutcome {
  readonly ok: boolean;
  readonly say: Message;
  /** As data, in the form that the action defines; undefined if it was not done. */
  readonly value?: unknown;
  /** Why it was not done, as a code. */
  readonly reason?: string | undefined;
  /** The problem of each answer to an offer, if several were refused. */
  readonly problems?: readonly AnswerProblem[] | undefined;
  /** Nobody runs the search, so the action waits for a resume. */
  readonly isResting: boolean;
}

/**
 * Applies an action to a search: through the process that holds it, or directly if nobody does.
 * @throws ThoughtTreeError `held` if its holder does not answer, and the errors of opening a search
 */
export async function actOnSearch(place: Place, call: ActionCall, actor: Actor): Promise<ActionOutcome> {
  await openForReading(place.folder); // throws a helpful error if there is no search
  let unanswered: Holder | undefined;
  for (let attempt = 1; ; attempt++) {
    const holder = await liveHolder(place.folder);
    if (holder && holder.epoch === unanswered?.epoch) throw noAnswer(holder);
    try {
      if (!holder) return await actAtRest(place, call, actor);
      const isHeld = async (): Promise<boolean> => (await liveHolder(place.folder)) !== undefined;
      const lease = holder.file?.token ?? '-';
      const sending = { by: actor.by, random: systemRandom, lease, prove: proveUser, isHeld };
      const reply = await sendRequest(place.folder, call, sending);
      if (reply) return outcomeOf(reply);
      unanswered = holder;
    } catch (error) {
      // Somebody took the search between the check and the attempt.
      if (!isThoughtTreeError(error, 'held') || attempt >= ATTEMPTS) throw error;
    }
  }
}

function outcomeOf(reply: ActionReply): ActionOutcome {
  const { ok, reason, value } = reply;
  const problems = reply.problems?.map(({ message, say: why, ...problem }) => ({
    ...problem,
    say: messageOf(message, why),
  }));
  return { ok, reason, say: messageOf(reply.message, reply.say), value, problems, isResting: false };
}

async function liveHolder(folder: string): Promise<Holder | undefined> {
  const holder = await findHolder(folder, systemClock);
  return holder?.state === 'alive' ? holder : undefined;
}

function noAnswer({ file, silentMs }: Holder): ThoughtTreeError {
  const who = file ? say.holderProcess({ pid: file.pid, host: file.host }) : say.holderUnknown();
  return new ThoughtTreeError('held', say.noReply({ who, seconds: Math.round(silentMs / 1000) }));
}

async function actAtRest(place: Place, call: ActionCall, actor: Actor): Promise<ActionOutcome> {
  const { kinds, by, named, openModel, signal, translation, guardsFor, mostUsd } = actor;
  const store = await openForReading(place.folder, ownKey());
  const file = await store.readSearch();
  const { face, hooks } = await loadKind(kinds, file);
  const asked = actionsOf(face)[call.action];
  if (asked?.needsRun) return { ok: true, say: say.notRunning(), isResting: true };
  const { record } = await store.readRecord(() => ({ record: new SearchRecord() }));
  const { name, trusted } = chooseModels({ model: named }, await recallUse(place.folder), record, file);
  const isAgreed = asked?.asksModel === true;
  const settings = { guards: guardsFor?.(name) };
  const open = async (): Promise<Model> => (asked?.asksModel ? openModel(name, trusted) : silentModel(name));
  const limits =
    asked?.asksModel && mostUsd !== undefined ? { guards: { usd: record.spend.usd + mostUsd } } : undefined;
  const { search } = await openSearch({
    kinds,
    limits,
    place,
    openModel: open,
    findHooks: hooks?.standIn,
    translation,
    isAgreed,
    settings,
    // Accepted work can be brought into the files; no command runs that was not agreed to before.
    work: { consent: async () => false },
  });
  const stop = (): void => search.pause(true);
  signal?.addEventListener('abort', stop, { once: true });
  if (signal?.aborted) stop(); // while it was opened
  try {
    return { ok: true, ...(await search.act(call, by)), isResting: true };
  } catch (error) {
    const { reason, say: why, details } = toThoughtTreeError(error);
    if (reason === 'internal') throw error;
    return { ok: false, reason, say: why, problems: details.problems, isResting: true };
  } finally {
    signal?.removeEventListener('abort', stop);
    await search.close();
  }
}
