import { oneLine } from './markdown.ts';
import type { Piece } from './passage.ts';

const MAX_HEADING = 100;
/** The number of characters of one that are read with their markup. */
const LONGEST_MARKED = 1000;

/** Cuts prose by heading: Markdown's `#` and both kinds of underline, and AsciiDoc's `=`. Fenced code holds none. */
export function cutProse(lines: readonly string[]): Piece[] {
  const pieces: Piece[] = [];
  let open: { name: string; head: number } | undefined;
  const close = (end: number): void => {
    if (open && end > open.head)
      pieces.push({ kind: 'section', name: open.name, start: open.head, head: open.head, end });
  };
  let fence = '';
  lines.forEach((line, row) => {
    const mark = /^\s{0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark && (fence === '' || line.trim().startsWith(fence))) fence = fence === '' ? mark : '';
    if (fence !== '' || mark) return;
    const heading = headingAt(lines, row);
    if (heading === undefined) return;
    close(row - 1);
    open = { name: heading, head: row };
  });
  close(lines.length - 1);
  return pieces;
}

/** The heading that starts at a line, as plain text. */
function headingAt(lines: readonly string[], row: number): string | undefined {
  const line = lines[row] ?? '';
  const marked = /^(?:#{1,6}|={1,6})\s+(\S.*)$/.exec(line)?.[1];
  if (marked !== undefined) return plain(marked.replace(/(?<!#)#+$/, '').trimEnd());
  const under = lines[row + 1] ?? '';
  if (!/^(={3,}|-{3,}|~{3,})\s*$/.test(under) || !/^\p{L}/u.test(line) || line.length > MAX_HEADING) return undefined;
  const above = row === 0 ? '' : (lines[row - 1] ?? '');
  return above.trim() === '' ? plain(line) : undefined;
}

/** A heading without link addresses, markup and quotation marks, so that a title made of it can be read back. */
function plain(heading: string): string | undefined {
  const text = oneLine(
    heading
      .slice(0, LONGEST_MARKED)
      .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
      .replace(/<[^>]*>|[`*“”]|\{#[^}]*\}/g, ''),
  );
  if (text === '') return undefined;
  return text.length > MAX_HEADING ? text.slice(0, MAX_HEADING).toWellFormed() : text;
}
