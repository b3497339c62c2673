import type { Span } from '../secrets/span.ts';
import { NumberReader, NumberWriter } from './numbers.ts';

/** The kinds of marks in code: symbols, and the texts about them. */
const KINDS = [
  'comment',
  'string',
  'docstring',
  'import',
  'class',
  'function',
  'member',
  'constant',
  'type',
  'block',
  'rule',
] as const;
type MarkKind = (typeof KINDS)[number];

/**
 * A match of a grammar in a text, by offsets in UTF-16 units. There is nothing of the text itself in marks: they may be
 * kept where no text may be, and with the text they say as much as the grammar did.
 */
export interface Mark extends Span {
  readonly kind: MarkKind;
  readonly name?: Span | undefined;
  readonly owner?: Span | undefined;
  readonly title?: Span | undefined;
}

/** The descriptions of a mark, each with a bit of its own beside the number of the kind. */
const HELPERS = [
  ['name', 0x10],
  ['owner', 0x20],
  ['title', 0x40],
] as const;
const KIND = 0x0f;

const NUMBERS = new Map<string, number>(KINDS.map((kind, number) => [kind, number]));

/** Symbols in symbols cover a text several times over; so often, they are made to take long. */
const MOST_OVER = 1000;

/** So many marks for a character, and for any text: people's code has 0.05. */
const [MOST_FOR_EACH, MOST_BESIDES] = [0.5, 10];

/** Tells whether marks can be of a text that somebody wrote. @param length of the text */
export function arePlausible(marks: readonly Mark[], length: number): boolean {
  return marks.length <= mostMarks(length) && coverPlausibly(marks, length);
}

function mostMarks(length: number): number {
  return MOST_FOR_EACH * length + MOST_BESIDES;
}

function coverPlausibly(marks: readonly Mark[], length: number): boolean {
  return marks.reduce((sum, { start, end }) => sum + end - start, 0) <= MOST_OVER * length;
}

export function isMarkKind(kind: string): kind is MarkKind {
  return NUMBERS.has(kind);
}

/** Marks as bytes, a few each. */
export function packMarks(marks: readonly Mark[]): Uint8Array {
  const writer = new NumberWriter();
  let before = 0;
  for (const mark of marks) {
    const helpers = HELPERS.filter(([helper]) => mark[helper] !== undefined);
    writer.add(helpers.reduce((head, [, bit]) => head | bit, NUMBERS.get(mark.kind) ?? 0));
    writer.addSpan(mark, before);
    for (const [helper] of helpers) writer.addSpan(mark[helper] as Span, mark.start);
    before = mark.start;
  }
  return writer.bytes;
}

/** The marks of such bytes. @param length of their text @throws RangeError if they are not marks of such a text */
export function unpackMarks(bytes: Uint8Array, length: number): Mark[] {
  const reader = new NumberReader(bytes);
  const marks: Mark[] = [];
  const most = mostMarks(length);
  let before = 0;
  while (!reader.isAtEnd) {
    const head = reader.next();
    const kind = KINDS[head & KIND];
    if (kind === undefined || head > 0x7f) throw new RangeError('not a mark');
    const { start, end } = reader.nextSpan(before, length);
    const helpers: { name?: Span; owner?: Span; title?: Span } = {};
    for (const [helper, bit] of HELPERS) if ((head & bit) !== 0) helpers[helper] = reader.nextSpan(start, length);
    marks.push({ kind, start, end, ...helpers });
    // There may be far more, each of nothing.
    if (marks.length > most) break;
    before = start;
  }
  if (!arePlausible(marks, length)) throw new RangeError('too many marks');
  return marks;
}
