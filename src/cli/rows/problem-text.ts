import type { Problem } from '../../core/ports/store.ts';
import { oneLine } from '../../core/text/text.ts';
import { keptInWords } from '../terminal/translation.ts';

/** Something unreadable, as one line; the message names the file. */
export function problemText({ message, say }: Problem): string {
  return oneLine(keptInWords(message, say), 1000);
}
