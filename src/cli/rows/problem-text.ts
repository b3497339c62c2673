import type { Problem } from '../../core/ports/store.ts';
import { oneLine } from '../../core/text/text.ts';

/** What could not be read as it should be, as one line that begins with its place. */
export function problemText({ file, line, message }: Problem): string {
  const place = line === undefined ? file : `${file}:${line}`;
  return oneLine(`${place}: ${message}`, 1000);
}
