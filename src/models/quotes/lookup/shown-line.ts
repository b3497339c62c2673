import { oneLine } from '../../../text/cut/markdown.ts';
import { isQuotable } from '../../../text/files/read-source.ts';
import type { DecisiveLine } from '../../../text/find/decisive-line.ts';

/** The longest signature, in lines. */
const MOST_LINES = 12;

/** A line as it is shown by itself: of one that begins a signature, all of that, as `f(a, b)` however it is written. */
export function shownLine({ quote: { file, passage }, row }: DecisiveLine): string {
  const line = oneLine(file.lines[row] ?? '');
  if (row !== passage.head || passage.file !== file || passage.kind === 'section' || passage.kind === 'rest')
    return line;
  let text = line;
  const last = Math.min(passage.end, row + MOST_LINES - 1);
  for (let next = row + 1; isOpen(text); next++) {
    const more = file.lines[next] ?? '';
    if (next > last || !isQuotable(more)) return line;
    text = `${text} ${oneLine(more)}`;
  }
  return text.replace(/([([]) /g, '$1').replace(/,? ([)\]])/g, '$1');
}

/** Whether more parentheses are opened than closed. */
function isOpen(text: string): boolean {
  let depth = 0;
  for (const character of text) {
    if (character === '(' || character === '[') depth++;
    else if (character === ')' || character === ']') depth--;
  }
  return depth > 0;
}
