import type { Passage } from '../cut/passage.ts';

/** Where in a passage a word stands: it tells more in some places than in others. */
export const FIELDS = ['body', 'comment', 'signature', 'name', 'owner', 'path'] as const;
export type Field = (typeof FIELDS)[number];

const MAX_SIGNATURE = 8;
const ENDS_SIGNATURE = /(?:[{:;)]|=>)$/;
const DOC_STRING = /^\s*[rRuUbB]{0,2}("""|''')/;

/** The last line of a passage's signature, from its head on. */
export function signatureEnd({ file, head, end, kind }: Passage): number {
  if (kind === 'section' || kind === 'rest' || kind === 'constant') return head;
  const last = Math.min(end, head + MAX_SIGNATURE - 1);
  for (let row = head; row < last; row++) if (ENDS_SIGNATURE.test(withoutComment(file.lines[row] ?? ''))) return row;
  return last;
}

function withoutComment(line: string): string {
  const starts = [line.indexOf('//'), line.indexOf(' #')].filter((at) => at >= 0);
  return line.slice(0, Math.min(line.length, ...starts)).trimEnd();
}

/** The lines of the string that documents a Python function or class: first and last. */
export function docString(passage: Passage, signature: number): readonly [number, number] | undefined {
  const { file, end } = passage;
  if (file.language?.grammar !== 'python') return undefined;
  let row = signature + 1;
  while (row <= end && (file.lines[row] ?? '').trim() === '') row++;
  const line = file.lines[row] ?? '';
  const mark = row <= end ? DOC_STRING.exec(line) : null;
  if (!mark) return undefined;
  const quotes = mark[1] ?? '';
  if (line.indexOf(quotes, mark[0].length) >= 0) return [row, row];
  for (let last = row + 1; last <= end; last++) if ((file.lines[last] ?? '').includes(quotes)) return [row, last];
  return [row, end];
}
