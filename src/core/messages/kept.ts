import { type Arg, foreign, type Message, mapTexts, type Said } from './message.ts';

/** Arguments of one message, and messages in one list. */
const MOST = 100;
const LONGEST = 4000;
/** The maximum nesting of messages. */
const DEEPEST = 4;

/**
 * A message in the two fields in which events and failures keep it.
 * @param longest the maximum length of each of its texts, in characters
 */
export function kept(said: Message, longest = LONGEST): { message: string; say: Said } {
  const { key, args, text } = mapTexts(said, (each) => each.slice(0, longest).toWellFormed());
  return { message: text, say: { key, args } };
}

/** Keeps a message whose English text is called `text`, as in a `progress` event. */
export function noted(said: Message, longest?: number): { text: string; say: Said } {
  const { message, say } = kept(said, longest);
  return { text: message, say };
}

/** Keeps a message as the reason why a node was cut off. */
export function because(said: Message): { why: string; whySay: Said } {
  const { message, say } = kept(said, 1000);
  return { why: message, whySay: say };
}

/** A message that was kept, also by a version that kept its English text alone. */
export function messageOf(english: string, say?: unknown): Message {
  return isSaid(say) ? { key: say.key, args: say.args, text: english } : foreign({ text: english });
}

/** Tells whether a value from a file, which anybody may have written, is a message within bounds. */
export function isSaid(value: unknown, depth = DEEPEST): value is Said {
  const { key, args } = (value ?? {}) as Record<string, unknown>;
  if (typeof key !== 'string' || key.length > 100) return false;
  if (typeof args !== 'object' || args === null || Array.isArray(args)) return false;
  const given = Object.values(args);
  return given.length <= MOST && given.every((arg) => isArg(arg, depth));
}

function isArg(value: unknown, depth: number): value is Arg {
  if (typeof value === 'string') return value.length <= LONGEST;
  if (typeof value === 'number') return true;
  if (Array.isArray(value)) return value.length <= MOST && value.every((each) => isMessage(each, depth));
  return isMessage(value, depth);
}

function isMessage(value: unknown, depth: number): value is Message {
  if (depth === 0 || !isSaid(value, depth - 1)) return false;
  const { text } = value as { text?: unknown };
  return typeof text === 'string' && text.length <= LONGEST;
}
