import { countTokens } from '../../core/text/count-tokens.ts';
import type { Passage } from '../cut/passage.ts';
import { isQuotable } from '../files/read-source.ts';
import type { WorkspaceIndex } from '../index/workspace-index.ts';
import { firstLevel } from './candidates.ts';
import { chooseWindows } from './choose-windows.ts';
import { codeRow } from './plan-document.ts';
import { type Lines, QuotedLines } from './quoted-lines.ts';
import type { Research } from './research.ts';

/** A definition of at most so many lines is quoted whole, if there is room: a reader of code seldom writes longer ones. */
const MOST_WHOLE = 80;
/** The most lines of one that is not, in runs of at least two. */
const MOST_OF_LONG = 32;
/** The value of a signature beyond its words, as in `LineValues`. */
const HEAD = 3;
/** The length of the place and the fence of a quotation, in tokens. */
const AROUND = 16;
/** In less room than this, nothing is said. */
const LEAST_ROOM = 40;
/** Of tests and documents, which repeat the words of a question, where there is code. */
const MOST_BESIDE = 1;

export interface ContextInput {
  readonly index: WorkspaceIndex;
  /** The passages that the node's title names, if any. */
  readonly named: readonly Passage[];
  /** Research on the titles down to the node, and the question. */
  readonly research: Research;
  /** The quotations that the conversation already has. */
  readonly quoted: QuotedLines;
  /** In tokens. */
  readonly room: number;
}

/**
 * The definitions that the researcher without a model would begin with, in its order, as many as there is room for: whole, or the
 * lines that decide of what is too long. None that the conversation already has.
 */
export function chooseContext({ index, named, research, quoted, room }: ContextInput): Lines[] {
  const found = research.concepts.length === 0 ? [] : firstLevel(index, research).map(({ passage }) => passage);
  const taken = new QuotedLines();
  const chosen: Lines[] = [];
  let left = room;
  let beside = found.some(isCode) ? MOST_BESIDE : found.length;
  for (const passage of new Set([...named, ...found])) {
    if (left < LEAST_ROOM) break;
    if (!isCode(passage) && !named.includes(passage) && --beside < 0) continue;
    const { file } = passage;
    const isFree = (row: number): boolean =>
      isQuotable(file.lines[row] ?? '') && !quoted.has(file, row) && !taken.has(file, row);
    // A passage too long for the room that is left may still be told in part, and a shorter one further down whole.
    const forms = [wholeOf(passage, index, isFree), partsOf(passage, research, isFree)];
    const lines = forms.find((form) => form.length > 0 && sizeOf(form) <= left) ?? [];
    left -= sizeOf(lines);
    for (const each of lines) taken.add(each);
    chosen.push(...lines);
  }
  return chosen;
}

function isCode({ file }: Passage): boolean {
  return file.role === 'source' || file.role === 'config';
}

/** A definition from its signature to its end; nothing if it is too long, or some of it must not be quoted. */
function wholeOf(passage: Passage, index: WorkspaceIndex, isFree: (row: number) => boolean): Lines[] {
  const { file, kind } = passage;
  const start = codeRow(passage, index);
  let { end } = passage;
  while (end > start && (file.lines[end] ?? '').trim() === '') end--;
  if (kind === 'rest' || end - start + 1 > MOST_WHOLE) return [];
  for (let row = start; row <= end; row++) if (!isFree(row)) return [];
  return [{ file, start, end }];
}

/** Finds what decides in a definition, with its signature; of lines without a name, without the definitions in them. */
function partsOf(
  { file, kind, start, head, end, inner }: Passage,
  research: Research,
  isFree: (row: number) => boolean,
): Lines[] {
  const isRest = kind === 'rest';
  const value = (row: number): number => {
    const isOthers = isRest && inner.some(([first, last]) => row >= first && row <= last);
    if (isOthers || !isFree(row)) return Number.NaN;
    return research.values.of(file, row) + (row === head && !isRest ? HEAD : 0);
  };
  const windows = chooseWindows({ file, from: isRest ? start : head, to: end, value, most: MOST_OF_LONG });
  return windows.filter((lines) => lines.end > lines.start);
}

function sizeOf(quotations: readonly Lines[]): number {
  return quotations.reduce(
    (sum, { file, start, end }) => sum + AROUND + countTokens(file.lines.slice(start, end + 1).join('\n')),
    0,
  );
}
