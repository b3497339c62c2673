import * as z from 'zod';
import { type Arg, foreign, type Message, type Said as SaidType } from './message.ts';

const MOST_ARGS = 20;
const LONGEST_ARG = 4000;
/** How deep messages may lie in each other. */
const DEEPEST = 4;

/**
 * A message as it is kept next to its English text. What cannot be read is as if it were missing: the English text is
 * shown then.
 */
export const Said = z
  .custom<SaidType>((value) => isSaid(value, DEEPEST))
  .optional()
  .catch(undefined);

function isSaid(value: unknown, depth: number): value is SaidType {
  const { key, args } = (value ?? {}) as Record<string, unknown>;
  if (typeof key !== 'string' || key.length > 100) return false;
  if (typeof args !== 'object' || args === null || Array.isArray(args)) return false;
  const given = Object.values(args);
  return given.length <= MOST_ARGS && given.every((arg) => isArg(arg, depth));
}

function isArg(value: unknown, depth: number): value is Arg {
  if (typeof value === 'string') return value.length <= LONGEST_ARG;
  if (typeof value === 'number') return true;
  return depth > 0 && isSaid(value, depth - 1) && isText((value as { text?: unknown }).text);
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value.length <= LONGEST_ARG * 4;
}

/** A message in the two fields that events and failures keep it in. */
export function kept({ key, args, text: english }: Message): { message: string; say: SaidType } {
  return { message: english, say: { key, args } };
}

/** The same where the English text is called `text`, as in a `progress` event. */
export function noted({ key, args, text: english }: Message): { text: string; say: SaidType } {
  return { text: english, say: { key, args } };
}

/** A message that was kept, also by a version that kept its English text alone. */
export function messageOf(english: string, say?: unknown): Message {
  const said = Said.parse(say);
  return said ? { ...said, text: english } : foreign({ text: english });
}
