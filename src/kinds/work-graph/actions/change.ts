import type * as z from 'zod';
import type { Message } from '../../../core/messages/message.ts';
import { wrongField } from '../../../core/messages/wrong-field.ts';
import { ThoughtTreeError } from '../../../core/search/errors.ts';
import * as say from './messages.ts';

/** A checked change: what it reopens, and how it is made. */
export interface Change {
  /** Names of atoms that are open again. */
  readonly reopened: readonly string[];
  /** Whether the base case is looked at again. */
  readonly checksGoal: boolean;
  readonly make: () => Promise<void>;
}

/** @throws ThoughtTreeError `bad-input` saying what is wrong */
export function checkedChange<T>(schema: z.ZodType<T>, given: unknown): T {
  const checked = schema.safeParse(given);
  if (!checked.success) throw refused(wrongField(checked.error));
  return checked.data;
}

export function refused(why: Message | string): ThoughtTreeError {
  return new ThoughtTreeError('bad-input', say.wrongChange({ why }));
}
