import { concerns } from '../concerns/open-concerns.ts';
import type { Passage } from '../cut/passage.ts';
import type { SourceFile } from '../files/source-file.ts';
import type { Concept } from '../words/concept.ts';
import { askedFor } from './asked-for.ts';
import { Evidence, type Neighbours } from './evidence.ts';
import { ExactNames } from './exact-names.ts';
import { ExpectedTerms } from './expected-terms.ts';
import { type FileStanding, standingsOf } from './file-standing.ts';
import { decides, signsOf } from './line-signs.ts';
import { type Candidate, featuresOf } from './passage-features.ts';
import { FIELDS } from './passage-rows.ts';
import { QuestionMatches } from './question-matches.ts';
import { TermTable } from './term-table.ts';

const MAX_CANDIDATES = 150;
/** The weight of likely concerns where a passage has all words of the question; 1 where none has any. */
const LEAST_DOUBT = 0.1;
/** The number of tests and documents that are heard. */
const MAX_WITNESSES = 40;
const NAME = FIELDS.indexOf('name');

/** The facts about a workspace, besides its passages, that the ranking knows. */
export interface Surroundings {
  readonly names: Neighbours;
  isComment(file: SourceFile, row: number): boolean;
}

/** A passage after the second look. */
interface Looked {
  readonly passage: Passage;
  readonly first: number;
  readonly features: Float64Array;
}

/** The results of the first look and the second for a question. */
export interface Looks {
  readonly matches: QuestionMatches;
  /** Every passage with any word, best first by the cheap score. */
  readonly order: readonly number[];
  readonly scores: FirstScores;
  readonly looked: readonly Looked[];
}

/** Looks at the passages of a workspace for a question: at all of them cheaply, at the best ones closely. */
export class PassageRanker {
  readonly #passages: readonly Passage[];
  readonly #table: TermTable;
  readonly #evidence: Evidence;
  readonly #surroundings: Surroundings;
  readonly #uses = new Map<number, number>();
  /** By what a line is to be, by passage: the questions of one search look at the same ones. */
  readonly #lines = new Map<(line: string) => boolean | number, Map<number, number>>();

  constructor(passages: readonly Passage[], surroundings: Surroundings) {
    this.#passages = passages;
    this.#surroundings = surroundings;
    const standings = standingsOf([...new Set(passages.map(({ file }) => file.path))]);
    this.#table = new TermTable(passages, standings, (file, row) => surroundings.isComment(file, row));
    this.#evidence = new Evidence(passages, surroundings.names);
  }

  /** @param question the text that the concepts are from: it also tells what kind of file is asked for */
  look(concepts: readonly Concept[], question: string): Looks {
    const asked = askedFor(question);
    const matches = new QuestionMatches(this.#table, concepts);
    const expected = new ExpectedTerms(this.#table, concerns().of(matches.concepts));
    const scores = firstScores(this.#table, this.#passages, matches, asked);
    const order = matches.touched.toSorted((a, b) => (scores.first[b] ?? 0) - (scores.first[a] ?? 0) || a - b);
    const chosen = order.slice(0, MAX_CANDIDATES).flatMap((id) => this.#passages[id] ?? []);
    const names = new ExactNames(question);
    const looked = this.#candidates(chosen, order, matches, scores, expected, signsOf(question)).map((candidate) => ({
      passage: candidate.passage,
      first: scores.first[candidate.passage.id] ?? 0,
      features: featuresOf(candidate, matches, names, asked),
    }));
    return { matches, order, scores, looked };
  }

  standingOf({ id }: Passage): FileStanding {
    return this.#table.files[this.#table.fileOf[id] ?? 0]?.standing ?? 'code';
  }

  #candidates(
    chosen: readonly Passage[],
    order: readonly number[],
    matches: QuestionMatches,
    scores: FirstScores,
    expected: ExpectedTerms,
    signs: (line: string) => number,
  ): Candidate[] {
    const table = this.#table;
    const within = matches.within(new Set(chosen.map(({ id }) => id)));
    const witnesses: Passage[] = [];
    for (const id of order) {
      const passage = this.#passages[id];
      if (!passage || (passage.file.role !== 'test' && passage.file.role !== 'docs')) continue;
      if (witnesses.push(passage) === MAX_WITNESSES) break;
    }
    const ownScore = ({ id }: Passage): number => scores.own[id] ?? 0;
    const mostOwn = Math.max(1e-9, ...witnesses.map(ownScore));
    const witnessIds = new Set(witnesses.map(({ id }) => id));
    const support = this.#evidence.support(chosen, witnesses, (passage) =>
      witnessIds.has(passage.id) ? ownScore(passage) / mostOwn : ownScore(passage),
    );
    const fileRanks = ranks(scores.byPassages);
    const chunkRanks = ranks(scores.chunk);
    const seen = new Map<SourceFile, number>();
    const parts = new Map<number, number>();
    for (const passage of chosen)
      if (passage.owner !== undefined)
        parts.set(passage.owner, Math.max(parts.get(passage.owner) ?? 0, ownScore(passage)));
    const expectedIn = new Map<SourceFile, number>();
    for (const { id, file } of chosen) expectedIn.set(file, Math.max(expectedIn.get(file) ?? 0, expected.mean(id)));
    const covered = (id: number): number => matches.coverage.of(matches.ownInPassage[id] ?? 0);
    // A question whose own words stand together somewhere needs less of a guess at what it is about.
    const missed = 1 - Math.max(0, ...chosen.map(({ id }) => covered(id)));
    const doubt = LEAST_DOUBT + (1 - LEAST_DOUBT) * missed ** 2;
    return chosen.map((passage) => {
      const file = table.fileOf[passage.id] ?? 0;
      const rankInFile = (seen.get(passage.file) ?? 0) + 1;
      seen.set(passage.file, rankInFile);
      const [from, to] = table.chunksOf(passage) ?? [0, -1];
      let chunkRank = Number.POSITIVE_INFINITY;
      for (let at = from; at <= to; at++) chunkRank = Math.min(chunkRank, chunkRanks[at] ?? chunkRank);
      const inName = new Set(
        (within.get(passage.id) ?? []).filter(({ field }) => field === NAME).map(({ token }) => token),
      );
      const nameLength = table.lengths[passage.id * FIELDS.length + NAME] ?? 0;
      return {
        passage,
        standing: this.standingOf(passage),
        matches: within.get(passage.id) ?? [],
        support: support.get(passage.id) ?? { called: 0, calls: 0, tested: 0, documented: 0 },
        uses: this.#usesOf(passage),
        expected: doubt * expected.best(passage.id),
        expectedOften: doubt * expected.mean(passage.id),
        expectedInFile: doubt * (expectedIn.get(passage.file) ?? 0),
        inFile: matches.inFile[file] ?? 0,
        decisions: this.#linesOf(passage, decides),
        signs: this.#linesOf(passage, signs),
        chunk: bestChunk(table, passage, scores.chunk),
        chunkRank,
        fileByPassages: scores.byPassages[file] ?? 0,
        fileByChunks: scores.byChunks[file] ?? 0,
        fileRank: fileRanks[file] ?? 1,
        rankInFile,
        shareOfName: nameLength === 0 ? 0 : inName.size / nameLength,
        ownerScore: passage.owner === undefined ? 0 : (scores.own[passage.owner] ?? 0),
        partScore: parts.get(passage.id) ?? 0,
      };
    });
  }

  /** Counts such lines of code in a passage, without those of passages inside it. */
  #linesOf(passage: Passage, isSuch: (line: string) => boolean | number): number {
    const known = this.#lines.get(isSuch) ?? new Map<number, number>();
    this.#lines.set(isSuch, known);
    const count = known.get(passage.id) ?? this.#countLines(passage, isSuch);
    known.set(passage.id, count);
    return count;
  }

  #countLines({ file, start, end, inner }: Passage, isSuch: (line: string) => boolean | number): number {
    let count = 0;
    for (let row = start; row <= end; row++) {
      if (inner.some(([from, to]) => row >= from && row <= to) || this.#surroundings.isComment(file, row)) continue;
      if (isSuch(file.lines[row] ?? '')) count++;
    }
    return count;
  }

  #usesOf(passage: Passage): number {
    let uses = this.#uses.get(passage.id);
    if (uses === undefined) {
      uses = this.#surroundings.names.usesOf(passage).length;
      this.#uses.set(passage.id, uses);
    }
    return uses;
  }
}

/** The place of each score, from 1, largest first. */
function ranks(scores: Float32Array): Uint32Array {
  const order = Array.from(scores.keys()).sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b);
  const places = new Uint32Array(scores.length);
  order.forEach((at, place) => {
    places[at] = place + 1;
  });
  return places;
}

/** The number of passages and chunks that count towards their file. */
const BEST_OF_FILE = 4;
const PASSAGE_SHARE = 0.5;
const FILE_SHARE = 0.25;
const CHUNK_SHARE = 0.25;
const STANDING: Record<FileStanding, number> = {
  code: 1,
  docs: 0.6,
  config: 0.5,
  test: 0.4,
  example: 0.4,
  declaration: 0.4,
  twin: 0.3,
};

/** The factor of files that are not asked for; a guess by the question's words, so that code stays in the running. */
const NOT_ASKED = 0.7;

/** A cheap score of every passage, which chooses those worth a second look. All from 0 to 1 for the best. */
interface FirstScores {
  /** By passage. */
  readonly first: Float32Array;
  /** By passage: of its own words alone. */
  readonly own: Float32Array;
  /** By chunk. */
  readonly chunk: Float32Array;
  /** By file: its best passages, and its best chunks. */
  readonly byPassages: Float32Array;
  readonly byChunks: Float32Array;
}

/** Scores by the words of a passage, of the lines around it, and of its file. */
function firstScores(
  table: TermTable,
  passages: readonly Passage[],
  matches: QuestionMatches,
  asked: ReadonlySet<FileStanding>,
): FirstScores {
  const own = new Float32Array(passages.length);
  for (const id of matches.touched) {
    const standing = table.files[table.fileOf[id] ?? 0]?.standing ?? 'code';
    const covered = matches.coverage.of(matches.inPassage[id] ?? 0);
    own[id] = (matches.whole[id] ?? 0) * (0.5 + 0.5 * covered) * standingFactor(standing, asked);
  }
  const chunk = matches.chunkScore.map((score, at) => score * (0.5 + 0.5 * shareOf(matches.inChunk[at] ?? 0, matches)));
  const ofFile: number[][] = table.files.map(() => []);
  for (const id of matches.touched) ofFile[table.fileOf[id] ?? 0]?.push(own[id] ?? 0);
  const byPassages = Float32Array.from(ofFile, sumOfBest);
  const byChunks = Float32Array.from(table.files, ({ chunks: [from, to] }) => sumOfBest([...chunk.subarray(from, to)]));
  for (const scores of [own, chunk, byPassages, byChunks]) normalize(scores);
  const first = new Float32Array(passages.length);
  for (const id of matches.touched) {
    const passage = passages[id];
    const file = table.fileOf[id] ?? 0;
    if (!passage) continue;
    first[id] =
      PASSAGE_SHARE * (own[id] ?? 0) +
      FILE_SHARE * (byPassages[file] ?? 0) +
      CHUNK_SHARE * bestChunk(table, passage, chunk);
  }
  return { first, own, chunk, byPassages, byChunks };
}

/** The best score of the chunks that a passage's lines are in. */
function bestChunk(table: TermTable, passage: Passage, scores: Float32Array): number {
  const [from, to] = table.chunksOf(passage) ?? [0, -1];
  let best = 0;
  for (let at = from; at <= to; at++) best = Math.max(best, scores[at] ?? 0);
  return best;
}

/** Code answers, unless the question asks for something else: then that does. */
function standingFactor(standing: FileStanding, asked: ReadonlySet<FileStanding>): number {
  if (asked.has(standing)) return 1;
  return STANDING[standing] * (asked.size > 0 ? NOT_ASKED : 1);
}

/** Returns the share of the question's words that are there, whatever they tell. */
function shareOf(concepts: number, { present }: QuestionMatches): number {
  let count = 0;
  for (let rest = concepts; rest !== 0; rest &= rest - 1) count++;
  return count / Math.max(1, present.length);
}

function sumOfBest(scores: number[]): number {
  return scores
    .sort((a, b) => b - a)
    .slice(0, BEST_OF_FILE)
    .reduce((sum, score) => sum + score, 0);
}

function normalize(scores: Float32Array): void {
  let most = 0;
  for (const score of scores) most = Math.max(most, score);
  if (most > 0)
    scores.forEach((score, at) => {
      scores[at] = score / most;
    });
}
