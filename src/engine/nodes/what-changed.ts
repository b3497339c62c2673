import type { Message, Said } from '../../core/messages/message.ts';
import { changes } from '../messages.ts';

/** The changes that a read of the disk found, as in `reconciled` events. */
export function whatChanged(list: readonly Message[]): { what: string; say: Said } {
  const { key, args, text } = changes({ changes: list });
  return { what: text, say: { key, args } };
}
