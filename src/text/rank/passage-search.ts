import type { Passage } from '../chunk/chunk-file.ts';
import { type FileStanding, standingsOf } from '../files/file-role.ts';
import type { SourceFile } from '../files/source-file.ts';
import type { FolderWords } from '../index/folder-index.ts';
import { type Concept, ownTerms } from '../words/concept.ts';
import { queryExpansion } from '../words/query-expansion.ts';
import { askedFor, decides, signsOf } from './asked-for.ts';
import { Evidence, ExactNames, ExpectedTerms, type Neighbours } from './evidence.ts';
import { type Candidate, FEATURES, featuresOf, ROLE_FEATURES } from './passage-features.ts';
import { QuestionMatches } from './question-matches.ts';
import { FIELDS, TermTable } from './term-table.ts';
import { WEIGHTS } from './weights.ts';

/** A passage that was found. */
interface Hit {
  readonly passage: Passage;
  /** Larger is better, 1 for the best; comparable only within one question. */
  readonly score: number;
  /** The fit of its words, whatever its file: a test or a document may fit without being an answer. 1 for the best. */
  readonly relevance: number;
  /** The concepts found in it, by their place in the question. */
  readonly concepts: ReadonlySet<number>;
}

/** The result of a question. */
export interface Found {
  /** Best first; ties by path and line. */
  readonly hits: readonly Hit[];
  readonly byPassage: ReadonlyMap<number, Hit>;
  /** The weight of each concept: rarer ones weigh more. 0 if no file has it. */
  readonly weights: readonly number[];
  /** By concept: true if any file has its own word. */
  readonly present: readonly boolean[];
}

/** Found passages are remembered for many topics at a time; those after these matter to none. */
const MAX_HITS = 2000;
/** The distance below the best at which a passage has half its score. */
const HALF = 4;

/** Ranks the passages of a workspace by what was learnt of questions and their answers. */
export class PassageSearch {
  readonly #ranker: PassageRanker;
  readonly #passages: readonly Passage[];
  readonly #words: Pick<FolderWords, 'present'>;

  /** @param words of all files of the workspace, also of those whose passages are not at hand */
  constructor(passages: readonly Passage[], surroundings: Surroundings, words: Pick<FolderWords, 'present'>) {
    this.#passages = passages;
    this.#words = words;
    this.#ranker = new PassageRanker(passages, surroundings);
  }

  /**
   * Ranks the passages that match anything of the question.
   * @param text the question itself, if known: how it writes names, and which kind of file it asks for
   */
  search(concepts: readonly Concept[], text = concepts.map(({ word }) => word).join(' ')): Found {
    const { matches, order, scores, reranked } = this.#ranker.rank(concepts, text);
    const ranked = reranked
      .map(({ passage, features }) => ({ passage, learnt: scoreOf(features), fit: fitOf(features) }))
      .sort(byScore);
    const best = withOthersOfFile(ranked, ({ passage }) => passage.file).sort(byScore);
    const top = best[0]?.learnt ?? 0;
    const placesIn = placesOf();
    const topFit = Math.max(...best.map(({ fit }) => fit));
    const hits: Hit[] = best.map(({ passage, learnt, fit }) => ({
      passage,
      score: shareOf(top - learnt),
      relevance: shareOf(topFit - fit),
      concepts: placesIn(matches.inPassage[passage.id] ?? 0),
    }));
    // Those that were not reranked come after all that were.
    const last = hits.at(-1)?.score ?? 0;
    const mostLeft = scores.first[order[reranked.length] ?? -1] || 1;
    for (const id of order.slice(reranked.length, MAX_HITS)) {
      const passage = this.#passages[id];
      if (!passage) continue;
      const score = (last * (scores.first[id] ?? 0)) / mostLeft;
      hits.push({ passage, score, relevance: score, concepts: placesIn(matches.inPassage[id] ?? 0) });
    }
    return {
      hits,
      byPassage: new Map(hits.map((hit) => [hit.passage.id, hit])),
      weights: [...matches.weights],
      present: concepts.map(
        (concept, place) =>
          (matches.present[place] ?? false) || ownTerms(concept).some((term) => this.#words.present(term)),
      ),
    };
  }
}

/** Larger scores first; ties by path and line. */
function byScore(a: { learnt: number; passage: Passage }, b: { learnt: number; passage: Passage }): number {
  return b.learnt - a.learnt || a.passage.id - b.passage.id;
}

/** Returns the share of the best score that is left some way below it. */
function shareOf(below: number): number {
  return 1 / (1 + below / HALF);
}

/** Returns the places of concepts that are bits of a number: the same set for the same number. */
function placesOf(): (concepts: number) => ReadonlySet<number> {
  const known = new Map<number, ReadonlySet<number>>();
  return (concepts) => {
    let places = known.get(concepts);
    if (!places) {
      places = new Set(Array.from({ length: 32 }, (_, place) => place).filter((place) => (concepts >>> place) & 1));
      known.set(concepts, places);
    }
    return places;
  };
}

const featureWeights = Float64Array.from(FEATURES, (feature) => WEIGHTS[feature]);

const withoutRoles = featureWeights.map((weight, at) => (ROLE_FEATURES.has(FEATURES[at] ?? 'isAsked') ? 0 : weight));

/** Scores how well a passage with these features answers; larger is better. */
function scoreOf(features: Float64Array): number {
  return weightedSum(features, featureWeights);
}

/** Scores a passage whatever its file is. */
function fitOf(features: Float64Array): number {
  return weightedSum(features, withoutRoles);
}

function weightedSum(features: Float64Array, factors: Float64Array): number {
  let all = 0;
  for (let at = 0; at < factors.length; at++) all += (factors[at] ?? 0) * (features[at] ?? 0);
  return all;
}

/** Beyond the best three passages of a file, more of them say how long it is rather than what it is about. */
const MOST_OF_FILE = 3;

/**
 * Learnt scores in which the best passage of each file has what its file's next best ones say as well: several places that
 * could be meant are more likely to be near the answer than one. A score is the logarithm of how likely a passage is meant,
 * so that the scores of a file are added as likelihoods.
 * @param ranked best first
 */
export function withOthersOfFile<T extends { readonly learnt: number }>(
  ranked: readonly T[],
  fileOf: (one: T) => unknown,
): T[] {
  const ofFile = new Map<unknown, T[]>();
  for (const one of ranked) {
    const file = fileOf(one);
    const others = ofFile.get(file);
    if (!others) ofFile.set(file, [one]);
    else if (others.length < MOST_OF_FILE) others.push(one);
  }
  return ranked.map((one) => {
    const best = ofFile.get(fileOf(one)) ?? [];
    if (best[0] !== one) return one;
    const sum = best.reduce((all, { learnt }) => all + Math.exp(learnt - one.learnt), 0);
    return { ...one, learnt: one.learnt + Math.log(sum) };
  });
}

const MAX_CANDIDATES = 150;
/** The weight of likely concerns where a passage has all words of the question; 1 where none has any. */
const LEAST_DOUBT = 0.1;
/** The number of tests and documents that are heard. */
const MAX_WITNESSES = 40;
const NAME = FIELDS.indexOf('name');

/** The facts about a workspace, besides its passages, that the ranking knows. */
interface Surroundings {
  readonly names: Neighbours;
  isComment(file: SourceFile, row: number): boolean;
}

/** A passage after reranking. */
interface Reranked {
  readonly passage: Passage;
  readonly first: number;
  readonly features: Float64Array;
}

/** The results of retrieval and reranking for a question. */
export interface Ranking {
  readonly matches: QuestionMatches;
  /** Every passage with any word, best first by the cheap score. */
  readonly order: readonly number[];
  readonly scores: RetrievalScores;
  readonly reranked: readonly Reranked[];
}

/** Ranks the passages of a workspace for a question: retrieves by a cheap score of all, and reranks the best ones. */
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
  rank(concepts: readonly Concept[], question: string): Ranking {
    const asked = askedFor(question);
    const matches = new QuestionMatches(this.#table, concepts);
    const expected = new ExpectedTerms(this.#table, queryExpansion().of(matches.concepts));
    const scores = retrievalScores(this.#table, this.#passages, matches, asked);
    const order = matches.touched.toSorted((a, b) => (scores.first[b] ?? 0) - (scores.first[a] ?? 0) || a - b);
    const chosen = order.slice(0, MAX_CANDIDATES).flatMap((id) => this.#passages[id] ?? []);
    const names = new ExactNames(question);
    const reranked = this.#candidates(chosen, order, matches, scores, expected, signsOf(question)).map((candidate) => ({
      passage: candidate.passage,
      first: scores.first[candidate.passage.id] ?? 0,
      features: featuresOf(candidate, matches, names, asked),
    }));
    return { matches, order, scores, reranked };
  }

  standingOf({ id }: Passage): FileStanding {
    return this.#table.files[this.#table.fileOf[id] ?? 0]?.standing ?? 'code';
  }

  #candidates(
    chosen: readonly Passage[],
    order: readonly number[],
    matches: QuestionMatches,
    scores: RetrievalScores,
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
    const windowRanks = ranks(scores.window);
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
      const [from, to] = table.windowsOf(passage) ?? [0, -1];
      let windowRank = Number.POSITIVE_INFINITY;
      for (let at = from; at <= to; at++) windowRank = Math.min(windowRank, windowRanks[at] ?? windowRank);
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
        window: bestWindow(table, passage, scores.window),
        windowRank,
        fileByPassages: scores.byPassages[file] ?? 0,
        fileByWindows: scores.byWindows[file] ?? 0,
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

/** Returns the place of each score, from 1, largest first. */
function ranks(scores: Float32Array): Uint32Array {
  const order = Array.from(scores.keys()).sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b);
  const places = new Uint32Array(scores.length);
  order.forEach((at, place) => {
    places[at] = place + 1;
  });
  return places;
}

/** The number of passages and windows that count towards their file. */
const BEST_OF_FILE = 4;
const PASSAGE_SHARE = 0.5;
const FILE_SHARE = 0.25;
const WINDOW_SHARE = 0.25;
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

/** A cheap score of every passage, which chooses those to rerank. All from 0 to 1 for the best. */
interface RetrievalScores {
  /** By passage. */
  readonly first: Float32Array;
  /** By passage: of its own words alone. */
  readonly own: Float32Array;
  /** By window. */
  readonly window: Float32Array;
  /** By file: its best passages, and its best windows. */
  readonly byPassages: Float32Array;
  readonly byWindows: Float32Array;
}

/** Scores by the words of a passage, of the lines around it, and of its file. */
function retrievalScores(
  table: TermTable,
  passages: readonly Passage[],
  matches: QuestionMatches,
  asked: ReadonlySet<FileStanding>,
): RetrievalScores {
  const own = new Float32Array(passages.length);
  for (const id of matches.touched) {
    const standing = table.files[table.fileOf[id] ?? 0]?.standing ?? 'code';
    const covered = matches.coverage.of(matches.inPassage[id] ?? 0);
    own[id] = (matches.whole[id] ?? 0) * (0.5 + 0.5 * covered) * standingFactor(standing, asked);
  }
  const window = matches.windowScore.map(
    (score, at) => score * (0.5 + 0.5 * shareOfQuestion(matches.inWindow[at] ?? 0, matches)),
  );
  const ofFile: number[][] = table.files.map(() => []);
  for (const id of matches.touched) ofFile[table.fileOf[id] ?? 0]?.push(own[id] ?? 0);
  const byPassages = Float32Array.from(ofFile, sumOfBest);
  const byWindows = Float32Array.from(table.files, ({ windows: [from, to] }) =>
    sumOfBest([...window.subarray(from, to)]),
  );
  for (const scores of [own, window, byPassages, byWindows]) normalize(scores);
  const first = new Float32Array(passages.length);
  for (const id of matches.touched) {
    const passage = passages[id];
    const file = table.fileOf[id] ?? 0;
    if (!passage) continue;
    first[id] =
      PASSAGE_SHARE * (own[id] ?? 0) +
      FILE_SHARE * (byPassages[file] ?? 0) +
      WINDOW_SHARE * bestWindow(table, passage, window);
  }
  return { first, own, window, byPassages, byWindows };
}

/** Returns the best score of the windows that a passage's lines are in. */
function bestWindow(table: TermTable, passage: Passage, scores: Float32Array): number {
  const [from, to] = table.windowsOf(passage) ?? [0, -1];
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
function shareOfQuestion(concepts: number, { present }: QuestionMatches): number {
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
