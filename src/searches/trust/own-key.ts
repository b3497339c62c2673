import { randomBytes } from 'node:crypto';
import { StateFolder } from './state-folder.ts';

const KEY = 'request-key';

/**
 * A secret in this user's state folder, made when it is first needed: what is proved or sealed with it was written by a
 * program of this user. Undefined if nothing can be remembered here.
 */
export function ownKey(): string | undefined {
  const state = StateFolder.open();
  const known = state?.read(KEY)?.trim();
  if (!state || (known !== undefined && known !== '')) return known;
  // Whoever makes it at the same time wins: what is there afterwards counts. An empty one was left by a full disk.
  const fresh = `${randomBytes(32).toString('hex')}\n`;
  if (known === undefined) state.create(KEY, fresh);
  else state.write(KEY, fresh);
  return state.read(KEY)?.trim() || undefined;
}
