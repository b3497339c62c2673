import type * as z from 'zod';
import type { Message } from '../../../core/messages/message.ts';
import { wrongField } from '../../../core/messages/wrong-field.ts';
import { ThoughtTreeError } from '../../../core/search/errors.ts';
import * as say from './messages.ts';

/** A checked change: what it concerns, and how it is made. */
export interface Change {
  /** Names of the atoms that it concerns: nobody goes on with these, and what was begun of them is open again. */
  readonly concerns: readonly string[];
  /** Names of atoms that are no more part of the goal. */
  readonly drops?: readonly string[];
  /** True if the base case is looked at again. */
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
