import type { ActionReply, ActionRequest } from '../core/actions/action-request.ts';
import { actionsOf } from '../core/actions/actions.ts';
import { kept } from '../core/messages/kept.ts';
import type { Message } from '../core/messages/message.ts';
import type { Store } from '../core/ports/store.ts';
import { toThoughtTreeError } from '../core/search/errors.ts';
import { oneLine } from '../core/text/text.ts';
import type { Search } from '../engine/search.ts';
import { RequestInbox } from '../store/requests/request-inbox.ts';
import { cannotSteer, notYourSearch } from './messages.ts';
import { isOfThisUser } from './trust/own-requests.ts';

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
  const face = actionsOf(search.kind.face)[action.action];
  // Money is spent in the name of whoever runs the search: only they may let it spend more.
  if (face?.raisesLimits && !isOfThisUser(request)) return { ok: false, reason: 'bad-input', ...kept(notYourSearch()) };
  try {
    const { value, say } = await search.act(action, oneLine(by, 100) || 'somebody');
    return { ok: true, ...kept(say), value };
  } catch (error) {
    const { reason, say, details } = toThoughtTreeError(error);
    const problems = details.problems?.map(({ say: why, ...problem }) => ({ ...problem, ...kept(why) }));
    return { ok: false, reason, ...kept(say), ...(problems && { problems }) };
  }
}
