import type { Message, Said } from '../../core/messages/message.ts';
import { changes } from '../messages.ts';

/** What a look at the disk found changed, as `reconciled` events hold it. */
export function whatChanged(list: readonly Message[]): { what: string; say: Said } {
  const { key, args, text } = changes({ changes: list });
  return { what: text, say: { key, args } };
}
