import type { Problem } from '../../core/ports/store.ts';
import { oneLine } from '../../core/text/text.ts';

/** What could not be read as it should be, as one line; the message names the file. */
export function problemText({ message }: Problem): string {
  return oneLine(message, 1000);
}
