import type { Message } from '../../../core/messages/message.ts';
import * as say from './messages.ts';

// The hook of the original system approves every edit and every command as long as it does not read `stopped` or `completed`.
// It knows no YAML: between two lines of hyphens it takes the first line that begins with two blanks and `status:`, to its end.

const STATUS = /^ {2}status:(.*)$/;
const HARMLESS: ReadonlySet<string> = new Set(['stopped', 'completed']);

/** The status that the hook reads, and its line. */
export interface HookReads {
  readonly status: string | undefined;
  /** From 1. */
  readonly line: number | undefined;
}

/** Reads a file as the hook does. */
export function hookReads(text: string): HookReads {
  const all = text.split('\n');
  // The last part has no line feed.
  const end = all[0] === '---' ? all.indexOf('---', 1) : -1;
  if (end < 0 || end === all.length - 1) return { status: undefined, line: undefined };
  const at = all.findIndex((line, i) => i > 0 && i < end && STATUS.test(line));
  if (at < 0) return { status: undefined, line: undefined };
  return { status: STATUS.exec(all[at] ?? '')?.[1]?.replace(/^ +/, ''), line: at + 1 };
}

/** Tells a person of a file that was written that the hook is armed all the same, where it is. */
export function hookNotes(text: string): Message[] {
  const { status, line } = hookReads(text);
  if (status !== undefined && HARMLESS.has(status)) return [];
  const why = line === undefined ? say.hookReadsNothing() : say.hookReadsOther({ line: String(line) });
  return [say.hookArmed({ why })];
}
