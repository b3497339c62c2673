import { isQuotable } from '../files/read-source.ts';
import type { SourceFile } from '../files/source-file.ts';
import type { Lines } from '../find/quoted-lines.ts';

const MOST_LINES = 8;
const MOST_COLUMNS = 1000;
const LOOKED_AT = 200;
/** Headings, badges, pictures, HTML, tables, rules and front matter. */
const NOT_PROSE =
  /^\s*(?:#|=|<(?!p\b[^<>]{0,100}>[^<]{20})|[-*+]\s|\d{1,3}[.)]\s|\||!?\[!\[|!\[|---|\*\*\*|===|~~~|```|\.\. |:\w+:|\[[^\]]*\]:)|^\s*$/;

const FENCE = /^\s*(?:```|~~~)/;
/** Words that say of something what it is. */
export const IS_A = /\b(?:is|are|ist|sind|est)\s+(?:an?|the|eine?|der|die|das|une?|le|la|les)\b|是/iu;

/** Tells whether a file introduces the whole workspace. */
export function isReadme(path: string): boolean {
  return /^readme(?:\.[a-z]+)?$/i.test(path);
}

/** The first paragraph of prose in a document. */
export function firstParagraph(file: SourceFile): (Lines & { readonly text: string }) | undefined {
  const { lines } = file;
  let start = frontMatterEnd(lines);
  let [isInTag, isInFence, isInField] = [false, false, false];
  for (; start < Math.min(lines.length, LOOKED_AT); start++) {
    const line = lines[start] ?? '';
    // A tag, or the badge of a link, may go on for lines.
    const wasInTag = isInTag;
    isInTag = isOpen(line.slice(0, MOST_COLUMNS), wasInTag);
    if (FENCE.test(line)) isInFence = !isInFence;
    // A field of reStructuredText goes on where it is indented.
    isInField = /^:[\w -]{1,40}:/.test(line) || (isInField && /^\s+\S/.test(line));
    if (wasInTag || isInFence || isInField) continue;
    const under = lines[start + 1] ?? '';
    // A line above a rule is a heading, and one of links only is a menu.
    if (NOT_PROSE.test(line) || /^(?:={3,}|-{3,})\s*$/.test(under) || !isQuotable(line)) continue;
    if (/\p{L}{2}|\p{Lo}/u.test(line.replace(/\[[^\]]{0,200}\](?:\([^)]{0,500}\)|\[[^\]]{0,200}\])?/g, ''))) break;
  }
  let end = start;
  while (end + 1 < lines.length && end - start + 1 < MOST_LINES && !NOT_PROSE.test(lines[end + 1] ?? '')) {
    if (!isQuotable(lines[end + 1] ?? '')) break;
    end++;
  }
  if (start >= Math.min(lines.length, LOOKED_AT)) return undefined;
  return { file, start, end, text: plain(lines.slice(start, end + 1).join(' ')) };
}

/** Tells whether a tag or a badge that began in a line, or before it, goes on after it. */
function isOpen(line: string, wasOpen: boolean): boolean {
  return (
    /^\s{0,20}(?:<[^<>]{1,300}>\s{0,20}){0,9}<[a-z][^<>]{0,300}$|\[!\[[^\]]{0,200}$/i.test(line) ||
    (wasOpen && !/>|\]\(/.test(line))
  );
}

function frontMatterEnd(lines: readonly string[]): number {
  if (lines[0]?.trim() !== '---') return 0;
  const end = lines.findIndex((line, row) => row > 0 && row < LOOKED_AT && line.trim() === '---');
  return end < 0 ? 0 : end + 1;
}

/** Without emphasis and the addresses of links. */
function plain(text: string): string {
  return text
    .replace(/!?\[([^\]]{0,300})\](?:\([^)]{0,500}\)|\[[^\]]{0,100}\])?/g, '$1')
    .replace(/^\s*>\s?|\*{1,3}|(?<!\w)_{1,2}|_{1,2}(?!\w)/g, '')
    .replace(/<[^>]{1,200}>/g, '');
}
