import { oneLine, shorten } from '../../text/cut/markdown.ts';
import type { Passage } from '../../text/cut/passage.ts';
import { isQuotable } from '../../text/files/read-source.ts';
import type { WorkspaceIndex } from '../../text/index/workspace-index.ts';

const MAX_LENGTH = 160;

/**
 * What the author says about a passage: the first sentence of the comment on a symbol, or of a section. May be empty;
 * without backticks, so that it can appear next to code.
 */
export function firstSentence(passage: Passage, index: WorkspaceIndex): string {
  const { file, start, head, end, kind } = passage;
  const text: string[] = [];
  const [from, to] = kind === 'section' ? [start + 1, end + 1] : [start, head];
  for (let row = from; row < Math.min(to, from + 40); row++) {
    if (kind !== 'section' && !index.isComment(file, row)) continue;
    if (!isQuotable(file.lines[row] ?? '')) break;
    const line = wordsOf(file.lines[row] ?? '');
    // An empty line, or a tag such as @param, ends the general description.
    if (line === '' || line.startsWith('@')) {
      if (text.length > 0) break;
    } else text.push(line);
  }
  if (text.length === 0 && kind !== 'section') text.push(...docstring(passage));
  const [sentence = ''] = oneLine(text.join(' ').replace(/\bhttps?:\S+/g, '')).split(
    /(?<=[.!?。])\s+(?=[\p{Lu}\p{Lo}`])/u,
  );
  return /\p{L}{2}/u.test(sentence) ? shorten(sentence.replaceAll('`', '').replace(/[.:]$/, ''), MAX_LENGTH) : '';
}

/** A comment's line without comment marks. */
function wordsOf(line: string): string {
  return line
    .trim()
    .replace(/^(\/\*+!?|\/\/[/!]?|\*+\/|\*+|#+!?|--+|<!--|;+|<#|"""|''')\s*/, '')
    .replace(/(?:(?<!\*)\*+\/|-->|#>)\s*$/, '')
    .replace(/^@(summary|description|brief)\s*/, '')
    .replace(/<[^>]{1,40}>/g, '')
    .replace(/\{@link\s{1,9}([^}\s]{1,200})(?:\s[^{}]{0,200})?\}/g, '$1')
    .trim();
}

/** Python puts the description of a function inside it. */
function docstring({ file, head, end }: Passage): string[] {
  for (let row = head + 1; row <= Math.min(head + 6, end); row++) {
    const found = /^\s*[rbu]?("""|''')(.+)$/i.exec(file.lines[row] ?? '');
    if (found) return [(found[2] ?? '').replace(/("""|''')\s*$/, '')];
  }
  return [];
}
