import type { ActionRequest } from '../../core/actions/action-request.ts';
import { isProven, proofOf } from '../../store/requests/request-proof.ts';
import { ownKey } from './own-key.ts';

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
