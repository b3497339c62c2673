import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Archive, fetched } from './code-bases.ts';

/** The most that the word table may hold of a library's own names, as a share. */
export const MOST_RECITED = 0.02;
const CODE = /\.(?:[cm]?[jt]sx?|py|go|rs|rb|java|cs|php)$/;
const NAME = /[A-Za-z][A-Za-z0-9]*(?:_+[A-Za-z0-9]+)*/g;
const ARROW = '=>';

export interface Recited {
  readonly name: string;
  /** How many names of three words it has that no other of the libraries has. */
  readonly own: number;
  /** Those that stand word for word on the right side of a line of the table. */
  readonly found: readonly string[];
}

/**
 * Counts how much of each pinned library the table of concerns recites. Its lines should say what programs do; a name of three
 * words that only one library has, word for word, was remembered from that library.
 */
export async function recited(table: string, libraries: readonly Archive[]): Promise<Recited[]> {
  const said = threesOf(table);
  const names = new Map<string, Set<string>>();
  for (const library of libraries) names.set(library.name, await namesOf(library));
  const users = new Map<string, number>();
  for (const set of names.values()) for (const name of set) users.set(name, (users.get(name) ?? 0) + 1);
  return [...names].map(([name, all]) => {
    const own = [...all].filter((each) => users.get(each) === 1);
    return { name, own: own.length, found: own.filter((each) => said.has(each)) };
  });
}

/** Returns the names of three words in a library's code, in lower case with spaces between the words. */
async function namesOf(library: Archive): Promise<Set<string>> {
  const folder = await fetched(library);
  const names = new Set<string>();
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!(entry.isFile() && CODE.test(entry.name))) continue;
    const text = await readFile(join(entry.parentPath, entry.name), 'utf8');
    for (const [name] of text.matchAll(NAME)) {
      const words = wordsOf(name);
      if (words.length === 3) names.add(words.join(' '));
    }
  }
  return names;
}

function wordsOf(name: string): string[] {
  return name
    .replaceAll(/([a-z0-9])([A-Z])|([A-Z])([A-Z][a-z])/g, '$1$3 $2$4')
    .toLowerCase()
    .split(/[ _]+/);
}

/** Returns every three words that follow each other on the right side of a line. */
function threesOf(table: string): Set<string> {
  const threes = new Set<string>();
  for (const line of table.split('\n')) {
    const right = line.slice(line.indexOf(ARROW) + ARROW.length).toLowerCase();
    const words = right.match(/[a-z0-9]+/g) ?? [];
    for (let at = 0; at + 3 <= words.length; at++) threes.add(words.slice(at, at + 3).join(' '));
  }
  return threes;
}
