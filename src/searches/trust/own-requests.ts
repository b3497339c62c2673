import { randomBytes } from 'node:crypto';
import type { ActionRequest } from '../../core/actions/action-request.ts';
import { isProven, proofOf } from '../../store/requests/request-proof.ts';
import { StateFolder } from './state-folder.ts';

const KEY = 'request-key';

/** Shows to the process that runs a search that this is the same user; undefined if nothing can be remembered here. */
export function proveUser(request: ActionRequest): string | undefined {
  const key = ownKey();
  return key === undefined ? undefined : proofOf(request, key);
}

/** Whether a request was made by the user of this process. */
export function isOfThisUser(request: ActionRequest): boolean {
  const key = ownKey();
  return key !== undefined && isProven(request, key);
}

/** A secret in this user's state folder, made when it is first needed. */
function ownKey(): string | undefined {
  const state = StateFolder.open();
  const known = state?.read(KEY)?.trim();
  if (!state || (known !== undefined && known !== '')) return known;
  // Whoever makes it at the same time wins: what is there afterwards counts. An empty one was left by a full disk.
  const fresh = `${randomBytes(32).toString('hex')}\n`;
  if (known === undefined) state.create(KEY, fresh);
  else state.write(KEY, fresh);
  return state.read(KEY)?.trim() || undefined;
}
