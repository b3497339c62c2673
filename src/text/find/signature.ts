import type { Passage } from '../cut/passage.ts';

/** The longest signature, in lines. */
const MOST_LINES = 12;
const HAS_SIGNATURE: ReadonlySet<Passage['kind']> = new Set(['function', 'member', 'class', 'type']);
/** The beginning of a line that goes on with the signature above it: bounds, what it returns, its end. */
const GOES_ON = /^\s*(?:where\b|[)>\]{]|->|extends\b|implements\b)/;

/**
 * The last row of a passage's signature, from its head on: that of its parameters, its type parameters and their bounds,
 * however they are broken into lines. The head itself where all is in one line, or where no end is near.
 */
export function signatureEnd({ kind, file, head, end }: Pick<Passage, 'kind' | 'file' | 'head' | 'end'>): number {
  // Brackets of a constant are around what it is, and not around what it takes.
  if (!HAS_SIGNATURE.has(kind)) return head;
  const last = Math.min(end, head + MOST_LINES - 1);
  let open = 0;
  let isBounds = false;
  for (let row = head; row <= last; row++) {
    const line = file.lines[row] ?? '';
    isBounds ||= /^\s*where\b/.test(line);
    open += opened(line);
    if (/[{;]\s*$/.test(line) && open <= 0) return row;
    const isOpen = open > 0 || isBounds || GOES_ON.test(file.lines[row + 1] ?? '');
    if (!isOpen) return row;
  }
  return head;
}

/** Counts brackets that are opened in a line minus those closed; `<` counts where type parameters begin, at its end. */
function opened(line: string): number {
  let depth = 0;
  for (const character of line) {
    if (character === '(' || character === '[') depth++;
    else if (character === ')' || character === ']') depth--;
  }
  if (/<\s*$/.test(line)) depth++;
  return /^\s*>/.test(line) ? depth - 1 : depth;
}
