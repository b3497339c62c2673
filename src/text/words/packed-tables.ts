import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync } from 'node:zlib';
import { termsOf } from './terms.ts';

/** Returns a large table that the build packs next to the bundle, by its name there; undefined if this is no bundle. */
export function packedTable(name: string): Buffer | undefined {
  const file = join(dirname(fileURLToPath(import.meta.url)), `${name}.br`);
  return existsSync(file) ? brotliDecompressSync(readFileSync(file)) : undefined;
}

const BETWEEN = '\0';

/** The words of people, and those of code for them: lines of a form, a tab, and what it means. */
export interface ThesaurusText {
  /** In order. */
  readonly words: string;
  /** In order of their first two letters, which stemming leaves, and otherwise as they were written. */
  readonly phrases: string;
}

/** @param table a key has the forms that no stemmer joins, with | between them */
export function thesaurusTextOf(table: Readonly<Record<string, string>>): ThesaurusText {
  const words = new Map<string, string>();
  const phrases: string[] = [];
  for (const [forms, meaning] of Object.entries(table))
    for (const form of forms.split('|'))
      if (form.includes(' ')) phrases.push(lineOf(form, meaning));
      else words.set(form, lineOf(form, meaning));
  return {
    words: [...words.values()].sort().join(''),
    phrases: phrases.sort((a, b) => compare(a.slice(0, 2), b.slice(0, 2))).join(''),
  };
}

/** As bytes, to be kept beside a bundle. */
export function packThesaurus({ words, phrases }: ThesaurusText): Uint8Array {
  return Buffer.from(`${words}${BETWEEN}${phrases}`);
}

/** Returns the text of such bytes. */
export function unpackThesaurus(bytes: Buffer): ThesaurusText {
  const [words = '', phrases = ''] = bytes.toString().split(BETWEEN);
  return { words, phrases };
}

function lineOf(form: string, meaning: string): string {
  return `${form}\t${meaning}\n`;
}

function compare(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

/** Lines of a text in the order of their beginnings, found without reading all of them. */
export class SortedLines {
  readonly #text: string;

  /** @param text each line ends with a line feed; for as many characters as are asked for, beginnings are in order */
  constructor(text: string) {
    this.#text = text;
  }

  /** Returns the lines that begin so, in their order, without their line feeds. */
  beginningWith(prefix: string): string[] {
    const text = this.#text;
    const found: string[] = [];
    for (let at = this.#firstFrom(prefix); at < text.length && text.startsWith(prefix, at); ) {
      const end = text.indexOf('\n', at);
      found.push(text.slice(at, end));
      at = end + 1;
    }
    return found;
  }

  /** Returns where the first line begins that is not before a prefix. */
  #firstFrom(prefix: string): number {
    const text = this.#text;
    let [from, to] = [0, text.length]; // both begin a line, or end the text
    while (from < to) {
      const middle = (from + to) >> 1;
      const start = middle === from ? from : text.lastIndexOf('\n', middle - 1) + 1;
      const end = text.indexOf('\n', middle);
      if (text.slice(start, Math.min(end, start + prefix.length)) < prefix) from = end + 1;
      else to = start;
    }
    return from;
  }
}

/**
 * A table of what programs do, and of what their code says where they do it: of each concern the terms by which people
 * ask about it, and those that its code most probably has, most telling first; all as numbers.
 */
export interface ConcernTable {
  readonly terms: readonly string[];
  /** Each list in order. */
  readonly asked: Lists;
  readonly said: Lists;
}

/** Many short lists of numbers below 65,536, one after the other. */
export interface Lists {
  /** Of each list where it begins, and at last where the last one ends. */
  readonly starts: Uint32Array;
  readonly numbers: Uint16Array;
}

const ARROW = '=>';
const MOST_TERMS = 0xffff;

/** Returns the table of a text with a line for each concern: how people ask `=>` what the code says. */
export function concernTableOf(text: string): ConcernTable {
  const [asked, said]: [string[][], string[][]] = [[], []];
  for (const line of text.split('\n')) {
    const at = line.indexOf(ARROW);
    if (at < 0) continue;
    const [left, right] = [termsOf(line.slice(0, at)), termsOf(line.slice(at + ARROW.length))];
    if (left.length === 0 || right.length === 0) continue;
    asked.push([...new Set(left)]);
    said.push([...new Set(right)]);
  }
  const terms = byFrequency([...asked, ...said]).slice(0, MOST_TERMS);
  const numbers = new Map(terms.map((term, number) => [term, number]));
  return { terms, asked: listsOf(asked, numbers, (list) => list.sort((a, b) => a - b)), said: listsOf(said, numbers) };
}

/** Returns a table as bytes, to be kept beside a bundle. */
export function packConcerns({ terms, asked, said }: ConcernTable): Uint8Array {
  const text = Buffer.from(terms.join(' '));
  const head = Uint32Array.of(text.length, asked.starts.length - 1, asked.numbers.length, said.numbers.length);
  const parts = [head, lengthsOf(asked), lengthsOf(said), stepsOf(asked), said.numbers];
  return Buffer.concat([...parts.map((part) => Buffer.from(part.buffer, part.byteOffset, part.byteLength)), text]);
}

/** Returns the table of such bytes. */
export function unpackConcerns(bytes: Uint8Array): ConcernTable {
  const { buffer } = new Uint8Array(bytes); // a copy that begins where its memory does
  const [text = 0, concerns = 0, askedCount = 0, saidCount = 0] = new Uint32Array(buffer, 0, 4);
  let at = 16;
  const next = (count: number): Uint16Array => {
    const part = new Uint16Array(buffer, at, count);
    at += part.byteLength;
    return part;
  };
  const [ofAsked, ofSaid] = [startsOf(next(concerns)), startsOf(next(concerns))];
  const asked = { starts: ofAsked, numbers: summed(ofAsked, next(askedCount)) };
  const said = { starts: ofSaid, numbers: next(saidCount) };
  const terms = text === 0 ? [] : Buffer.from(buffer, at, text).toString().split(' ');
  return { terms, asked, said };
}

/** Common terms have small numbers, which take less room. */
function byFrequency(lists: readonly (readonly string[])[]): string[] {
  const counts = new Map<string, number>();
  for (const list of lists) for (const term of list) counts.set(term, (counts.get(term) ?? 0) + 1);
  return [...counts].sort(([a, of], [b, others]) => others - of || (a < b ? -1 : 1)).map(([term]) => term);
}

function listsOf(
  lists: readonly (readonly string[])[],
  numbers: ReadonlyMap<string, number>,
  inOrder = (list: number[]): number[] => list,
): Lists {
  const known = lists.map((list) => inOrder(list.flatMap((term) => numbers.get(term) ?? [])));
  return { starts: startsOf(Uint16Array.from(known, ({ length }) => length)), numbers: Uint16Array.from(known.flat()) };
}

function startsOf(lengths: Uint16Array): Uint32Array {
  const starts = new Uint32Array(lengths.length + 1);
  lengths.forEach((length, at) => {
    starts[at + 1] = (starts[at] ?? 0) + length;
  });
  return starts;
}

/** Of each number of lists in order how much it is above the one before it: small numbers pack well. */
function stepsOf(lists: Lists): Uint16Array {
  const steps = lists.numbers.slice();
  for (let list = 0; list + 1 < lists.starts.length; list++) {
    const numbers = listAt(lists, list);
    const from = lists.starts[list] ?? 0;
    for (let at = 1; at < numbers.length; at++) steps[from + at] = (numbers[at] ?? 0) - (numbers[at - 1] ?? 0);
  }
  return steps;
}

function summed(starts: Uint32Array, steps: Uint16Array): Uint16Array {
  const numbers = steps.slice();
  for (let list = 0; list + 1 < starts.length; list++)
    for (let at = (starts[list] ?? 0) + 1; at < (starts[list + 1] ?? 0); at++)
      numbers[at] = (numbers[at] ?? 0) + (numbers[at - 1] ?? 0);
  return numbers;
}

/** Returns one of the lists. */
export function listAt({ starts, numbers }: Lists, at: number): Uint16Array {
  return numbers.subarray(starts[at], starts[at + 1]);
}

function lengthsOf({ starts }: Lists): Uint16Array {
  return Uint16Array.from(starts.subarray(1), (end, at) => end - (starts[at] ?? 0));
}
