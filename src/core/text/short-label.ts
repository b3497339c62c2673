import { oneLine } from './text.ts';

/** The most columns of a label that has to share its row with something else. */
const USUAL = 26;
const LONGEST = 1000;

/** A title for a row: what names it, and what the title says besides. */
export interface ShortLabel {
  readonly label: string;
  /** The part of the title after the name; empty for a title that is whole or cut. */
  readonly rest: string;
}

/**
 * A title as a label of at most `columns`, without code marks: whole if it fits, else the symbol or the name that it begins
 * with, else cut at the end of a word. Wide characters take two columns.
 */
export function shortLabel(title: string, columns = USUAL): ShortLabel {
  const text = oneLine(title, LONGEST);
  const whole = withoutMarks(text);
  if (widthOf(whole) <= columns) return { label: whole, rest: '' };
  const [name, rest] = named(text);
  if (name !== '' && widthOf(name) <= columns) return { label: name, rest };
  return { label: cut(name === '' ? whole : name, columns), rest };
}

/** A text of a model without the marks of code, which a label would show literally. */
export function withoutMarks(text: string): string {
  return text.replaceAll('`', '');
}

/** Splits off what a title names at its beginning: `` `symbol`: what it does ``, `name (more)`, `Name: more`. */
function named(title: string): readonly [name: string, rest: string] {
  const [, name = '', rest = ''] =
    /^([^`]{0,20}`[^`]+`)(?:[:,]\s+|\s+[-–—]\s+|\s+(?=\())(.+)$/su.exec(title) ??
    /^([^()]{2,59}[^()\s]) (\([^()]*\))$/su.exec(title) ??
    /^([^:.?!()]{3,60}):\s+(.+)$/su.exec(title) ??
    [];
  return [withoutMarks(name), withoutMarks(rest)];
}

/** Returns as many whole words as fit before an ellipsis. */
function cut(text: string, columns: number): string {
  words ??= new Intl.Segmenter(undefined, { granularity: 'word' });
  let [end, width] = [0, 0];
  for (const { segment, index } of words.segment(text)) {
    width += widthOf(segment);
    if (width > columns - 1) break;
    // Whatever stands after a word is not worth its room.
    if (/[\p{L}\p{N}]/u.test(segment)) end = index + segment.length;
  }
  return `${end > 0 ? text.slice(0, end) : firstColumns(text, columns - 1)}…`;
}

let words: Intl.Segmenter | undefined;

function firstColumns(text: string, columns: number): string {
  let [shown, width] = ['', 0];
  for (const character of text) {
    width += widthOf(character);
    if (width > columns) break;
    shown += character;
  }
  return shown;
}

function widthOf(text: string): number {
  let width = 0;
  for (const character of text) width += WIDE.test(character) ? 2 : 1;
  return width;
}

const WIDE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff00-\uff60]/u;
