import { posix } from 'node:path';
import type { Passage } from '../chunk/chunk-file.ts';
import type { CodePart } from '../files/code-layout.ts';
import { isQuotable } from '../files/read-source.ts';
import type { SourceFile } from '../files/source-file.ts';
import type { Lines } from '../find/choose-lines.ts';
import { firstSentence, sentenceIn } from '../find/first-sentence.ts';
import type { WorkspaceIndex } from '../index/workspace-index.ts';

/** Returns what a part's own introduction says. */
export function introducing(file: SourceFile, index: WorkspaceIndex): string {
  if (file.role === 'docs') return sentenceIn(firstParagraph(file)?.text ?? '');
  const opening = file.lines.slice(0, MOST_OPENING).join('\n');
  const [, mark, docstring = ''] = /^\s*(?:#[^\n]*\n\s*)*[rbu]{0,2}("""|''')([\s\S]{1,600})/i.exec(opening) ?? [];
  if (mark !== undefined) return sentenceIn((docstring.split(mark)[0] ?? '').split(/\n\s*\n/)[0] ?? '');
  const [first] = index.passages.filter((passage) => passage.file === file);
  const end = first?.kind === 'rest' ? endOfIntroduction(file, index) : 0;
  return first && end > 0 ? firstSentence({ ...first, start: 0, end: end - 1, head: end }, index) : '';
}

/** Counts rows at a file's top that say something of it: comments, but not the one right above some code. */
function endOfIntroduction(file: SourceFile, index: WorkspaceIndex): number {
  let gap = 0;
  for (const [row, line] of file.lines.entries()) {
    if (line.trim() === '') gap = row;
    else if (!index.isComment(file, row) && !/^(?:#!|["']use )/.test(line))
      return OF_FILE.test(line) || /^\s*\/\/!/.test(file.lines[row - 1] ?? '') ? row : gap;
  }
  return file.lines.length;
}

/** Code that stands below the comment on a file. */
const OF_FILE = /^(?:package|module|library)\b/;

const MOST_README_LINES = 8;
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

/** Returns the first paragraph of prose in a document. */
export function firstParagraph(file: SourceFile): (Lines & { readonly text: string }) | undefined {
  const { lines } = file;
  let start = frontMatterEnd(lines);
  let [isInTag, isInFence, isInField] = [false, false, false];
  for (; start < Math.min(lines.length, LOOKED_AT); start++) {
    const line = lines[start] ?? '';
    // A tag, or the badge of a link, may go on for lines.
    const wasInTag = isInTag;
    isInTag = isTagOpen(line.slice(0, MOST_COLUMNS), wasInTag);
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
  while (end + 1 < lines.length && end - start + 1 < MOST_README_LINES && !NOT_PROSE.test(lines[end + 1] ?? '')) {
    if (!isQuotable(lines[end + 1] ?? '')) break;
    end++;
  }
  if (start >= Math.min(lines.length, LOOKED_AT)) return undefined;
  return { file, start, end, text: plainText(lines.slice(start, end + 1).join(' ')) };
}

/** Tells whether a tag or a badge that began in a line, or before it, goes on after it. */
function isTagOpen(line: string, wasOpen: boolean): boolean {
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
function plainText(text: string): string {
  return text
    .replace(/!?\[([^\]]{0,300})\](?:\([^)]{0,500}\)|\[[^\]]{0,100}\])?/g, '$1')
    .replace(/^\s*>\s?|\*{1,3}|(?<!\w)_{1,2}|_{1,2}(?!\w)/g, '')
    .replace(/<[^>]{1,200}>/g, '');
}

/** A part of a workspace's code, and what is known of it from a closer look. */
export interface Part extends CodePart {
  /** Undefined where not all of its files were read. */
  readonly lines: number | undefined;
  /** Those of its files that were read, by path. */
  readonly read: readonly SourceFile[];
  /** The symbols that other parts name most, else the longest: the most important first. */
  readonly symbols: readonly Passage[];
}

const MOST_SYMBOLS = 12;
/** Methods that many types have, so that a use of their name tells of no one in particular. */
const COMMON_METHODS =
  /^(?:Len|Less|Swap|Error|String|GoString|Read|Write|Close|Lock|Unlock|Unwrap|Is|As|Format|Marshal\w*|Unmarshal\w*|toString|toJSON|valueOf|to_s|fmt|equals|hashCode|__\w+__|get|set|has|is_empty|isEmpty)$/;
/** Some languages keep tests next to the code. */
const TEST_NAME = /^(?:test_|tests?$|assert_|Test\p{Lu}|Benchmark)/u;
/** Lines of a file that may say what it is. */
const MOST_OPENING = 40;
/** Symbols whose uses are looked up; a larger workspace is judged by some. */
const MOST_LOOKED_UP = 3000;

/** Returns the parts of a workspace's code, by size and use, the most important first. */
export function partsOf(index: WorkspaceIndex): Part[] {
  const layout = index.layout();
  const source = index.files.filter(({ role }) => role === 'source');
  const groups = Map.groupBy(source, ({ path }) => layout.partOf(path));
  const uses = usesIn(index, (file) => layout.partOf(file.path));
  const parts = layout.parts.map((part) => partOf(part, groups.get(part.path) ?? [], index, uses));
  // The use that the rest makes of a part is known where all was read; else the largest comes first.
  if (parts.some(({ lines }) => lines === undefined)) return parts;
  const lines = Math.max(1, ...parts.map((part) => part.lines ?? 0));
  const used = new Map(parts.map((part) => [part, part.symbols.reduce((sum, one) => sum + (uses.get(one) ?? 0), 0)]));
  const most = Math.max(1, ...used.values());
  const worth = (part: Part): number => (part.lines ?? 0) / lines + (used.get(part) ?? 0) / most;
  return parts.sort((a, b) => worth(b) - worth(a) || (a.path < b.path ? -1 : 1));
}

function usesIn(index: WorkspaceIndex, part: (file: SourceFile) => string): ReadonlyMap<Passage, number> {
  const named = index.passages.filter(
    ({ kind, owner, file }) => owner === undefined && kind !== 'rest' && kind !== 'section' && file.role === 'source',
  );
  return new Map(
    named.slice(0, MOST_LOOKED_UP).map((passage) => {
      const outside = index.names.usesOf(passage).filter((use) => use.passage.file.role === 'source');
      const apart = outside.filter((use) => part(use.passage.file) !== part(passage.file)).length;
      return [passage, apart + outside.length / 4];
    }),
  );
}

function partOf(
  part: CodePart,
  read: readonly SourceFile[],
  index: WorkspaceIndex,
  uses: ReadonlyMap<Passage, number>,
): Part {
  const own = new Set(read);
  const known = index.passages.filter(
    ({ file, owner, kind, identifier }) =>
      own.has(file) &&
      owner === undefined &&
      !/rest|section|block/.test(kind) &&
      !TEST_NAME.test(identifier ?? '') &&
      !(kind === 'member' && COMMON_METHODS.test(identifier ?? '')),
  );
  const worth = (one: Passage): number => (uses.get(one) ?? 0) + (one.end - one.start) / 1000;
  return {
    ...part,
    lines: read.length < part.files ? undefined : read.reduce((sum, file) => sum + file.lines.length, 0),
    read,
    symbols: known
      .sort((a, b) => Number(isImplementation(a)) - Number(isImplementation(b)) || worth(b) - worth(a) || a.id - b.id)
      .slice(0, MOST_SYMBOLS),
  };
}

/** Tells whether a passage adds to a type, whose name it has: it comes after the type, in Rust and with extensions. */
function isImplementation({ kind, file, head }: Passage): boolean {
  return (
    kind === 'class' &&
    /^\s*(?:(?:unsafe|public|private|internal)\s+)?(?:impl|extension)\b/.test(file.lines[head] ?? '')
  );
}

/** Returns the file of a part that introduces it: its README, else the one that a language reads first. */
export function introductionOf({ path }: Part, index: WorkspaceIndex): SourceFile | undefined {
  if (path.endsWith('/')) return introductionIn(path, index);
  return index.files.find((file) => file.path === path);
}

/** Finds the file that introduces a folder: empty for the workspace, or with `/` at its end. */
export function introductionIn(folder: string, index: WorkspaceIndex): SourceFile | undefined {
  const here = index.files.filter(({ path }) => path.startsWith(folder) && !path.slice(folder.length).includes('/'));
  for (const name of [/^readme\b/i, /^doc\.go$/, /^(?:__init__\.py|mod\.rs|lib\.rs|index\.[cm]?[jt]sx?)$/]) {
    const found = here.find((file) => name.test(posix.basename(file.path)));
    if (found) return found;
  }
  // Of a program of Go, any file may say what its package is.
  return here.find(({ lines }) =>
    lines.slice(0, MOST_OPENING).some((line) => /^(?:(?:\/\/|\/\*) ?)?Package \w+ /.test(line)),
  );
}
