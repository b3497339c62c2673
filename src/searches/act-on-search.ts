import type { ActionCall, ActionReply, ActionRequest } from '../core/actions/action-call.ts';
import { actionsOf } from '../core/actions/actions.ts';
import { kept, type Message, messageOf, type Translation } from '../core/messages/message.ts';
import type { AnswerProblem } from '../core/offers/verdict.ts';
import type { Model } from '../core/ports/model.ts';
import type { Store } from '../core/ports/store.ts';
import { isThoughtTreeError, ThoughtTreeError, toThoughtTreeError } from '../core/search/errors.ts';
import type { SpendLimits } from '../core/search/limits.ts';
import { SearchRecord } from '../core/search/record/search-record.ts';
import { oneLine } from '../core/text/text.ts';
import { type Kinds, loadKind } from '../engine/kind.ts';
import type { Search } from '../engine/search.ts';
import type { Holder } from '../store/lease/lease-file.ts';
import { findHolder, openPresent } from '../store/open-store.ts';
import { momentIn } from '../store/past/moment.ts';
import { isProven, proofOf } from '../store/requests/request-files.ts';
import { RequestInbox } from '../store/requests/request-inbox.ts';
import { sendRequest } from '../store/requests/requests.ts';
import { systemClock, systemRandom } from '../store/system-ports.ts';
import * as say from './messages.ts';
import { cannotSteer, noModelCalled, notYourSearch } from './messages.ts';
import { chooseModels, isFreeModel } from './models/choose-model.ts';
import { openSearch } from './open-search.ts';
import type { Place } from './place.ts';
import { recallUse } from './trust/search-use.ts';
import { ownKey } from './trust/state-folder.ts';

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
  /** The spend limits of this person's settings for a search with a model; the defaults if missing. */
  readonly limitsFor?: ((model: string) => SpendLimits) | undefined;
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
  if (momentIn(place.folder)) throw new ThoughtTreeError('bad-input', say.pastStays());
  await openPresent(place.folder); // throws a helpful error if there is no search
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
  const { kinds, by, named, openModel, signal, translation, limitsFor, mostUsd } = actor;
  const store = await openPresent(place.folder, ownKey());
  const file = await store.readSearch();
  const { descriptor, extras } = await loadKind(kinds, file);
  const asked = actionsOf(descriptor)[call.action];
  if (asked?.needsRun) return { ok: true, say: say.notRunning(), isResting: true };
  const { record } = await store.readRecord(() => ({ record: new SearchRecord() }));
  const { name, trusted } = chooseModels({ model: named }, await recallUse(place.folder), record, file);
  const isAgreed = asked?.asksModel === true;
  const settings = { guards: limitsFor?.(name) };
  const open = async (): Promise<Model> => (asked?.asksModel ? openModel(name, trusted) : silentModel(name));
  const limits =
    asked?.asksModel && mostUsd !== undefined ? { guards: { usd: record.spend.usd + mostUsd } } : undefined;
  const { search } = await openSearch({
    kinds,
    limits,
    place,
    openModel: open,
    findHooks: extras.hooks?.standIn,
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

/**
 * Lets other processes act on a search for as long as this one runs it, and stops it once another one has taken it over.
 * @param folder the search's folder
 * @param tell called if that is impossible: the search runs all the same
 * @returns a function that ends it, to be called before the search is closed
 */
export async function serveRequests(
  folder: string,
  search: Pick<Search, 'act' | 'kind' | 'lose'>,
  store: Pick<Store, 'checkLease' | 'holder'>,
  tell: (what: Message) => void,
): Promise<() => Promise<void>> {
  try {
    const { token: lease } = store.holder ?? { token: '' };
    const carryOut = (request: ActionRequest): Promise<ActionReply> => answer(search, request);
    const inbox = await RequestInbox.open(folder, {
      ...{ carryOut, lease, checkLease: () => store.checkLease() },
      onLost: (error) => search.lose(error),
    });
    return () => inbox.close();
  } catch (error) {
    tell(cannotSteer({ why: toThoughtTreeError(error).say }));
    return async () => undefined;
  }
}

async function answer(search: Pick<Search, 'act' | 'kind'>, request: ActionRequest): Promise<ActionReply> {
  const { action, by } = request;
  const descriptor = actionsOf(search.kind.descriptor)[action.action];
  // Money is spent in the name of whoever runs the search: only they may let it spend more.
  if (descriptor?.raisesLimits && !isOfThisUser(request))
    return { ok: false, reason: 'bad-input', ...kept(notYourSearch()) };
  try {
    const { value, say } = await search.act(action, oneLine(by, 100) || 'somebody');
    return { ok: true, ...kept(say), value };
  } catch (error) {
    const { reason, say, details } = toThoughtTreeError(error);
    const problems = details.problems?.map(({ say: why, ...problem }) => ({ ...problem, ...kept(why) }));
    return { ok: false, reason, ...kept(say), ...(problems && { problems }) };
  }
}

/** Shows to the process that runs a search that this is the same user; undefined if nothing can be remembered here. */
export function proveUser(request: ActionRequest): string | undefined {
  const key = ownKey();
  return key === undefined ? undefined : proofOf(request, key);
}

/** Tells whether the user of this process made a request. */
export function isOfThisUser(request: ActionRequest): boolean {
  const key = ownKey();
  return key !== undefined && isProven(request, key);
}

/** Returns a model that is never called: changing a search at rest only needs its name. */
export function silentModel(name: string): Model {
  return {
    name,
    label: name,
    free: isFreeModel(name),
    isSilent: true,
    generate: () => Promise.reject(new ThoughtTreeError('internal', noModelCalled(), { charged: false })),
  };
}
