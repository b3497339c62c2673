import type { Store } from '../core/ports/store.ts';
import { toThoughtTreeError } from '../core/search/errors.ts';
import type { SteerReply, SteerRequest } from '../core/search/steer.ts';
import { oneLine } from '../core/text/text.ts';
import type { Search } from '../engine/search.ts';
import { RequestInbox } from '../store/requests/request-inbox.ts';

/**
 * Lets other processes steer a search for as long as this one runs it.
 * @param folder the search's folder
 * @param say told where that cannot be: the search runs all the same
 * @returns what ends it, to be called before the search is closed
 */
export async function serveRequests(
  folder: string,
  search: Pick<Search, 'steer'>,
  store: Pick<Store, 'checkLease'>,
  say: (text: string) => void,
): Promise<() => Promise<void>> {
  try {
    const carryOut = (request: SteerRequest): Promise<SteerReply> => answer(search, request);
    const inbox = await RequestInbox.open(folder, { carryOut, checkLease: () => store.checkLease() });
    return () => inbox.close();
  } catch (error) {
    say(`Other processes cannot steer this search: ${toThoughtTreeError(error).message}`);
    return async () => undefined;
  }
}

async function answer(search: Pick<Search, 'steer'>, { action, by }: SteerRequest): Promise<SteerReply> {
  try {
    return { ok: true, message: shortened(await search.steer(action, oneLine(by, 100) || 'somebody')) };
  } catch (error) {
    const { reason, message } = toThoughtTreeError(error);
    return { ok: false, reason, message: shortened(message) };
  }
}

// The longest message that an answer may hold.
function shortened(message: string): string {
  return message.slice(0, 4000);
}
