import { posix } from 'node:path';
import { layoutOf } from '../../files/code-layout.ts';
import { roleOf } from '../../files/file-role.ts';
import { type Concept, ownTerms } from '../../words/concept.ts';
import { termOf } from '../../words/terms.ts';
import type { FolderWords } from './folder-words.ts';

/** The amount of text cut and ranked for one question, in bytes. A folder with less, and few files, is taken whole. */
export interface Room {
  readonly whole: number;
  readonly files: number;
  readonly chosen: number;
}

// Each file costs as much as a few kilobytes of text, however small it is.
const ROOM: Room = { whole: 4_000_000, files: 3000, chosen: 300_000 };

/** Of files that say what the folder is: read for every question. */
const OF_OVERVIEW = 120_000;
const MOST_OVERVIEW = 16;
/** Parts of the whole that are shown, and some more. */
const MOST_PARTS = 12;
const INTRODUCES = /(?:^|\/)(?:index|overview|doc|mod|lib|__init__)\.\w+$/i;
const [K, B] = [1.2, 0.5];
const SYNONYM = 0.35;
/** Tests and documents tell where to look, but are not the answer. */
const OF_ROLE = { source: 1, config: 0.5, docs: 0.6, test: 0.5 } as const;
const ASKS_FOR = { test: ['test', 'tests', 'spec'], docs: ['documentation', 'docs', 'readme', 'guide'] } as const;
/** Files that are a share of the room each would leave none for others. */
const LARGEST_SHARE = 0.25;

/**
 * The files of a folder that are worth a closer look for a question, as rows in the order of paths: those that score best
 * until there is no more room, and those that say what the folder is.
 * @param concepts those of the question; or that it is about the whole, whatever its words: then files of each larger part
 */
export function chooseFiles(words: FolderWords, concepts: readonly Concept[] | 'whole', room: Room = ROOM): number[] {
  const all = [...words.paths.keys()].filter((row) => words.isSearched(row));
  const isSmall = (rows: readonly number[]): boolean =>
    rows.length <= room.files && sum(rows, (row) => words.sizeOf(row)) <= room.whole;
  if (isSmall(all)) return all;
  // Large tables of data have every word, and would leave no room for what is said with them.
  const isTable = (row: number): boolean =>
    words.sizeOf(row) > LARGEST_SHARE * room.chosen && roleOf(words.paths[row] as string) === 'config';
  const searched = all.filter((row) => !isTable(row));
  if (isSmall(searched)) return searched;
  const chosen = new Set<number>();
  let left = room.chosen;
  const take = (row: number): void => {
    chosen.add(row);
    left -= words.sizeOf(row);
  };
  for (const row of overviewOf(words, searched)) take(row);
  if (concepts === 'whole') {
    for (const row of ofParts(words, searched, left)) take(row);
    return [...chosen].sort((a, b) => a - b);
  }
  for (const row of ranked(words, searched, concepts)) {
    const size = words.sizeOf(row);
    if (chosen.has(row) || size > left || (size > LARGEST_SHARE * room.chosen && chosen.size > MOST_OVERVIEW)) continue;
    take(row);
  }
  return [...chosen].sort((a, b) => a - b);
}

/** Files of each of the larger parts, those nearest to its top: each part has the same room. */
function ofParts(words: FolderWords, searched: readonly number[], room: number): number[] {
  const files = searched.map((row) => ({ row, path: words.paths[row] as string, size: words.sizeOf(row) }));
  const { parts, partOf } = layoutOf(files);
  // A folder of prose consists of its documents.
  const role = parts.length > 0 ? 'source' : 'docs';
  const groups = Map.groupBy(
    files.filter(({ path }) => roleOf(path) === role),
    ({ path }) => (role === 'docs' ? '' : partOf(path)),
  );
  const larger = role === 'docs' ? [''] : parts.slice(0, MOST_PARTS).map(({ path }) => path);
  let left = room;
  return larger.flatMap((part, place) => {
    const own = (groups.get(part) ?? []).toSorted(byDepth);
    let share = left / (larger.length - place);
    const fitting = own.filter(({ size }) => {
      const fits = size <= share;
      if (fits) share -= size;
      return fits;
    });
    // A part of which nothing is read could not be shown.
    const smallest = own.toSorted((a, b) => a.size - b.size).slice(0, 1);
    const taken = fitting.length > 0 ? fitting : smallest.filter(({ size }) => size <= room);
    left = Math.max(0, left - taken.reduce((sum, { size }) => sum + size, 0));
    const readme = words.rowOf(`${part}README.md`);
    return [...(searched.includes(readme) ? [readme] : []), ...taken.map(({ row }) => row)];
  });
}

type Placed = Readonly<{ path: string; size: number }>;

/** Orders files: those that introduce a part, then the nearest to its top, and there the largest. */
function byDepth(a: Placed, b: Placed): number {
  const introduces = ({ path }: Placed): number => Number(INTRODUCES.test(path));
  const depth = ({ path }: Placed): number => path.split('/').length;
  return depth(a) - depth(b) || introduces(b) - introduces(a) || b.size - a.size || (a.path < b.path ? -1 : 1);
}

/** Best first; ties by path. */
function ranked(words: FolderWords, searched: readonly number[], concepts: readonly Concept[]): number[] {
  const all = searched.length;
  const mean = sum(searched, (row) => words.totalOf(row)) / Math.max(1, all);
  const scores = new Float64Array(words.paths.length);
  const covered = new Float64Array(words.paths.length);
  words.postings(concepts.flatMap((concept) => [...ownTerms(concept), ...concept.synonyms]));
  let weights = 0;
  for (const concept of concepts) {
    const best = new Map<number, number>();
    const own = ownTerms(concept);
    const owners = new Set<number>();
    for (const word of [...own, ...concept.synonyms]) {
      const factor = own.includes(word) ? 1 : SYNONYM;
      const { rows, counts } = words.postings([word])[0] ?? { rows: [], counts: [] };
      rows.forEach((row, place) => {
        const often = counts[place] as number;
        const norm = K * (1 - B + (B * words.totalOf(row)) / mean);
        const worth = (factor * often * (K + 1)) / (often + norm);
        if (worth > (best.get(row) ?? 0)) best.set(row, worth);
        if (factor === 1) owners.add(row);
      });
    }
    if (best.size === 0) continue;
    const having = owners.size > 0 ? owners.size : best.size;
    const weight = Math.log(1 + (all - having + 0.5) / (having + 0.5));
    weights += weight;
    for (const [row, worth] of best) {
      scores[row] = (scores[row] as number) + weight * worth;
      covered[row] = (covered[row] as number) + weight * Math.min(1, worth);
    }
  }
  const wanted = askedFor(concepts);
  const rows = searched.filter((row) => (scores[row] as number) > 0);
  for (const row of rows) {
    const path = words.paths[row] as string;
    const role = roleOf(path);
    const factor = wanted.has(role) ? 1 : /\.d\.[cm]?ts$|\.pyi$/.test(path) ? 0.5 : OF_ROLE[role];
    scores[row] = (scores[row] as number) * factor * (0.3 + (0.7 * (covered[row] as number)) / weights);
  }
  return rows.sort((a, b) => (scores[b] as number) - (scores[a] as number) || a - b);
}

/** Roles that a question is about. */
function askedFor(concepts: readonly Concept[]): ReadonlySet<string> {
  const asked = new Set(concepts.flatMap((concept) => ownTerms(concept)));
  const roles = Object.entries(ASKS_FOR).filter(([, names]) => names.some((name) => asked.has(termOf(name) ?? name)));
  return new Set(roles.map(([role]) => role));
}

const OVERVIEW =
  /^(readme(\.(md|rst|txt|adoc|markdown))?|package\.json|pyproject\.toml|setup\.(py|cfg)|cargo\.toml|go\.mod|pom\.xml|build\.gradle(\.kts)?|composer\.json|gemfile|makefile|cmakelists\.txt|architecture\.md|contributing\.md|(main|index|app|cli|server|lib|mod|__init__|__main__)\.(c|cc|cpp|go|java|[cm]?js|[cm]?ts|py|rb|rs|php|cs))$/i;

/** README, manifests and entry points, the closest to the top first. */
function overviewOf(words: FolderWords, searched: readonly number[]): number[] {
  const rows = searched.filter((row) => OVERVIEW.test(posix.basename(words.paths[row] as string)));
  const depth = new Map(rows.map((row) => [row, (words.paths[row] as string).split('/').length]));
  rows.sort((a, b) => (depth.get(a) ?? 0) - (depth.get(b) ?? 0) || a - b);
  let left = OF_OVERVIEW;
  return rows.slice(0, MOST_OVERVIEW).filter((row) => {
    const size = words.sizeOf(row);
    if (size > left) return false;
    left -= size;
    return true;
  });
}

function sum(rows: readonly number[], of: (row: number) => number): number {
  let all = 0;
  for (const row of rows) all += of(row);
  return all;
}
