import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import * as z from 'zod';
import { seeded } from '../../src/kinds/thoughts/strategy/draws.ts';
import type { Figure, PartOptions } from '../harness/figure.ts';

const SIDE = 5;
const SLOTS = [...['h', 'v'].flatMap((way) => [1, 2, 3, 4, 5].map((n) => `${way}${n}`))];
/** What a request costs is one board; so many a puzzle at most. */
const MOST_BOARDS = 20;
const OTHERS = [15, 18, 20, 22] as const;
const RANDOM_SEEDS = 20;

const Proposals = z.record(z.string(), z.record(z.string(), z.number()));
const Games = z.array(
  z.tuple([z.array(z.string()).length(2 * SIDE), z.array(z.string().length(1)).length(SIDE * SIDE)]),
);

/** A mini crossword with the boards that were asked about, in the file's order: words with their weights, by slot. */
interface Puzzle {
  readonly letters: readonly string[];
  readonly boards: readonly (readonly (readonly [slot: string, word: string, weight: number])[])[];
}

/** A share of letters, of words, and of whole games that are right. */
interface Right {
  readonly letters: number;
  readonly words: number;
  readonly games: number;
}

/**
 * Mini crosswords from recorded boards: the words that were proposed for a puzzle, with the weights as they are recorded, added up
 * over boards, and the grid of words that fit together and weigh most. No judge, and no search: which boards there are, the original
 * search chose.
 */
export async function crosswords({ data, say }: PartOptions): Promise<Figure[]> {
  const folder = join(data ?? '', 'tree-of-thoughts');
  if (data === undefined || !existsSync(join(folder, 'crosswords-proposals.json.gz'))) {
    say('crosswords are left out: --data FOLDER names none with tree-of-thoughts/crosswords-proposals.json.gz');
    return [];
  }
  const puzzles = readPuzzles(folder);
  say(`crosswords: ${puzzles.length} puzzles, ${puzzles.reduce((sum, { boards }) => sum + boards.length, 0)} boards`);
  const main = rightOf(puzzles, ({ boards }) => boards.slice(0, MOST_BOARDS));
  const others = OTHERS.map((most) => `${most} ${short(rightOf(puzzles, ({ boards }) => boards.slice(0, most)))}`);
  const drawn = Array.from({ length: RANDOM_SEEDS }, (_, seed) =>
    rightOf(puzzles, ({ boards }) => shuffled(boards, seed).slice(0, MOST_BOARDS)),
  );
  const mean = (of: (right: Right) => number): number => drawn.reduce((sum, each) => sum + of(each), 0) / drawn.length;
  const random = short({ letters: mean((r) => r.letters), words: mean((r) => r.words), games: mean((r) => r.games) });
  const fewer = puzzles.filter(({ boards }) => boards.length <= MOST_BOARDS).length;
  const requests = puzzles.reduce((sum, { boards }) => sum + Math.min(MOST_BOARDS, boards.length), 0) / puzzles.length;
  const about = `first ${MOST_BOARDS} boards a puzzle (${fewer} of ${puzzles.length} have no more), ${requests.toFixed(1)} on average; the original search chose which boards there are`;
  const part = 'strategies';
  return [
    {
      part,
      what: 'crosswords: letters',
      value: main.letters,
      unit: '',
      target: { atLeast: 0.82 },
      note: `${about}; paper .78 at about 93 steps`,
    },
    {
      part,
      what: 'crosswords: words',
      value: main.words,
      unit: '',
      target: { atLeast: 0.62 },
      note: `paper .60; letters/words/games by boards: ${others.join(', ')}`,
    },
    {
      part,
      what: 'crosswords: games',
      value: main.games,
      unit: '',
      target: { atLeast: 5 },
      note: `of ${puzzles.length}, paper 4; ${MOST_BOARDS} boards at random, mean of ${RANDOM_SEEDS} draws: ${random}`,
    },
  ];
}

function short({ letters, words, games }: Right): string {
  return `${letters.toFixed(3)}/${words.toFixed(3)}/${Number(games.toFixed(1))}`;
}

function readPuzzles(folder: string): Puzzle[] {
  const read = (name: string): unknown =>
    JSON.parse(gunzipSync(readFileSync(join(folder, name)), { maxOutputLength: 100_000_000 }).toString('utf8'));
  const games = new Map(
    Games.parse(read('crosswords-games.json.gz')).map(([clues, letters]) => [clues.join('\n'), letters]),
  );
  const boards = Object.entries(Proposals.parse(read('crosswords-proposals.json.gz')));
  const byClues = Map.groupBy(boards, ([board]) => cluesOf(board));
  return [...byClues].map(([clues, some]) => {
    const letters = games.get(clues);
    if (!letters) throw new Error(`No crossword has these clues:\n${clues}`);
    return { letters, boards: some.map(([, proposals]) => Object.entries(proposals).flatMap(wordOf)) };
  });
}

/** Returns the clues of a board, in the order of games: rows, then columns; filled ones come later in its text. */
function cluesOf(board: string): string {
  const clues = new Map(
    [...board.matchAll(/^([hv][1-5])\. (.*): [A-Z_]{5}$/gm)].map(([, slot = '', clue = '']) => [slot, clue]),
  );
  return SLOTS.map((slot) => clues.get(slot)).join('\n');
}

function wordOf([proposal, weight]: [string, number]): [string, string, number][] {
  const [, slot = '', word = ''] = /^([hv][1-5])\. ([a-z]{5})$/.exec(proposal) ?? [];
  return word === '' ? [] : [[slot, word.toUpperCase(), weight]];
}

function rightOf(puzzles: readonly Puzzle[], chosen: (puzzle: Puzzle) => Puzzle['boards']): Right {
  let letters = 0;
  let words = 0;
  let games = 0;
  for (const puzzle of puzzles) {
    const grid = heaviest(weightsOf(chosen(puzzle)));
    const isRight = grid.map((letter, at) => letter === puzzle.letters[at]);
    letters += isRight.filter(Boolean).length / (SIDE * SIDE);
    words += SLOTS.filter((slot) => placesOf(slot).every((at) => isRight[at])).length / SLOTS.length;
    if (isRight.every(Boolean)) games++;
  }
  return { letters: letters / puzzles.length, words: words / puzzles.length, games };
}

type Weights = ReadonlyMap<string, ReadonlyMap<string, number>>;

function weightsOf(boards: Puzzle['boards']): Weights {
  const weights = new Map(SLOTS.map((slot) => [slot, new Map<string, number>()]));
  for (const [slot, word, weight] of boards.flat()) {
    const words = weights.get(slot);
    words?.set(word, (words.get(word) ?? 0) + weight);
  }
  return weights;
}

function placesOf(slot: string): number[] {
  const n = Number(slot[1]) - 1;
  return Array.from({ length: SIDE }, (_, at) => (slot[0] === 'h' ? n * SIDE + at : at * SIDE + n));
}

/** Returns the letters of the words that fit together and weigh most; a slot may stay without a word. */
function heaviest(weights: Weights): (string | undefined)[] {
  const rows = SLOTS.slice(0, SIDE).map((slot) => ordered(weights.get(slot)));
  const columns = SLOTS.slice(SIDE).map((slot) => ordered(weights.get(slot)));
  let best: { readonly weight: number; readonly rows: string[]; readonly columns: string[] } | undefined;
  const chosen: string[] = [];
  // What the rows leave open is bounded by the heaviest word of each.
  const most = rows.map((_, at) => rows.slice(at).reduce((sum, words) => sum + (words[0]?.weight ?? 0), 0));
  const down = (): { weight: number; words: string[] } => {
    const words = columns.map((some, column) =>
      some.find(({ word }) => chosen.every((row, at) => row === '' || row[column] === word[at])),
    );
    return {
      weight: words.reduce((sum, each) => sum + (each?.weight ?? 0), 0),
      words: words.map((each) => each?.word ?? ''),
    };
  };
  const place = (at: number, weight: number): void => {
    const below = down();
    if (best && weight + (most[at] ?? 0) + below.weight <= best.weight) return;
    if (at === SIDE) {
      best = { weight: weight + below.weight, rows: [...chosen], columns: below.words };
      return;
    }
    for (const { word, weight: own } of [...(rows[at] ?? []), { word: '', weight: 0 }]) {
      chosen.push(word);
      place(at + 1, weight + own);
      chosen.pop();
    }
  };
  place(0, 0);
  return Array.from(
    { length: SIDE * SIDE },
    (_, at) => best?.rows[Math.floor(at / SIDE)]?.[at % SIDE] ?? best?.columns[at % SIDE]?.[Math.floor(at / SIDE)],
  );
}

function ordered(words: ReadonlyMap<string, number> = new Map()): { word: string; weight: number }[] {
  return [...words].map(([word, weight]) => ({ word, weight })).sort((a, b) => b.weight - a.weight);
}

function shuffled<T>(items: readonly T[], seed: number): T[] {
  const random = seeded(seed + 1);
  return items
    .map((item) => ({ item, place: random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item);
}
